import { readFileSync } from 'node:fs'

/** The version of the package, whose package.json is one folder up from both src/ and dist/. */
export function readVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
