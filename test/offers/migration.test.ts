import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { migrate } from '../../src/database/migrate.ts'
import { openDatabase } from '../../src/database/open.ts'
import { emptyDatabase } from '../support/database.ts'
import { insertStone } from '../support/stones.ts'

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))

it('a market with double listings and a double sale gets the rule, and followers hear it', async () => {
  const empty = await emptyDatabase()
  const database = openDatabase({ url: empty.url, poolMax: 4 })
  const folder = await mkdtemp(join(tmpdir(), 'pavilion-migrations-'))
  try {
    const { db } = database
    const files = (await readdir(MIGRATIONS)).filter((name) => /^\d/.test(name)).sort()
    const copy = (name: string) => copyFile(join(MIGRATIONS, name), join(folder, name))
    const at = files.findIndex((name) => name.startsWith('0017'))
    for (const name of files.slice(0, at)) await copy(name)
    await migrate(db, folder)
    const listed = { lab: 'GIA', cert_num: '2201234567' } as const
    await insertStone(db, listed)
    const cheap = await insertStone(db, {
      ...listed,
      cert_num: '220-1234567',
      wholesale_price: 900,
    })
    const sold = { lab: 'IGI', cert_num: 'LG1', state: 'sold', quantity: 0 } as const
    await insertStone(db, sold)
    await insertStone(db, sold)
    await insertStone(db, { lab: 'IGI', cert_num: 'LG1' })
    for (const name of files.slice(at)) await copy(name)
    await migrate(db, folder)
    const offers = await db.selectFrom('offer').select(['gem_id', 'leads', 'leads_us']).execute()
    expect(offers.filter(({ leads }) => leads).map(({ gem_id }) => gem_id)).toEqual([cheap.id])
    expect(offers.filter(({ leads_us }) => leads_us)).toHaveLength(1)
    const apart = await db.selectFrom('gem').select('id').where('apart', '=', true).execute()
    expect(apart).toHaveLength(1)
    const { rows } = await sql<{ entry: string }>`
      select kind || coalesce(' ' || price_list, '') as entry from change order by 1`.execute(db)
    expect(rows.map(({ entry }) => entry)).toEqual(['gone default', 'gone us', 'sold'])
  } finally {
    await database.close()
    await empty.drop()
    await rm(folder, { recursive: true })
  }
})
