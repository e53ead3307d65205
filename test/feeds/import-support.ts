import { sql } from 'kysely'
import { type Database, openDatabase } from '../../src/database/open.ts'
import { numberChanges } from '../../src/events/number-changes.ts'
import type { ImportReport, ImportRequest } from '../../src/feeds/importing/report.ts'
import { runImport } from '../../src/feeds/importing/run-import.ts'
import { cloneDatabase } from '../support/database.ts'
import { inPieces } from './feed-support.ts'

export interface Stone {
  stock: string
  weight: number
  perCarat: number
  color?: string
  clarity?: string
  shape?: string
  availability?: string
  stones?: number
}

/** A plain feed of the given stones. */
export function csvOf(stones: Stone[]): string {
  const rows = stones.map((stone) =>
    [
      stone.stock,
      stone.availability ?? 'G',
      stone.shape ?? 'Round',
      stone.weight,
      stone.color ?? 'G',
      stone.clarity ?? 'VS1',
      stone.perCarat,
      stone.stones ?? '',
    ].join(','),
  )
  return `Stock #,Availability,Shape,Weight,Color,Clarity,Price Per Carat,Parcel Stones\n${rows.join('\n')}\n`
}

export function stones(
  count: number,
  change: (stone: Stone, index: number) => Stone = (stone) => stone,
): Stone[] {
  return Array.from({ length: count }, (_, index) =>
    change(
      {
        stock: `S-${index + 1}`,
        weight: 0.5 + (index % 20) / 10,
        perCarat: 3_000 + (index % 50) * 10,
      },
      index,
    ),
  )
}

export interface ImportMarket {
  database: Database
  url: string
  run(content: string | Uint8Array, request?: Partial<ImportRequest>): Promise<ImportReport>
  /** Returns every stored gem by stock number, without fields that differ between runs. */
  gems(): Promise<Record<string, unknown>[]>
  /** Returns the change log after a sequence number, as `kind sku`. */
  log(after?: number): Promise<string[]>
  gem(vendorSku: string): Promise<Record<string, unknown>>
  close(): Promise<void>
}

/** Undoing an import is a change: merchants must find the stones by `updated_since`. */
export function withoutTime(gems: readonly Record<string, unknown>[]): Record<string, unknown>[] {
  return gems.map(({ updated_on: _, ...gem }) => gem)
}

export async function openImportMarket(): Promise<ImportMarket> {
  const clone = await cloneDatabase()
  const database = openDatabase({ url: clone.url })
  const { db } = database
  return {
    database,
    url: clone.url,
    run: (content, request = {}) =>
      runImport(database, {
        supplier: 'Gems Ltd',
        mode: 'update',
        bytes: inPieces(typeof content === 'string' ? Buffer.from(content) : content, 65_536),
        ...request,
      }),
    async gems() {
      const { rows } = await sql<{ gem: Record<string, unknown> }>`
        select to_jsonb(gem) as gem from gem order by supplier_id, vendor_sku`.execute(db)
      return rows.map(({ gem }) => gem)
    },
    async log(after = 0) {
      await numberChanges(db)
      const { rows } = await sql<{ entry: string }>`
        select kind || ' ' || coalesce(gem.vendor_sku, change.sku) as entry from change left join gem on gem.id = change.gem_id
        where sequence > ${after} order by sequence`.execute(db)
      return rows.map(({ entry }) => entry)
    },
    async gem(vendorSku) {
      const { rows } = await sql<Record<string, unknown>>`
        select * from gem where vendor_sku = ${vendorSku}`.execute(db)
      if (!rows[0]) throw new Error(`no gem ${vendorSku}`)
      return rows[0]
    },
    async close() {
      await database.close()
      await clone.drop()
    },
  }
}
