import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sourcesBelow } from '../structure/sources.ts'
import { openTestMarket, type TestMarket } from '../support/market.ts'

/** The console uses the documented interface only, takes its types from it, and loads quickly. */
const API = 'console/src/api'
const FIRST_LOAD_BYTES_MAX = 150_000
/** What the browser runs too: tables of the trade, drawings, texts of notices, fields of a feed. */
const SHARED = /^src\/(reference|pictures|notices\/texts)\/|^src\/feeds\/mapping\/fields\.ts$/

let market: TestMarket
const documents: Record<string, Document> = {}

interface Document {
  paths: Record<string, Record<string, unknown>>
}

beforeAll(async () => {
  market = await openTestMarket()
  for (const name of ['v2', 'v3', 'operator', 'supplier']) {
    documents[name] = (await market.app.inject(`/openapi/${name}.json`)).json()
  }
}, 240_000)
afterAll(() => market.close())

const files = sourcesBelow(API).map(({ path, text }) => ({ name: path, text }))
/** The client and its hooks have types of their own, which are never sent. */
const wireSources = files.filter(({ name }) => !/\/(client|hooks)\.ts$/.test(name))

describe('the design', () => {
  const styles = readdirSync('console/src/styles').map((name) => ({
    name,
    text: readFileSync(join('console/src/styles', name), 'utf8'),
  }))
  const [tokens] = styles.filter(({ name }) => name === 'tokens.css')

  it('names every color, size of text and length once, and its page explains each name', () => {
    const names = [...tokens.text.matchAll(/^ {2}(--[\w-]+):/gm)].map(([, name]) => name)
    const page = readFileSync('docs/design.md', 'utf8')
    expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
    const used = styles.map(({ text }) => text).join('\n')
    expect(names.filter((name) => !used.includes(`var(${name})`))).toEqual([])
  })

  it('has no color and no size of text of its own outside the tokens, except on paper', () => {
    const others = styles.filter(({ name }) => name !== 'tokens.css' && name !== 'print.css')
    const own = others.flatMap(({ name, text }) =>
      [...text.matchAll(/#[\da-f]{3,8}\b|font-size: (?!var\(|0\.88em)[^;]+/gi)].map(
        ([found]) => `${name}: ${found}`,
      ),
    )
    expect(own).toEqual([])
  })
})

describe("the console's client", () => {
  it('calls only documented operations', () => {
    const calls = files.flatMap(({ text }) => [
      ...text.matchAll(/call(?:<[^>]+>)?\(\s*'([A-Z]+)',\s*'(\/api\/[^']+)'/g),
      ...text.matchAll(/`([A-Z]+) (\/api\/[^`]+)`/g),
    ])
    expect(calls.length).toBeGreaterThan(40)
    const served = Object.values(documents).flatMap(({ paths }) => Object.entries(paths))
    for (const [, method, path] of calls) {
      const operations = served.filter(([name]) => name === path).map(([, each]) => each)
      const isServed = operations.some((each) => each[method.toLowerCase()] !== undefined)
      expect(isServed, `${method} ${path}`).toBe(true)
    }
  })

  it('declares no shape of a request or response itself: types come from the schemas', () => {
    const shapes = wireSources.flatMap(({ name, text }) =>
      [...text.matchAll(/\binterface \w+|[=<|&:]\s*\{\s*\w+\??: (?:string|number|boolean)/g)].map(
        ([found]) => `${name}: ${found}`,
      ),
    )
    expect(wireSources.length).toBeGreaterThan(10)
    expect(shapes).toEqual([])
  })

  it('imports only types from the server, so that none of it is in the compiled console', () => {
    const values = sourcesBelow('console/src').flatMap(({ path, text }) =>
      [...text.matchAll(/^import (?!type\b)[^']*'(?:\.\.\/)+(src\/[^']+)'/gm)]
        .map(([, target]) => target)
        .filter((target) => !SHARED.test(target))
        .map((target) => `${path} imports ${target}`),
    )
    expect(values).toEqual([])
  })
})

describe('the compiled console', () => {
  const folder = 'dist/console'

  it('loads less than 150 kB of compressed script at first', () => {
    const page = readFileSync(join(folder, 'index.html'), 'utf8')
    // The script of the page, and what it imports once the language is there.
    const entries = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)]
    expect(entries.some(([, name]) => name.includes('start'))).toBe(true)
    const german = readdirSync(join(folder, 'assets')).find((name) => /^german.*\.js$/.test(name))
    expect(german).toBeDefined()
    const seen = new Set<string>()
    const load = (name: string) => {
      if (seen.has(name)) return
      seen.add(name)
      const script = readFileSync(join(folder, name), 'utf8')
      for (const [, next] of script.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) {
        load(`assets/${next}`)
      }
    }
    for (const [, name] of entries) load(name)
    // The largest dictionary.
    load(`assets/${german}`)
    const bytes = [...seen].reduce(
      (sum, name) => sum + brotliCompressSync(readFileSync(join(folder, name))).length,
      0,
    )
    expect(bytes).toBeGreaterThan(5_000)
    expect(bytes).toBeLessThan(FIRST_LOAD_BYTES_MAX)
  })

  it('has no inline script or style, and names no other host', () => {
    const page = readFileSync(join(folder, 'index.html'), 'utf8')
    expect(page).not.toMatch(/<script(?![^>]*\ssrc=)[^>]*>|<style|\son\w+=|style=/)
    expect(page).not.toMatch(/https?:\/\//)
  })

  it('is served on every path of the console, with a strict content security policy', async () => {
    for (const path of [
      '/',
      '/search?shape=oval',
      '/stones/ABC',
      '/find?numbers=ABC',
      '/operator/imports',
      '/supplier/stock',
      '/sign-in',
    ]) {
      const response = await market.app.inject(path)
      expect([response.statusCode, path]).toEqual([200, path])
      expect(response.headers['content-type']).toContain('text/html')
      const policy = String(response.headers['content-security-policy'])
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';")
      expect(policy).not.toContain('unsafe')
    }
  })

  it('answers an unknown address of the interface with a problem, in any case of letters', async () => {
    const headers = { accept: 'text/html' }
    for (const [path, type] of [
      ['/no-such-page', 'text/html; charset=utf-8'],
      ['/api/v3/no-such-operation', 'application/problem+json; charset=utf-8'],
      ['/API/V3/MEMOS', 'application/problem+json; charset=utf-8'],
      ['//api/v3/memos', 'application/problem+json; charset=utf-8'],
    ]) {
      const response = await market.app.inject({ url: path, headers })
      expect([response.statusCode, response.headers['content-type']]).toEqual([404, type])
    }
  })

  it('serves hashed files compressed and cacheable for good, and 404 for a missing one', async () => {
    const page = readFileSync(join(folder, 'index.html'), 'utf8')
    const entry = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1] ?? ''
    const headers = { 'accept-encoding': 'gzip, br' }
    const asset = await market.app.inject({ url: entry, headers })
    expect(asset.headers['cache-control']).toContain('immutable')
    expect(asset.headers['content-encoding']).toBe('br')
    const gone = await market.app.inject('/assets/index-00000000.js')
    expect(gone.statusCode).toBe(404)
    expect(gone.headers['cache-control']).toBeUndefined()
    expect((await market.app.inject('/assets/../../package.json')).statusCode).toBe(404)
  })
})
