import { humanize } from '../../lib/format.ts'

const TONES: Partial<Record<string, string>> = {
  available: 'is-good',
  held: 'is-accent',
  memo: 'is-accent',
  sold: 'is-warn',
  disabled: 'is-bad',
}

/** The state of a stone; its color says whether it can be sold. */
export function StateTag({ state }: { state: string }) {
  return <span class={`tag ${TONES[state] ?? ''}`}>{humanize(state)}</span>
}
