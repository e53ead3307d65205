export function MerchantsPage() {
  return <h1>MerchantsPage</h1>
}
