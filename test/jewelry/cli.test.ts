import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runPavilion } from '../support/command-line.ts'
import { type ClonedDatabase, cloneDatabase } from '../support/database.ts'

let clone: ClonedDatabase
let folder: string

beforeAll(async () => {
  clone = await cloneDatabase()
  folder = mkdtempSync(join(tmpdir(), 'pavilion-jewelry-'))
  await runPavilion(['--version'], {}, folder)
}, 120_000)
afterAll(async () => {
  await clone.drop()
  rmSync(folder, { recursive: true })
})

const run = (...args: string[]) => runPavilion(args, { DATABASE_URL: clone.url }, folder)

async function json(...args: string[]) {
  const { code, stdout, stderr } = await run(...args, '--json')
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}

it('imports jewelry, undoes the import and manages catalogues', { timeout: 120_000 }, async () => {
  const header = 'Stock Number,Jewelry Type,Jewelry Title,Jewelry Total Price\n'
  writeFileSync(join(folder, 'rings.csv'), `${header}R1,Ring,Plain ring,100\nR2,Ring,,100\n`)
  const importing = ['jewelry', 'import', 'rings.csv', '--supplier', 'Studio'] as const
  expect(await json(...importing, '--dry-run')).toMatchObject({ added: 1, dry_run: true })
  const report = await json(...importing)
  expect(report).toMatchObject({ added: 1, rejected: 1, catalogue: 'General' })
  const [record] = await json('jewelry', 'imports')
  expect(record).toMatchObject({ uuid: report.uuid, file_name: 'rings.csv', undone_on: null })
  expect(await json('jewelry', 'undo', report.uuid)).toMatchObject({ uuid: report.uuid })
  const again = await run('jewelry', 'undo', report.uuid)
  expect([again.code, again.stdout]).toEqual([1, ''])

  await json('catalogue', 'create', 'Window', '--public')
  expect(await json('catalogue', 'publish', 'window')).toMatchObject({ published: true })
  expect(await json('catalogue', 'close', 'Window')).toMatchObject({ public: false })
  const create = ['merchant', 'create', '--legal-dba', 'Shop', '--country', 'US'] as const
  const merchant = await json(...create, '--email', 'a@shop.example')
  const share = ['catalogue', 'share', 'Window', '--merchant', 'a@shop.example'] as const
  expect(await json(...share)).toMatchObject({ merchant_uuids: [merchant.uuid] })
  const names = (await json('catalogue', 'list')).map(({ name }: { name: string }) => name)
  expect(names).toEqual(['General', 'Window'])
  expect((await run('catalogue', 'publish', 'Windw')).stderr).toContain('Did you mean "Window"?')
  const absent = await run('jewelry', 'import', 'no.csv', '--supplier', 'S')
  expect([absent.code, absent.stderr]).toEqual([
    1,
    'Cannot read no.csv: the file does not exist.\n',
  ])
  const directory = await run('jewelry', 'import', '.', '--supplier', 'S')
  expect([directory.code, directory.stderr]).toEqual([
    1,
    '. is a folder; name the file to import.\n',
  ])
  expect((await run('jewelry', 'undo', 'R1')).code).toBe(2)
  expect((await run('jewelry', 'import', 'rings.csv')).code).toBe(2)
})
