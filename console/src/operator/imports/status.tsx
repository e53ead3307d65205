const KINDS: Record<string, string> = {
  done: 'is-good',
  failed: 'is-bad',
  undone: 'is-warn',
}

export function ImportStatus({ status }: { status: string }) {
  return <span class={`tag ${KINDS[status] ?? 'is-accent'}`}>{status}</span>
}
