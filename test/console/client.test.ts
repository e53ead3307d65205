import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestMarket, type TestMarket } from '../support/market.ts'

/** The console is written against the served documents, and loads quickly. */
const API = 'console/src/api'
const FIRST_LOAD_BYTES_MAX = 150_000

let market: TestMarket
const documents: Record<string, Document> = {}

interface Document {
  paths: Record<string, Record<string, unknown>>
}

beforeAll(async () => {
  market = await openTestMarket()
  for (const name of ['v2', 'v3', 'operator']) {
    documents[name] = (await market.app.inject(`/openapi/${name}.json`)).json()
  }
}, 240_000)
afterAll(() => market.close())

const sources = readdirSync(API).map((name) => readFileSync(join(API, name), 'utf8'))

describe('the client of the console', () => {
  it('calls documented operations only', () => {
    const calls = sources.flatMap((source) => [
      ...source.matchAll(/call(?:<[^>]+>)?\(\s*'([A-Z]+)',\s*'(\/api\/[^']+)'/g),
      ...source.matchAll(/`([A-Z]+) (\/api\/[^`]+)`/g),
    ])
    expect(calls.length).toBeGreaterThan(40)
    const served = Object.values(documents).flatMap(({ paths }) => Object.entries(paths))
    for (const [, method, path] of calls) {
      const operations = served.filter(([name]) => name === path).map(([, each]) => each)
      const isServed = operations.some((each) => each[method.toLowerCase()] !== undefined)
      expect(isServed, `${method} ${path}`).toBe(true)
    }
  })

  it('reads fields only that the documents have', () => {
    const shapes = sources.flatMap((source) => [
      ...source.matchAll(
        /\/\*\* As `(\w+)` in \/openapi\/(\w+)\.json[^/]*\*\/\nexport interface \w+[^{]*\{\n([\s\S]*?)\n\}/g,
      ),
    ])
    expect(shapes.length).toBeGreaterThan(25)
    for (const [, name, document, body] of shapes) {
      const known = findShape(documents[document], name)
      expect(known, `${name} in ${document}`).toBeDefined()
      for (const [, field] of body.matchAll(/^ {2}(\w+)\??:/gm)) {
        expect(Object.keys(known ?? {}), `${name} in ${document}`).toContain(field)
      }
    }
  })
})

/** The properties of a shape by its title: a component, or written where it is used. */
function findShape(within: unknown, name: string): Record<string, unknown> | undefined {
  if (typeof within !== 'object' || within === null) return undefined
  const { title, properties } = within as { title?: string; properties?: Record<string, unknown> }
  if (title === name && properties) return properties
  for (const part of Object.values(within)) {
    const found = findShape(part, name)
    if (found) return found
  }
  return undefined
}

describe('the compiled console', () => {
  const folder = 'dist/console'

  it('loads less than 150 kB of compressed script first', () => {
    const page = readFileSync(join(folder, 'index.html'), 'utf8')
    const entry = /src="\/(assets\/[^"]+\.js)"/.exec(page)?.[1] ?? ''
    const seen = new Set<string>()
    const load = (name: string) => {
      if (seen.has(name)) return
      seen.add(name)
      const script = readFileSync(join(folder, name), 'utf8')
      for (const [, next] of script.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) {
        load(`assets/${next}`)
      }
    }
    load(entry)
    const bytes = [...seen].reduce(
      (sum, name) => sum + brotliCompressSync(readFileSync(join(folder, name))).length,
      0,
    )
    expect(bytes).toBeGreaterThan(5_000)
    expect(bytes).toBeLessThan(FIRST_LOAD_BYTES_MAX)
  })

  it('has no script and no style in the page itself, and names no other host', () => {
    const page = readFileSync(join(folder, 'index.html'), 'utf8')
    expect(page).not.toMatch(/<script(?![^>]*\ssrc=)[^>]*>|<style|\son\w+=|style=/)
    expect(page).not.toMatch(/https?:\/\//)
  })

  it('is served on every path of the console, under a strict policy', async () => {
    for (const path of [
      '/',
      '/search?shape=oval',
      '/stones/ABC',
      '/operator/imports',
      '/sign-in',
    ]) {
      const answer = await market.app.inject(path)
      expect([answer.statusCode, path]).toEqual([200, path])
      expect(answer.headers['content-type']).toContain('text/html')
      const policy = String(answer.headers['content-security-policy'])
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';")
      expect(policy).not.toContain('unsafe')
    }
  })

  it('keeps hashed files for good, compressed, and says where one is gone', async () => {
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
