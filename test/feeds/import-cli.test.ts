import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ClonedDatabase, cloneDatabase } from '../support/database.ts'
import { csvOf, stones } from './import-support.ts'

let database: ClonedDatabase
let folder: string
beforeAll(async () => {
  database = await cloneDatabase()
  folder = await mkdtemp(join(tmpdir(), 'pavilion-cli-'))
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

function pavilion(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { ...process.env, DATABASE_URL: database.url, PAVILION_DATA: folder }
  return runWith(env, ...args)
}

function runWith(
  env: NodeJS.ProcessEnv,
  ...args: string[]
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['bin/pavilion', ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr })
    })
  })
}

async function fileOf(name: string, content: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}

describe('pavilion import', () => {
  it('imports, lists and undoes, and prints the specified JSON', async () => {
    const path = await fileOf(
      'stock.csv',
      `${csvOf(stones(5)).trimEnd()}\nS-9,G,Blob,1,G,VS1,3000,\n`,
    )
    const first = await pavilion('import', path, '--supplier', 'Surat Gems', '--json')
    expect(first.code).toBe(0)
    const report = JSON.parse(first.stdout)
    expect(report).toMatchObject({
      uuid: expect.any(String),
      supplier: 'Surat Gems',
      mode: 'update',
      rows: 6,
      added: 5,
      changed: 0,
      unchanged: 0,
      removed: 0,
      rejected: 1,
      rejections: [{ row: 7, column: 'Shape', value: 'Blob', reason: 'The shape is not known' }],
      mapping: { Weight: 'weight' },
      unmapped: [],
    })
    const dry = await pavilion(
      'import',
      path,
      '--supplier',
      'Surat Gems',
      '--mode',
      'replace',
      '--dry-run',
    )
    expect(dry.stdout).toContain('Dry run for Surat Gems: nothing was changed.')
    const history = JSON.parse((await pavilion('imports', '--json')).stdout)
    expect(history).toMatchObject([{ uuid: report.uuid, status: 'done', added: 5 }])
    expect((await pavilion('import', 'undo', report.uuid)).code).toBe(0)
    expect((await pavilion('import', 'undo', report.uuid)).code).toBe(1)
  })

  it('exits 2 on wrong usage and 1 on a refusal', async () => {
    const path = await fileOf('few.csv', csvOf(stones(4)))
    expect((await pavilion('import', path)).code).toBe(2)
    expect((await pavilion('import', path, '--supplier', 'X', '--mode', 'merge')).code).toBe(2)
    expect((await pavilion('import', path, '--supplier', 'X', '--max-removed', 'much')).code).toBe(
      2,
    )
    const absent = await pavilion('import', join(folder, 'none.csv'), '--supplier', 'X')
    expect(absent).toMatchObject({ code: 1, stdout: '' })
    expect(absent.stderr.trim()).toMatch(/^Cannot read .*none\.csv: the file does not exist\.$/)
    const directory = await pavilion('import', folder, '--supplier', 'X')
    expect(directory).toMatchObject({ code: 1, stdout: '' })
    expect(directory.stderr).toContain('is a folder; name the file to import.')
    await pavilion('import', path, '--supplier', 'Brake')
    const refused = await pavilion(
      'import',
      await fileOf('one.csv', csvOf(stones(1))),
      '--supplier',
      'Brake',
      '--mode',
      'replace',
    )
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain('more than the allowed 40%')
    const allowed = await pavilion(
      'import',
      join(folder, 'one.csv'),
      '--supplier',
      'Brake',
      '--mode',
      'replace',
      '--max-removed',
      '80%',
      '--json',
    )
    expect(JSON.parse(allowed.stdout)).toMatchObject({ removed: 3, unchanged: 1 })
  })

  it('exits 2 for invalid values and 1 for an unknown supplier', async () => {
    const wrong = [
      ['supplier', 'create', 'W', '--markup', 'abc'],
      ['supplier', 'set', 'W'],
      ['fx', 'set', 'EUR', 'abc'],
      ['fx', 'set', 'EURO', '0.9'],
      ['import', 'undo', 'nonsense'],
      ['token', 'create', '--type', 'api_key'],
      ['merchant', 'create', '--email', 'bad', '--legal-dba', 'Shop', '--country', 'US'],
    ]
    for (const args of wrong) expect([args, (await pavilion(...args)).code]).toEqual([args, 2])
    expect(await pavilion('imports', '--supplier', 'Typo')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no supplier "Typo"'),
    })
  })

  it('uses a mapping file and saves it for the supplier', async () => {
    const path = await fileOf('odd.csv', csvOf(stones(4)).replace('Weight', 'Gewicht'))
    const mapping = await fileOf('mapping.json', '{"Gewicht": "weight"}')
    expect((await pavilion('import', path, '--supplier', 'Odd')).code).toBe(1)
    expect((await pavilion('import', path, '--supplier', 'Odd', '--mapping', mapping)).code).toBe(0)
    const again = await pavilion('import', path, '--supplier', 'Odd', '--json')
    expect(JSON.parse(again.stdout)).toMatchObject({ unchanged: 4, mapping: { Gewicht: 'weight' } })
  })
})

describe('pavilion import --explain', () => {
  it('prints a mapping that imports the file, which the supplier shows and forgets', async () => {
    const text = csvOf(stones(4)).replace('Shape', 'Form').replaceAll('Round', 'Kreis')
    const path = await fileOf('form.csv', text)
    const args = ['import', path, '--supplier', 'Explained'] as const
    const refused = await pavilion(...args)
    expect(refused.stderr).toMatch(/No column was recognized as shape.*--explain.*--mapping/)
    const { code, stdout } = await pavilion(...args, '--explain')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      Weight: 'weight',
      Form: { field: null, note: expect.stringContaining('"Kreis"') },
    })
    expect((await pavilion('supplier', 'show', 'Explained')).code).toBe(1)
    const own = { ...JSON.parse(stdout), Form: { field: 'shape', values: { kreis: 'round' } } }
    const mapping = await fileOf('form.json', JSON.stringify(own))
    const report = await pavilion(...args, '--mapping', mapping, '--json')
    expect(JSON.parse(report.stdout)).toMatchObject({ added: 4, mapping: { Form: 'shape' } })
    const shown = await pavilion('supplier', 'show', 'Explained')
    expect(shown.stdout).toMatch(/which --mapping replaces:\n\{[\s\S]*"kreis": "round"/)
    await pavilion('supplier', 'set', 'Explained', '--no-mapping')
    expect((await pavilion('supplier', 'show', 'Explained')).stdout).not.toContain('kreis')
    await pavilion('supplier', 'set', 'Explained', '--mapping', mapping)
    expect((await pavilion('supplier', 'show', 'Explained')).stdout).toContain('kreis')
  })

  it('refuses a mapping that is not JSON, does not exist or has faults', async () => {
    const path = await fileOf('plain.csv', csvOf(stones(2)))
    const run = async (content: string) =>
      pavilion('import', path, '--supplier', 'X', '--mapping', await fileOf('m.json', content))
    expect((await run('{"A": ')).stderr).toMatch(/m\.json is not valid JSON: Unexpected end/)
    expect((await run('{"Weight": "wieght"}')).stderr).toBe(
      'The mapping is not understood.\n' +
        '  mapping.Weight: wieght is not a known field; did you mean weight?\n',
    )
    const absent = await pavilion('import', path, '--supplier', 'X', '--mapping', 'no.json')
    expect(absent.stderr).toBe('Cannot read the mapping no.json: the file does not exist.\n')
  })
})

describe('pavilion import show', () => {
  it('shows a past import, and writes its rejected rows to a file like the import', async () => {
    const [head, ...rows] = csvOf(stones(60)).trimEnd().split('\n')
    rows[4] = 'S-5,G,Blob,1.5,G,VS1,3000,'
    rows[30] = 'S-31,G,Round,1.5,G,VS1,30,'
    const lines = rows.map((row, at) => `${row},"a ""note"", ${at}",`)
    const content = `${[`${head},Mood,Blank`, ...lines].join('\n')}\n`
    const path = await fileOf('show.csv', content)
    const [written, again] = [join(folder, 'rejected.csv'), join(folder, 'again.csv')]
    const args = ['import', path, '--supplier', 'Shown', '--rejected']
    const first = JSON.parse((await pavilion(...args, written, '--json')).stdout)
    expect(first).toMatchObject({ added: 58, rejected: 2, quarantined: 1 })
    const csv = await readFile(written, 'utf8')
    const [title, blob, cheap] = csv.split('\r\n')
    expect(title).toBe(`${head},Mood,Blank,Reason`)
    expect(blob).toMatch(/^S-5,G,Blob,1\.5,G,VS1,3000,,"a ""note"", 4",,"Row 6, Shape: The shape/)
    expect(cheap).toMatch(
      /^S-31,G,Round,1\.5,G,VS1,30,,"a ""note"", 30",,"Row 32, Price Per Carat:/,
    )
    const shown = await pavilion('import', 'show', first.uuid, '--json', '--rejected', again)
    expect(JSON.parse(shown.stdout)).toMatchObject({ ...first, status: 'done' })
    expect(await readFile(again, 'utf8')).toBe(csv)
    const text = (await pavilion('import', 'show', first.uuid)).stdout
    expect(text).toContain('60 rows: 58 added')
    expect(text).toMatch(/Columns to look at:\n {2}Mood: not used, though 100% of the values/)
    expect(text).not.toContain('Blank')
  })

  it('writes rejected rows so that a spreadsheet runs none of their cells', async () => {
    const [head, ...rows] = csvOf(stones(10)).trimEnd().split('\n')
    const notes = ["=cmd|'/c calc'!A0", '@SUM(1)', '-2+cmd', '-30.5%', '-']
    const lines = rows.map(
      (row, at) => `${at < 5 ? row.replace('Round', 'Blob') : row},${notes[at] ?? ''}`,
    )
    const path = await fileOf('formulas.csv', `${[`${head},Note`, ...lines].join('\n')}\n`)
    const written = join(folder, 'formulas-rejected.csv')
    await pavilion('import', path, '--supplier', 'Formulas', '--rejected', written)
    const cells = (await readFile(written, 'utf8')).split('\r\n').slice(1, 6)
    const at = head.split(',').length
    expect(cells.map((line) => line.split(',')[at])).toEqual([
      "'=cmd|'/c calc'!A0",
      "'@SUM(1)",
      "'-2+cmd",
      '-30.5%',
      '-',
    ])
  })
})

describe('an error with --json', () => {
  it('is JSON on stdout with its code, and the message stays on stderr', async () => {
    const unknown = await pavilion('supplier', 'set', 'Nobody', '--markup', '1', '--json')
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('no supplier') })
    expect(JSON.parse(unknown.stdout)).toMatchObject({
      error: {
        code: 'not_found',
        detail: expect.stringContaining('There is no supplier "Nobody"'),
      },
    })
    const unsure = await fileOf('unsure.csv', csvOf(stones(8)).replace('Price Per Carat', 'Price'))
    const asked = await pavilion('import', unsure, '--supplier', 'Unsure', '--json')
    expect(JSON.parse(asked.stdout)).toMatchObject({
      error: { code: 'import_unsure', questions: [{ about: 'price' }] },
    })
  })

  it('is JSON for wrong usage as well, which exits 2', async () => {
    const wrong = [
      ['import', 'x.csv', '--json'],
      ['imports', '--json', '--colour'],
      ['import', 'undo', 'nonsense', '--json'],
      ['token', 'create', '--type', 'api_key', '--json'],
      ['nonsense', '--json'],
      ['inventory', '--json'],
    ]
    for (const args of wrong) {
      const { code, stdout } = await pavilion(...args)
      expect([args, code]).toEqual([args, 2])
      expect(JSON.parse(stdout)).toEqual({
        error: { code: 'wrong_usage', detail: expect.stringMatching(/^[^(].*\w/) },
      })
    }
  })

  it('is JSON for wrong settings and a database that is away', async () => {
    const settings = { ...process.env, PAVILION_DATA: folder, PORT: 'many' }
    const misset = await runWith(settings, 'imports', '--json')
    expect([misset.code, JSON.parse(misset.stdout).error.code]).toEqual([1, 'invalid_settings'])
    const away = { ...process.env, DATABASE_URL: 'postgres://127.0.0.1:1/none' }
    const absent = await runWith({ ...away, PAVILION_DATA: folder }, 'imports', '--json')
    expect([absent.code, JSON.parse(absent.stdout).error.code]).toEqual([1, 'database_away'])
  })
})

describe('pavilion supplier', () => {
  it('creates, changes and lists', async () => {
    const made = await pavilion(
      'supplier',
      'create',
      'North',
      '--markup',
      '4.5',
      '--markup-us',
      '6',
      '--country',
      'ind',
      '--si3',
      'I1',
      '--json',
    )
    expect(JSON.parse(made.stdout)).toMatchObject({
      name: 'North',
      markup: 4.5,
      markup_us: 6,
      country_code: 'IND',
      si3: 'I1',
    })
    const set = await pavilion(
      'supplier',
      'set',
      'North',
      '--fresh-days',
      'off',
      '--no-returnable',
      '--delivery-days',
      '2-9',
      '--json',
    )
    expect(JSON.parse(set.stdout)).toMatchObject({
      fresh_days: null,
      returnable: false,
      delivery_days_min: 2,
      delivery_days_max: 9,
      markup: 4.5,
    })
    const list = JSON.parse((await pavilion('supplier', 'list', '--json')).stdout)
    expect(list.map(({ name }: { name: string }) => name)).toContain('North')
    expect((await pavilion('supplier', 'set', 'Nroth', '--markup', '1')).stderr).toContain(
      'Did you mean "North"',
    )
    expect((await pavilion('inventory', 'conflicts', '--json')).stdout.trim()).toBe('[]')
  })
})
