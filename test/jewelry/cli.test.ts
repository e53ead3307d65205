import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
})
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

const HEADER = 'Stock Number,Jewelry Type,Jewelry Title,Jewelry Total Price\n'

it('writes rejected rows, and shows past and failed imports', { timeout: 240_000 }, async () => {
  const rows = 'R3,Ring,"Rose, gold",100\nR4,Ring,"A ""b""",ask\n'
  writeFileSync(join(folder, 'more.csv'), HEADER + rows)
  const importing = ['jewelry', 'import', 'more.csv', '--supplier', 'Other'] as const
  const { uuid } = await json(...importing, '--rejected', 'sent.csv')
  const sent = readFileSync(join(folder, 'sent.csv'), 'utf8')
  const reason = '"Row 3, Jewelry Total Price: The price is not a number above zero"'
  expect(sent).toBe(
    'Stock Number,Jewelry Type,Jewelry Title,Jewelry Total Price,Reason\r\n' +
      `R4,Ring,"A ""b""",ask,${reason}\r\n`,
  )
  const shown = await json('jewelry', 'show', uuid, '--rejected', 'again.csv')
  expect(shown).toMatchObject({ uuid, added: 1, rejected: 1 })
  expect(readFileSync(join(folder, 'again.csv'), 'utf8')).toBe(sent)
  writeFileSync(join(folder, 'bad.csv'), 'hello,world\n')
  const failed = await run('jewelry', 'import', 'bad.csv', '--supplier', 'Other')
  expect(failed.stderr).toContain('no header row')
  const [failure] = await json('jewelry', 'imports')
  expect(failure).toMatchObject({ supplier: 'Other', rows: 0, file_name: 'bad.csv' })
  const past = await run('jewelry', 'show', failure.uuid)
  expect(past.stdout).toContain('Status: failed: This is a text file')
  const undone = await run('jewelry', 'undo', failure.uuid)
  expect(undone.stderr).toContain('failed and changed nothing')
})

it('prints, takes, shows and forgets a mapping', { timeout: 240_000 }, async () => {
  writeFileSync(join(folder, 'mapped.csv'), `${HEADER}R1,Ring,Plain ring,100\n`)
  const importing = ['jewelry', 'import', 'mapped.csv', '--supplier', 'Mapped'] as const
  await json(...importing)
  const explained = await json(...importing, '--explain')
  expect(explained).toMatchObject({ 'Stock Number': 'vendor_sku', 'Jewelry Title': 'title' })
  writeFileSync(join(folder, 'm.json'), JSON.stringify({ ...explained, metal: { value: 'gold' } }))
  expect(await json(...importing, '--mapping', 'm.json', '--dry-run')).toMatchObject({ changed: 1 })
  await json('supplier', 'set', 'Mapped', '--jewelry-mapping', 'm.json')
  const shown = await run('supplier', 'show', 'Mapped')
  expect(shown.stdout).toMatch(/files of jewelry[\s\S]*"value": "gold"/)
  await json('supplier', 'set', 'Mapped', '--no-jewelry-mapping')
})

it('imports jewelry, undoes the import and manages catalogues', { timeout: 240_000 }, async () => {
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
