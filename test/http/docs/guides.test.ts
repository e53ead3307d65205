import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../../src/http/app.ts'
import { type Guide, readGuides } from '../../../src/http/docs/guides/guides.ts'
import { listProblemCodes } from '../../../src/http/docs/problem-codes.ts'
import type { App } from '../../../src/http/route.ts'
import { createToken } from '../../../src/merchants/token-store.ts'
import { createScenarios } from '../../../src/orders/sandbox/scenarios.ts'
import { type DemoTestMarket, openDemoMarket } from '../../support/demo-market.ts'

const run = promisify(execFile)
const pages = [...readGuides().values()]
const guides = pages.filter(({ isGuide }) => isGuide)

let market: DemoTestMarket
/** The same market as a sandbox; what its guide moves, the clock, the guide sets right again. */
let sandbox: App
/** What the examples find in their environment. */
let settings: Record<string, string>
const folder = mkdtempSync(join(tmpdir(), 'pavilion-guides-'))

beforeAll(async () => {
  market = await openDemoMarket()
  const { db } = market.database
  await createScenarios(db)
  sandbox = await buildApp({ ...market.deps, realm: 'test' })
  const merchant = await db
    .selectFrom('merchant')
    .select('uuid as merchant_uuid')
    .where('email', '=', 'buying@facet-street.example')
    .executeTakeFirstOrThrow()
  const { token } = await createToken(db, { realm: 'test', type: 'api_key', ...merchant })
  settings = {
    PAVILION_URL: await listen(market.app),
    PAVILION_KEY: market.keys.merchantKey,
    SANDBOX_URL: await listen(sandbox),
    SANDBOX_KEY: token,
  }
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await sandbox.close()
  await market.close()
})

async function listen(app: App): Promise<string> {
  await app.listen({ host: '127.0.0.1', port: 0 })
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
}

const read = (path: string) => market.call('GET', path)

describe('the guides', () => {
  it('have a page for every subject, linked from /docs, README and llms.txt', async () => {
    const { text: reference } = await read('/docs')
    const { text: map } = await read('/llms.txt')
    for (const subject of SUBJECTS) expect(guides.map((guide) => guide.subject)).toContain(subject)
    const readme = readFileSync('README.md', 'utf8')
    for (const { subject, title } of guides) {
      const file = subject === 'changelog' ? 'CHANGELOG.md' : `docs/guides/${subject}.md`
      expect(readme).toContain(`](${file})`)
      expect(reference).toContain(`<a href="/docs/${subject}">${title}</a>`)
      expect(map).toContain(`/docs/${subject})`)
    }
  })

  it('are pages without scripts, under a policy that allows none', async () => {
    for (const { subject, title } of pages) {
      const page = await read(`/docs/${subject}`)
      expect(page.status, subject).toBe(200)
      expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
      const titled = /<title>(.*) – Pavilion<\/title>/.exec(page.text)?.[1]
      expect(titled?.replaceAll('&#39;', "'")).toBe(title)
      expect(page.text).not.toMatch(/<script|<style|style="|<!-- /)
      const policy = String(page.headers['content-security-policy'])
      expect(policy).toContain("default-src 'none'; style-src 'self'")
      expect(policy).not.toContain('unsafe')
    }
  })

  it('link to pages, headings and pictures that are served', async () => {
    const texts = new Map<string, string>()
    for (const { subject } of pages) {
      texts.set(`/docs/${subject}`, (await read(`/docs/${subject}`)).text)
    }
    const broken: string[] = []
    for (const [path, text] of texts) {
      for (const [, target] of text.matchAll(/(?:href|src)="([^"]+)"/g)) {
        if (/^https?:/.test(target)) continue
        const [page, heading] = (target.startsWith('#') ? `${path}${target}` : target).split('#')
        const known = texts.get(page) ?? ((await read(page)).status === 200 ? '' : undefined)
        const isThere = heading === undefined || heading === 'content'
        const isFound = isThere ? known !== undefined : known?.includes(`id="${heading}"`)
        if (!isFound) broken.push(`${path}: ${target}`)
      }
    }
    expect(broken).toEqual([])
  })

  it('list every code of an error', async () => {
    const { text } = await read('/docs/errors')
    for (const { code, status } of listProblemCodes()) {
      expect(text).toContain(`<td>${status}</td>\n<td><code>${code}</code></td>`)
    }
  })

  it('list every code of a webhook that does not fit', async () => {
    const { text } = await read('/docs/webhooks')
    const source = readFileSync('client/src/webhook.ts', 'utf8')
    const codes = [...source.matchAll(/refused\(\s*'(\w+)'/g)].map(([, code]) => code)
    expect(codes.length).toBeGreaterThan(3)
    for (const code of codes) expect(text).toContain(`<td><code>${code}</code></td>`)
  })

  it('show the changelog, whose newest version is that of the program and of the client', async () => {
    const { text } = await read('/docs/changelog')
    const versions = [...text.matchAll(/>(\d+\.\d+\.\d+) \(\d{4}-\d{2}-\d{2}\)</g)]
    const [newest, ...older] = versions.map(([, version]) => version)
    expect(older.length).toBeGreaterThan(0)
    for (const path of ['package.json', 'client/package.json']) {
      expect(JSON.parse(readFileSync(path, 'utf8')).version).toBe(newest)
    }
  })

  it('have all their pictures, as what they are', async () => {
    const kinds = new Set<string>()
    for (const { subject } of pages) {
      const { text } = await read(`/docs/${subject}`)
      for (const [, path, kind] of text.matchAll(/<img src="([^"]+\.(\w+))"/g)) {
        const { status, headers } = await read(path)
        const type = kind === 'svg' ? 'image/svg+xml' : 'image/png'
        expect([path, status, headers['content-type']]).toEqual([path, 200, type])
        kinds.add(kind)
      }
    }
    expect([...kinds].sort()).toEqual(['png', 'svg'])
  })

  it('refuse an unknown subject as every unknown path', async () => {
    const { status, body } = await read('/docs/nothing')
    expect([status, body.code]).toEqual([404, 'not_found'])
    expect((await read('/docs/images/../../package.json')).status).toBe(404)
  })
})

describe('the code of the guides', () => {
  for (const guide of guides) {
    const blocks = blocksOf(guide)
    if (blocks.length === 0) continue
    it(`runs as pasted: ${guide.subject}`, async ({ skip }) => {
      for (const [index, block] of blocks.entries()) {
        if (block.language === 'py' && !hasPython) continue
        const printed = await runBlock(block, `${guide.subject}-${index}`)
        expect(printed.trim(), block.code).not.toBe('')
      }
      const isPartly = !hasPython && blocks.some(({ language }) => language === 'py')
      skip(isPartly, 'python3 is not installed: all but the blocks in Python have run')
    })
  }
})

/** The subjects that integrators were promised. */
const SUBJECTS = [
  'start',
  'authentication',
  'search',
  'orders',
  'holds-and-quotes',
  'sync',
  'webhooks',
  'errors',
  'sandbox',
  'versions',
]

const hasPython = spawnSync('python3', ['--version']).status === 0

interface Block {
  language: 'sh' | 'ts' | 'py'
  code: string
}

/** The blocks that are marked as programs; the others show what is sent or typed. */
function blocksOf({ markdown }: Guide): Block[] {
  return [...markdown.matchAll(/^```(sh|ts|py)\n(.*?)^```$/gms)].map(([, language, code]) => {
    return { language: language as Block['language'], code }
  })
}

async function runBlock({ language, code }: Block, name: string): Promise<string> {
  const { NODE_OPTIONS: _, ...rest } = process.env
  const env = { ...rest, ...settings }
  if (language === 'sh')
    return (await run('bash', ['-euo', 'pipefail', '-c', code], { env })).stdout
  if (language === 'py') return (await run('python3', ['-c', code], { env })).stdout
  const file = join(folder, `${name}.mts`)
  writeFileSync(file, code)
  const tsx = resolve('node_modules/tsx/dist/cli.mjs')
  return (await run(process.execPath, [tsx, file], { env })).stdout
}
