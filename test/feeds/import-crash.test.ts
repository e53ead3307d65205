import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { numberChanges } from '../../src/events/number-changes.ts'
import { recoverImports } from '../../src/feeds/importing/applying/recover-imports.ts'
import { undoImport } from '../../src/feeds/importing/applying/undo-import.ts'
import { listImports } from '../../src/feeds/importing/import-store.ts'
import { IMPORT_LOCK } from '../../src/feeds/importing/session.ts'
import {
  csvOf,
  type ImportMarket,
  openImportMarket,
  type Stone,
  stones,
  withoutTime,
} from './import-support.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pavilion-crash-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

let market: ImportMarket
beforeEach(async () => {
  market = await openImportMarket()
})
afterEach(() => market.close())

const db = () => market.database.db

/** The market before, and a file that adds, changes and removes hundreds of stones. */
const BEFORE = stones(3_000)
const AFTER: Stone[] = [
  ...stones(2_600, (stone, index) =>
    index % 2 === 0 ? { ...stone, perCarat: stone.perCarat + 9 } : stone,
  ).slice(600),
  ...stones(6_000).slice(3_000),
]

/** Runs an import or an undo in a child process and kills it when it has come this far. */
async function killAt(args: string[], stopPhase: string, stopDone: number): Promise<string> {
  const child = spawn(
    process.execPath,
    ['test/feeds/import-child.js', market.url, ...args, stopPhase, `${stopDone}`],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let output = ''
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    output += chunk
    const lines = output.split('\n').slice(0, -1)
    const hasStopped = lines.some((line) => {
      const [phase, done] = line.split(' ')
      return phase === stopPhase && Number(done) >= stopDone
    })
    if (hasStopped) {
      child.kill('SIGKILL')
      break
    }
  }
  await new Promise((resolve) =>
    child.exitCode === null && child.signalCode === null
      ? child.once('exit', resolve)
      : resolve(null),
  )
  return output
}

/** PostgreSQL notices a dead client only when it next sends something to it. */
async function waitForLock(): Promise<void> {
  const locks = async () => {
    const { rows } = await sql`
      select from pg_locks where locktype = 'advisory' and classid = ${IMPORT_LOCK}
        and database = (select oid from pg_database where datname = current_database())`.execute(
      db(),
    )
    return rows.length
  }
  await expect.poll(locks, { timeout: 60_000 }).toBe(0)
}

async function fileOf(name: string, rows: Stone[]): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, csvOf(rows))
  return path
}

/** Returns what a follower of the change log considers to be on sale. */
async function followed(): Promise<string[]> {
  await numberChanges(db())
  const { rows } = await sql<{ sku: string }>`
    select sku from (select distinct on (gem_id) sku, kind from change order by gem_id, sequence desc) as last
    where kind not in ('gone', 'sold', 'memo') order by sku`.execute(db())
  return rows.map(({ sku }) => sku)
}

async function onSale(): Promise<string[]> {
  const { rows } = await sql<{
    sku: string
  }>`select sku from gem where state = 'available' order by sku`.execute(db())
  return rows.map(({ sku }) => sku)
}

describe('an import that is killed', () => {
  for (const [name, phase, done] of [
    ['while it reads', 'reading', 0],
    ['while it adds', 'applying', 2_000],
    ['while it changes', 'applying', 3_300],
    ['while it removes', 'applying', 4_200],
  ] as const) {
    it(`${name} leaves the market as it was, and runs again`, async () => {
      await market.run(csvOf(BEFORE))
      const before = await market.gems()
      const path = await fileOf('after.csv', AFTER)
      const output = await killAt(['import', path], phase, done)
      expect(output).not.toContain('done')
      await waitForLock()
      expect(await recoverImports(market.database)).toBe(1)
      expect(await recoverImports(market.database)).toBe(0)
      expect(withoutTime(await market.gems())).toEqual(withoutTime(before))
      expect(await followed()).toEqual(await onSale())
      const again = await market.run(csvOf(AFTER), { mode: 'replace', maxRemovedShare: 1 })
      expect(again).toMatchObject({
        added: 3_000,
        changed: 1_000,
        removed: 1_000,
        unchanged: 1_000,
      })
      expect(await followed()).toEqual(await onSale())
    })
  }

  it('is reverted by the next import of the supplier', async () => {
    await market.run(csvOf(BEFORE))
    const path = await fileOf('after.csv', AFTER)
    await killAt(['import', path], 'applying', 3_300)
    await waitForLock()
    expect(await market.run(csvOf(BEFORE))).toMatchObject({
      unchanged: 3_000,
      added: 0,
      changed: 0,
    })
    const { imports } = await listImports(db(), { limit: 3, offset: 0 })
    expect(imports.map(({ status }) => status)).toEqual(['done', 'failed', 'done'])
    expect(imports[1].failure).toContain('interrupted')
  })

  it('during an undo is undone completely', async () => {
    await market.run(csvOf(BEFORE))
    const before = await market.gems()
    const { uuid } = await market.run(csvOf(AFTER), { mode: 'replace', maxRemovedShare: 1 })
    await killAt(['undo', uuid], 'undoing', 0)
    await waitForLock()
    const { imports } = await listImports(db(), { limit: 1, offset: 0 })
    if (imports[0].status === 'undoing') expect(await recoverImports(market.database)).toBe(1)
    else if (imports[0].status === 'done') await undoImport(market.database, uuid)
    expect(withoutTime(await market.gems())).toEqual(withoutTime(before))
    expect(await followed()).toEqual(await onSale())
  })
})

describe('a database that ends the connection', () => {
  it('in the middle of an import leaves the market as it was', async () => {
    await market.run(csvOf(BEFORE))
    const before = await market.gems()
    let isCut = false
    const run = market.run(csvOf(AFTER), {
      mode: 'replace',
      maxRemovedShare: 1,
      onProgress: ({ phase, done }) => {
        if (phase !== 'applying' || done < 3_200 || isCut) return
        isCut = true
        void sql`select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = 'pavilion import' and datname = current_database()`.execute(db())
      },
    })
    await expect(run).rejects.toThrow()
    await waitForLock()
    expect(await recoverImports(market.database)).toBe(1)
    expect(withoutTime(await market.gems())).toEqual(withoutTime(before))
    expect(await market.run(csvOf(AFTER), { mode: 'replace', maxRemovedShare: 1 })).toMatchObject({
      added: 3_000,
      removed: 1_000,
    })
  })
})
