import { parse } from 'node:querystring'

/** More parameters than any endpoint has are dropped unread. */
const PARAMETERS_MAX = 1000

/** Reads a query string; `a[]=1` means the same as `a=1`. */
export function parseQueryString(text: string): Record<string, unknown> {
  if (text === '') return {}
  const query = parse(text, '&', '=', { maxKeys: PARAMETERS_MAX })
  for (const name of Object.keys(query)) {
    if (!name.endsWith('[]')) continue
    const plain = name.slice(0, -2)
    const values = [query[plain] ?? [], query[name] ?? []].flat()
    query[plain] = values
    delete query[name]
  }
  return query
}
