export function RatesPage() {
  return <h1>RatesPage</h1>
}
