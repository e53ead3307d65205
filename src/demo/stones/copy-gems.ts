import assert from 'node:assert/strict'
import type { Copy } from '../../database/copy.ts'
import { DEMO_COLUMNS, type DemoGem } from './gem.ts'

/** About 150 stones: enough to keep PostgreSQL busy, and little memory. */
const CHUNK_CHARACTERS = 65_536

/** Streams the stones into the table; calls `onRows` with the number of rows sent so far. */
export function copyGems(
  copy: Copy,
  gems: Iterable<DemoGem>,
  onRows: (rows: number) => void,
): Promise<void> {
  return copy(`copy gem (${DEMO_COLUMNS.join(', ')}) from stdin with (null '')`, chunks())

  function* chunks(): Generator<Buffer> {
    let text = ''
    let rows = 0
    for (const gem of gems) {
      text += encodeGem(gem)
      rows++
      if (text.length < CHUNK_CHARACTERS) continue
      yield Buffer.from(text)
      text = ''
      onRows(rows)
    }
    if (text !== '') yield Buffer.from(text)
    onRows(rows)
  }
}

/**
 * Returns one line of COPY's text format, in which an empty field is null. Nothing needs escaping:
 * all texts of the demo market are ours, and the address in links is a valid URL. The values are in
 * the order of DEMO_COLUMNS because `gemFrom` copies every stone from one template.
 */
function encodeGem(gem: DemoGem): string {
  const values = Object.values(gem)
  assert.equal(values.length, DEMO_COLUMNS.length)
  return `${values.join('\t')}\n`
}
