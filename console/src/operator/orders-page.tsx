export function OperatorOrdersPage() {
  return <h1>OperatorOrdersPage</h1>
}
