import { writeFileSync } from 'node:fs'
import { plotOf, type Series } from './search/plot.ts'
import { readResults, type SizeResult } from './search/results.ts'

/**
 * Prints how searches grow with the number of stones as a table in Markdown, and writes the plot,
 * from what `bench/search.ts --json` measured. It measures nothing itself.
 *
 *     npx tsx bench/growth.ts results.json [docs/images/search-growth.svg]
 */
const [file, picture = 'docs/images/search-growth.svg'] = process.argv.slice(2)
const { machine, day, sizes } = readResults(file)
const queries = Object.keys(sizes[0].times)

console.log(`${machine}, ${day}; p50 without / with the bitmap cache, in milliseconds\n`)
const count = (value: number) => value.toLocaleString('en')
const cellsOf = (show: (size: SizeResult) => string) => sizes.map(show)
const rows: [string, string[]][] = [
  ['stones', cellsOf(({ stones }) => count(stones))],
  ['---', sizes.map(() => '---:')],
  ...queries.map((query): [string, string[]] => [
    query,
    cellsOf(({ times }) => `${digits(times[query].uncached)} / ${digits(times[query].p50)}`),
  ]),
  [`${queries[1]}, PostgreSQL`, cellsOf(({ times }) => digits(times[queries[1]].postgres))],
  ['one pass over a column', cellsOf(({ columnMs }) => digits(columnMs))],
  ['load, seconds', cellsOf(({ loadSeconds }) => digits(loadSeconds))],
  ['memory, MB', cellsOf(({ stones, perStone }) => count(Math.round((stones * perStone) / 1e6)))],
]
for (const [name, cells] of rows) console.log(`| ${[name, ...cells].join(' | ')} |`)

const lineOf = (name: string, read: (size: SizeResult) => number): Series => ({
  name,
  points: sizes.map((size) => [size.stones, read(size)]),
})
const title = `p50 without the bitmap cache, ${machine}, ${day}`
const series = [
  ...queries.map((query) => lineOf(query, ({ times }) => times[query].uncached)),
  lineOf('one pass over a column', ({ columnMs }) => columnMs),
]
writeFileSync(picture, plotOf(title, 'stones', 'milliseconds', series))
console.log(`\nwrote ${picture}`)

function digits(value: number): string {
  return value >= 100 ? count(Math.round(value)) : String(Number(value.toPrecision(2)))
}
