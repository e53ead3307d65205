import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Guide, readGuides } from '../../../src/http/docs/guides/guides.ts'
import { listProblemCodes } from '../../../src/http/docs/problem-codes.ts'
import { type DemoTestMarket, openDemoMarket } from '../../support/demo-market.ts'

const run = promisify(execFile)
const pages = [...readGuides().values()]
const guides = pages.filter(({ isGuide }) => isGuide)

let market: DemoTestMarket
let url: string
const folder = mkdtempSync(join(tmpdir(), 'pavilion-guides-'))

beforeAll(async () => {
  market = await openDemoMarket()
  await market.app.listen({ host: '127.0.0.1', port: 0 })
  url = `http://127.0.0.1:${(market.app.server.address() as AddressInfo).port}`
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await market.close()
})

const read = (path: string) => market.call('GET', path)

describe('the guides', () => {
  it('have a page for every subject, linked from /docs, README and llms.txt', async () => {
    const { text: reference } = await read('/docs')
    const { text: map } = await read('/llms.txt')
    for (const subject of SUBJECTS) expect(guides.map((guide) => guide.subject)).toContain(subject)
    for (const { subject, title } of guides) {
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
    it(`runs as pasted: ${guide.subject}`, async () => {
      for (const [index, block] of blocks.entries()) {
        const printed = await runBlock(block, `${guide.subject}-${index}`)
        expect(printed.trim(), block.code).not.toBe('')
      }
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
  'versions',
]

interface Block {
  language: 'sh' | 'ts'
  code: string
}

/** The blocks that are marked as programs; the others show what is sent or typed. */
function blocksOf({ markdown }: Guide): Block[] {
  return [...markdown.matchAll(/^```(sh|ts)\n(.*?)^```$/gms)].map(([, language, code]) => {
    return { language: language as Block['language'], code }
  })
}

async function runBlock({ language, code }: Block, name: string): Promise<string> {
  const { NODE_OPTIONS: _, ...rest } = process.env
  const env = { ...rest, PAVILION_URL: url, PAVILION_KEY: market.keys.merchantKey }
  if (language === 'sh')
    return (await run('bash', ['-euo', 'pipefail', '-c', code], { env })).stdout
  const file = join(folder, `${name}.mts`)
  writeFileSync(file, code)
  const tsx = resolve('node_modules/tsx/dist/cli.mjs')
  return (await run(process.execPath, [tsx, file], { env })).stdout
}
