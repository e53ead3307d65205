export function OperatorOrderPage() {
  return <h1>OperatorOrderPage</h1>
}
