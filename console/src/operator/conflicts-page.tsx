export function ConflictsPage() {
  return <h1>ConflictsPage</h1>
}
