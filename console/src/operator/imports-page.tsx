export function ImportsPage() {
  return <h1>ImportsPage</h1>
}
