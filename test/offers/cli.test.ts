import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/database/open.ts'
import { inTransaction } from '../../src/database/transaction.ts'
import { logChanges } from '../../src/events/change-log.ts'
import { type ClonedDatabase, cloneDatabase } from '../support/database.ts'
import { insertStone } from '../support/stones.ts'

let clone: ClonedDatabase
let folder: string
let skus: string[]
beforeAll(async () => {
  clone = await cloneDatabase()
  folder = await mkdtemp(join(tmpdir(), 'pavilion-cli-'))
  const database = openDatabase({ url: clone.url })
  const listed = { lab: 'GIA', cert_num: '2201234567' } as const
  const stones = [
    await insertStone(database.db, listed),
    await insertStone(database.db, { ...listed, color: 'J' }),
  ]
  await inTransaction(database.db, (tx) =>
    logChanges(
      tx,
      stones.map(({ id, sku }) => ({ gem_id: id, sku, kind: 'new' as const })),
    ),
  )
  skus = stones.map(({ sku }) => sku)
  await database.close()
})
afterAll(async () => {
  await clone.drop()
  await rm(folder, { recursive: true, force: true })
})

function pavilion(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { ...process.env, DATABASE_URL: clone.url, PAVILION_DATA: folder }
  return new Promise((resolve) => {
    execFile(process.execPath, ['bin/pavilion', ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr })
    })
  })
}

const conflicts = (...args: string[]) => pavilion('inventory', 'conflicts', ...args)

describe('pavilion inventory conflicts', () => {
  it('lists a contradiction, and decides about it once one of the two options is given', async () => {
    expect((await conflicts()).stdout).toContain('2201234567')
    const neither = await conflicts('decide', 'GIA', '2201234567')
    expect([neither.code, neither.stderr]).toEqual([1, expect.stringContaining('--apart')])
    const apart = await conflicts('decide', 'gia', '220-1234567', '--apart', '--json')
    expect(JSON.parse(apart.stdout)).toMatchObject({ decision: 'apart', disabled: [] })
    const kept = await conflicts('decide', 'GIA', '2201234567', '--keep', skus[0])
    expect(kept.stdout).toContain(`Kept: ${skus[0]}`)
    expect(kept.stdout).toContain(`Disabled: ${skus[1]}`)
    expect(JSON.parse((await conflicts('--json')).stdout)).toEqual([])
  })
})
