const DEPTH_MAX = 6
const ELEMENTS_MAX = 3

/** A JSON object as flat names and texts: `Price: {Value: 5}` is `Price.Value`, `5`. */
export function flatten(value: unknown): Map<string, string> {
  const flat = new Map<string, string>()
  if (value !== null && typeof value === 'object') add(flat, '', value, 0)
  return flat
}

function add(flat: Map<string, string>, path: string, value: unknown, depth: number): void {
  if (value === null || value === undefined) return
  if (typeof value !== 'object') {
    flat.set(path, `${value as string | number | boolean}`)
    return
  }
  if (depth >= DEPTH_MAX) return
  const entries = Array.isArray(value)
    ? value.slice(0, ELEMENTS_MAX).map((element, index) => [String(index), element] as const)
    : Object.entries(value)
  for (const [key, member] of entries) {
    add(flat, path === '' ? key : `${path}.${key}`, member, depth + 1)
  }
}
