export function MerchantPage() {
  return <h1>MerchantPage</h1>
}
