import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newSecret, signaturesOf } from '../../src/events/webhook.ts'
import { openServedMarket, type ServedMarket } from './client-support.ts'

const BYTES_MAX = 12_288

/** A program that has installed the package. */
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pavilion-client-'))
  const modules = join(folder, 'node_modules')
  execFileSync('mkdir', ['-p', modules])
  symlinkSync(resolve('client'), join(modules, 'pavilion-client'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the package', () => {
  it(`is one module of at most ${BYTES_MAX} bytes compressed, without imports`, () => {
    const text = readFileSync('client/dist/index.js', 'utf8')
    expect(gzipSync(text).length).toBeLessThanOrEqual(BYTES_MAX)
    expect(text).not.toMatch(/^import /m)
    expect(text).not.toContain('node:')
    const scripts = readdirSync('client/dist').filter((name) => name.endsWith('.js'))
    expect(scripts).toEqual(['index.js'])
    const { dependencies } = JSON.parse(readFileSync('client/package.json', 'utf8'))
    expect(dependencies).toBeUndefined()
  })

  it('has types that know what the server takes and returns', () => {
    writeFileSync(join(folder, 'shop.mts'), SHOP)
    expect(compile('shop.mts')).toBe('')
    writeFileSync(join(folder, 'wrong.mts'), WRONG)
    const messages = compile('wrong.mts')
    const lines = [...messages.matchAll(/wrong\.mts\((\d+),/g)].map(([, line]) => Number(line))
    expect(lines, messages).toEqual([3, 4, 5, 6])
  })
})

/** Returns what the compiler says, with the strictest settings. */
function compile(name: string): string {
  const options = ['--strict', '--noEmit', '--target', 'es2022', '--module', 'nodenext']
  const own = ['--lib', 'es2023,dom,dom.asynciterable', '--types', '']
  const tsc = resolve('node_modules/typescript/bin/tsc')
  try {
    execFileSync(process.execPath, [tsc, ...options, ...own, name], { cwd: folder, stdio: 'pipe' })
    return ''
  } catch (error) {
    return String((error as { stdout: Buffer }).stdout)
  }
}

const SHOP = `import { pavilion, createClient, PavilionError, type Schemas } from 'pavilion-client'
const market = pavilion({ url: 'https://gems.example', key: 'pav_live_x' })
const page = await market.diamonds.search({ filters: { shape: ['round'] }, limit: 10 })
const total: number = page.total
const first: string = page.gems[0].sku
for await (const stone of market.diamonds.search()) {
  const price: number = stone.retail_price
}
const all: Schemas.Gem[] = await market.searchAll()
const order = await market.orders.place({
  order_type: 'invoice',
  external_order_id: 'PO-1',
  line_items: [{ sku: first, quantity: 1 }],
})
const uuid: string = order.uuid
const hold = await market.holds.place({ sku: first })
const expires: string = hold.expires_on
for await (const change of market.sync({ after: 1, product_types: ['diamond', 'jewelry'] })) {
  const sequence: number = change.sequence
}
const account = await createClient({ url: 'x', key: 'y' }).request('GET /api/v3/account')
const error: PavilionError | undefined = undefined
export { total, all, uuid, expires, account, error }
`

const WRONG = `import { pavilion } from 'pavilion-client'
const market = pavilion({ url: 'https://gems.example', key: 'pav_live_x' })
await market.diamonds.search({ filter: { shape: ['round'] } })
await market.diamonds.search({ filters: { shape: ['rond'] } })
await market.orders.place({ order_type: 'invoice', line_items: [] })
await market.request('GET /api/v3/nothing')
export {}
`

describe('the README', () => {
  let market: ServedMarket
  beforeAll(async () => {
    market = await openServedMarket()
    await market.stock(12)
  })
  afterAll(() => market.close())

  it('has code that works as it stands', async () => {
    const blocks = blocksOf(readFileSync('client/README.md', 'utf8'))
    expect(blocks.length).toBeGreaterThan(5)
    writeFileSync(join(folder, 'readme.mjs'), blocks.join('\n'))
    writeFileSync(join(folder, 'main.mjs'), MAIN)
    const secret = newSecret()
    const child = spawn(process.execPath, ['main.mjs'], {
      cwd: folder,
      env: { PAVILION_URL: market.url, PAVILION_KEY: market.buyer.key, WEBHOOK_SECRET: secret },
    })
    let printed = ''
    const take = (chunk: Buffer) => {
      printed += chunk
    }
    child.stdout.on('data', take)
    child.stderr.on('data', take)
    const ended = once(child, 'close')
    const position = join(folder, 'position')
    await expect.poll(() => existsSync(position) || child.exitCode !== null).toBe(true)
    child.kill('SIGTERM')
    await expect.poll(() => printed.includes('imported') || child.exitCode !== null).toBe(true)
    child.stdin.end(JSON.stringify(message(secret)))
    await ended
    expect(printed).toContain('12 stones, the first costs')
    expect(printed).toMatch(/Order [0-9a-f-]{36} was placed/)
    expect(printed).toContain("order.create { order_uuid: 'x' }")
    expect(printed).toContain('204, 204')
    expect(child.exitCode, printed).toBe(0)
  })
})

describe('the guide', () => {
  let market: ServedMarket
  beforeAll(async () => {
    market = await openServedMarket()
    await market.stock(3)
  })
  afterAll(() => market.close())

  it('has code that works as it stands', async () => {
    const guide = readFileSync('docs/guides/client.md', 'utf8')
    writeFileSync(join(folder, 'guide.mjs'), blocksOf(guide).join('\n'))
    const printed = await new Promise<string>((done) => {
      const env = { PAVILION_URL: market.url, PAVILION_KEY: market.buyer.key }
      execFile(process.execPath, ['guide.mjs'], { cwd: folder, env }, (error, stdout, stderr) => {
        done(error ? stdout + stderr : stdout)
      })
    })
    expect(printed).toContain('3 diamonds of one carat or more')
    expect(printed).toContain('Held until')
    expect(printed).toMatch(/3 diamonds as of \d+\n$/)
  })
})

function blocksOf(markdown: string): string[] {
  return [...markdown.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code)
}

function message(secret: string) {
  const body = JSON.stringify({ type: 'order.create', timestamp: '', data: { order_uuid: 'x' } })
  const at = Math.floor(Date.now() / 1000)
  const headers = {
    'webhook-id': 'one',
    'webhook-timestamp': String(at),
    'webhook-signature': signaturesOf([secret], 'one', at, body),
  }
  return { body, headers }
}

const MAIN = `const { receive } = await import('./readme.mjs')
console.log('imported')
let text = ''
for await (const chunk of process.stdin) text += chunk
const { body, headers } = JSON.parse(text)
const send = () => receive(new Request('http://shop.example', { method: 'POST', body, headers }))
console.log((await send()).status + ', ' + (await send()).status)
`
