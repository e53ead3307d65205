import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { recordEntry } from '../../audit/record-entry.ts'
import type { Db, Tx } from '../../database/open.ts'
import { PAPERS, type Paper, type Seller } from '../../documents/content.ts'
import { readPicture } from '../../documents/image.ts'
import { type Renderer, tryLogo } from '../../documents/renderer.ts'
import { Refusal } from '../../lib/refusal.ts'

interface TextSetting {
  description: string
  example: string
  lengthMax: number
  linesMax: number
}

/** The lengths are those that a page has space for. */
const TEXTS = {
  'seller.name': {
    description: 'Name of the seller on every document',
    example: 'Demo Gems',
    lengthMax: 120,
    linesMax: 1,
  },
  'seller.address': {
    description: 'Address of the seller',
    example: '48 Market Street\nNew York, NY 10036\nUnited States',
    lengthMax: 400,
    linesMax: 6,
  },
  'seller.tax_number': {
    description: 'Tax number of the seller',
    example: 'US 98-7654321',
    lengthMax: 60,
    linesMax: 1,
  },
  'seller.bank': {
    description: 'Where invoices are paid to',
    example: 'Example Bank\nAccount 000123456\nSWIFT EXAMUS33',
    lengthMax: 400,
    linesMax: 8,
  },
  'document.memo_terms': {
    description: 'Terms on every memo, in place of the usual ones',
    example: 'The goods remain the property of the seller until they are invoiced.',
    lengthMax: 4000,
    linesMax: 40,
  },
  'document.invoice_note': {
    description: 'Text at the end of every invoice',
    example: 'Thank you for your order.',
    lengthMax: 2000,
    linesMax: 20,
  },
} as const satisfies Record<string, TextSetting>

type TextName = keyof typeof TEXTS
export type SettingName = TextName | 'seller.logo' | 'document.paper'

export const TEXT_SETTINGS: ReadonlyMap<string, TextSetting> = new Map(Object.entries(TEXTS))
export const SETTING_NAMES: readonly SettingName[] = [
  'seller.name',
  'seller.address',
  'seller.tax_number',
  'seller.bank',
  'seller.logo',
  'document.paper',
  'document.memo_terms',
  'document.invoice_note',
]

export function isSettingName(name: string): name is SettingName {
  return SETTING_NAMES.some((known) => known === name)
}

/** A value as it is given: a text, or the bytes of the logo. Null clears the setting. */
export type SettingValue = string | Buffer | null
export type Settings = Record<SettingName, SettingValue>

/** A logo of this size prints sharply; every document contains it. */
export const LOGO_BYTES_MAX = 256 * 1024
const LOGO_PIXELS_MAX = 1200

/** All settings; null for those that are not set. */
export async function readSettings(db: Db | Tx): Promise<Settings> {
  const { rows } = await sql<{ name: string; value: string; picture: Buffer | null }>`
    select name, value, picture from setting
    left join logo on name = 'seller.logo' and sha256 = value`.execute(db)
  const stored = new Map(rows.map(({ name, value, picture }) => [name, picture ?? value]))
  const entries = SETTING_NAMES.map((name) => [name, stored.get(name) ?? null])
  return Object.fromEntries(entries) as Settings
}

/** Changes the given settings, all or none. */
export async function changeSettings(
  tx: Tx,
  changes: ReadonlyMap<SettingName, SettingValue>,
): Promise<Settings> {
  const earlier = await readSettings(tx)
  for (const [name, value] of changes) {
    if (value === null) await tx.deleteFrom('setting').where('name', '=', name).execute()
    else await storeSetting(tx, name, Buffer.isBuffer(value) ? await storeLogo(tx, value) : value)
  }
  const settings = await readSettings(tx)
  await recordEntry(tx, {
    action: 'settings.change',
    subject: { kind: 'settings', id: 'market' },
    before: auditedFields(earlier),
    after: auditedFields(settings),
  })
  return settings
}

/** A picture is too long for the audit; another one has another sum. */
function auditedFields(settings: Settings) {
  const shown = Object.entries(settings).map(([name, value]) => [
    name,
    Buffer.isBuffer(value) ? `picture ${sumOf(value).slice(0, 12)}` : value,
  ])
  return Object.fromEntries(shown)
}

function sumOf(picture: Buffer): string {
  return createHash('sha256').update(picture).digest('hex')
}

async function storeSetting(tx: Tx, name: SettingName, value: string): Promise<void> {
  await tx
    .insertInto('setting')
    .values({ name, value })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ value, updated_on: sql`market_now()` }),
    )
    .execute()
}

async function storeLogo(tx: Tx, picture: Buffer): Promise<string> {
  const sha256 = sumOf(picture)
  await tx
    .insertInto('logo')
    .values({ sha256, picture })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return sha256
}

/**
 * Returns the value as it is stored: line ends are `\n`, without space at the ends. A logo is drawn
 * once, because a document that was issued with a broken one could never be drawn.
 */
export async function checkSetting(
  name: SettingName,
  value: SettingValue,
  renderer: Renderer,
): Promise<SettingValue> {
  if (value === null) return null
  if (name === 'seller.logo') return checkLogo(value, renderer)
  const text = String(value).replaceAll('\r\n', '\n').trim()
  if (name === 'document.paper') return checkPaper(text)
  const { lengthMax, linesMax } = TEXTS[name]
  if (text === '') throw wrongValue(name, 'must not be empty; clear it instead')
  if (text.length > lengthMax) throw wrongValue(name, `has more than ${lengthMax} characters`)
  if (text.split('\n').length > linesMax) {
    throw wrongValue(name, linesMax === 1 ? 'must be one line' : `has more than ${linesMax} lines`)
  }
  if (/[^\P{Cc}\n]/u.test(text)) {
    throw wrongValue(name, 'must not contain control characters')
  }
  return text
}

function checkPaper(text: string): Paper {
  const paper = PAPERS.find((each) => each === text.toLowerCase())
  if (paper) return paper
  throw wrongValue('document.paper', `must be one of: ${PAPERS.join(', ')}`)
}

async function checkLogo(value: string | Buffer, renderer: Renderer): Promise<Buffer> {
  const wrong = (message: string) => wrongValue('seller.logo', message)
  if (!Buffer.isBuffer(value)) throw wrong('must be a picture')
  if (value.length > LOGO_BYTES_MAX) throw wrong(`is larger than ${LOGO_BYTES_MAX / 1024} KiB`)
  const picture = readPicture(value)
  if (!picture) throw wrong('must be a PNG or JPEG file')
  const { width, height } = picture
  if (Math.max(width, height) > LOGO_PIXELS_MAX || Math.min(width, height) < 1) {
    throw wrong(`must have 1 to ${LOGO_PIXELS_MAX} pixels each way, and has ${width} x ${height}`)
  }
  try {
    await tryLogo(renderer, value)
  } catch {
    throw wrong('is damaged: it could not be drawn')
  }
  return value
}

function wrongValue(name: SettingName, message: string): Refusal {
  return new Refusal('invalid_request', `${name} ${message}.`, {
    errors: [{ field: name, message }],
  })
}

/** What a document prints of the settings. */
export interface DocumentSettings {
  seller: Seller
  paper: Paper
  memo_terms: string
  invoice_note: string
}

/** The usual paper of the seller is A4 unless it is set. */
export async function readDocumentSettings(tx: Tx): Promise<DocumentSettings> {
  const rows = await tx.selectFrom('setting').select(['name', 'value']).execute()
  const values = new Map<string, string>(rows.map(({ name, value }) => [name, value]))
  const text = (name: SettingName) => values.get(name) ?? ''
  const lines = (name: SettingName) => text(name).split('\n').filter(Boolean)
  return {
    seller: {
      name: text('seller.name'),
      address: lines('seller.address'),
      tax_number: text('seller.tax_number'),
      bank: lines('seller.bank'),
      logo: values.get('seller.logo') ?? null,
    },
    paper: text('document.paper') === 'letter' ? 'letter' : 'a4',
    memo_terms: text('document.memo_terms'),
    invoice_note: text('document.invoice_note'),
  }
}
