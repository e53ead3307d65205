import { type Selectable, sql } from 'kysely'
import type { Fields } from '../audit/entry-fields.ts'
import { recordEntry } from '../audit/record-entry.ts'
import { isUniqueViolation } from '../database/errors.ts'
import type { Db, Tx } from '../database/open.ts'
import type { CatalogueTable } from '../database/tables/jewelry.ts'
import { logChanges } from '../events/change-log.ts'
import { findNearestName } from '../lib/nearest-name.ts'
import { Refusal } from '../lib/refusal.ts'
import { isUuid, newUuid } from '../lib/uuid.ts'
import { announceProducts, nextVersion } from './showroom/store.ts'

type Catalogue = Omit<Selectable<CatalogueTable>, 'opened_on'>

export interface CatalogueSummary extends Catalogue {
  product_count: number
  /** The merchants it is shared with. */
  merchant_uuids: string[]
}

interface CatalogueChange {
  name?: string
  published?: boolean
  public?: boolean
}

const NAME_LENGTH_MAX = 120

type NewCatalogue = CatalogueChange & { name: string }

/** Every merchant sees the products of a catalogue that is both published and public. */
export async function createCatalogue(tx: Tx, catalogue: NewCatalogue): Promise<CatalogueSummary> {
  const created = await insertCatalogue(tx, catalogue)
  if (created) return created
  throw nameTaken(catalogue.name)
}

/**
 * Two first imports may need the same catalogue at once: the second one waits until the first has
 * committed, and uses what it has made.
 */
export async function findOrCreateCatalogue(
  tx: Tx,
  catalogue: NewCatalogue,
): Promise<CatalogueSummary> {
  const known = await findCatalogue(tx, catalogue.name)
  if (known) return known
  return (await insertCatalogue(tx, catalogue)) ?? getCatalogue(tx, catalogue.name)
}

/** Returns undefined when there is a catalogue of that name. */
async function insertCatalogue(
  tx: Tx,
  { name, ...settings }: NewCatalogue,
): Promise<CatalogueSummary | undefined> {
  const row = { uuid: newUuid(), name: catalogueNameFrom(name), ...settings }
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('catalogue')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 0n) return undefined
  const created = await getCatalogue(tx, row.uuid)
  await recordCatalogue(tx, 'catalogue.create', null, auditedFields(created), created)
  await announceProducts(tx, [])
  return created
}

async function recordCatalogue(
  tx: Tx,
  action: string,
  before: Fields | null,
  after: Fields | null,
  { uuid }: Catalogue,
): Promise<void> {
  await recordEntry(tx, { action, subject: { kind: 'catalogue', id: uuid }, before, after })
}

function auditedFields({ name, published, public: isPublic }: Catalogue) {
  return { name, published, public: isPublic }
}

export async function updateCatalogue(
  tx: Tx,
  nameOrUuid: string,
  change: CatalogueChange,
): Promise<CatalogueSummary> {
  const earlier = await getCatalogue(tx, nameOrUuid)
  const { uuid } = earlier
  const name = change.name === undefined ? {} : { name: catalogueNameFrom(change.name) }
  await refusingTakenName(change.name ?? '', () =>
    tx
      .updateTable('catalogue')
      .set({
        ...change,
        ...name,
        opened_on: openedBy(change),
        updated_on: sql<string>`market_now()`,
      })
      .where('uuid', '=', uuid)
      .execute(),
  )
  const after = await getCatalogue(tx, uuid)
  const fields = [auditedFields(earlier), auditedFields(after)] as const
  await recordCatalogue(tx, 'catalogue.change', ...fields, after)
  await announceContents(tx, uuid)
  return getCatalogue(tx, uuid)
}

/** When the catalogue was opened: now, if the change makes it published and public. */
function openedBy({ published, public: isPublic }: CatalogueChange) {
  const opens = sql`coalesce(${published ?? null}, published)
    and coalesce(${isPublic ?? null}, public) and not (published and public)`
  return sql<string>`case when ${opens} then market_clock() else opened_on end`
}

/**
 * Followers hear of each piece of the catalogue that they see now or no longer see. The showroom's
 * clock is locked first: a transaction that adds a product to the catalogue has committed or comes
 * later.
 */
async function announceContents(tx: Tx, uuid: string): Promise<void> {
  await nextVersion(tx, [])
  const contents = await tx
    .selectFrom('catalogue_product')
    .select('product_id')
    .where('catalogue_uuid', '=', uuid)
    .execute()
  await logChanges(tx, contents)
}

/** Shares a catalogue: the merchant sees it, published or not. Sharing it again does nothing. */
export async function shareCatalogue(
  tx: Tx,
  nameOrUuid: string,
  merchantUuid: string,
): Promise<CatalogueSummary> {
  const catalogue = await getCatalogue(tx, nameOrUuid)
  const { uuid } = catalogue
  await tx
    .insertInto('catalogue_merchant')
    .values({ catalogue_uuid: uuid, merchant_uuid: merchantUuid })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await recordShare(tx, 'catalogue.share', catalogue, merchantUuid)
  await announceContents(tx, uuid)
  return getCatalogue(tx, uuid)
}

export async function unshareCatalogue(
  tx: Tx,
  nameOrUuid: string,
  merchantUuid: string,
): Promise<CatalogueSummary> {
  const catalogue = await getCatalogue(tx, nameOrUuid)
  const { uuid } = catalogue
  await tx
    .deleteFrom('catalogue_merchant')
    .where('catalogue_uuid', '=', uuid)
    .where('merchant_uuid', '=', merchantUuid)
    .execute()
  await recordShare(tx, 'catalogue.unshare', catalogue, merchantUuid)
  await announceContents(tx, uuid)
  return getCatalogue(tx, uuid)
}

/** The merchant reads of it, and nothing of the others. */
async function recordShare(
  tx: Tx,
  action: string,
  { uuid, name }: Catalogue,
  merchant_uuid: string,
): Promise<void> {
  const subject = { kind: 'catalogue', id: uuid }
  await recordEntry(tx, { action, subject, merchant_uuid, after: { name, merchant_uuid } })
}

/** Adds products and removes others; a product may be in several catalogues. */
export async function changeCatalogueProducts(
  tx: Tx,
  nameOrUuid: string,
  { add, remove }: { add: readonly string[]; remove: readonly string[] },
): Promise<CatalogueSummary> {
  const catalogue = await getCatalogue(tx, nameOrUuid)
  const { uuid } = catalogue
  await refuseUnknownProducts(tx, [...add, ...remove])
  if (remove.length > 0) {
    await tx
      .deleteFrom('catalogue_product')
      .where('catalogue_uuid', '=', uuid)
      .where('product_id', 'in', remove)
      .execute()
  }
  await addToCatalogue(tx, uuid, add)
  await recordCatalogue(tx, 'catalogue.products', null, { add, remove }, catalogue)
  await announceProducts(tx, [...add, ...remove])
  return getCatalogue(tx, uuid)
}

/** Adds products to a catalogue. The caller must announce them. */
export async function addToCatalogue(
  tx: Tx,
  uuid: string,
  productIds: readonly string[],
): Promise<void> {
  await sql`
    insert into catalogue_product (catalogue_uuid, product_id)
    select ${uuid}::uuid, product_id from unnest(${[...productIds]}::uuid[]) as added (product_id)
    on conflict do nothing`.execute(tx)
}

/** Lists all catalogues by name; there are tens of them. */
export function listCatalogues(db: Db | Tx): Promise<CatalogueSummary[]> {
  return summaries(db).execute()
}

async function findCatalogue(
  db: Db | Tx,
  nameOrUuid: string,
): Promise<CatalogueSummary | undefined> {
  const named = isUuid(nameOrUuid)
    ? summaries(db).where('uuid', '=', nameOrUuid)
    : summaries(db).where(sql`lower(name)`, '=', nameOrUuid.trim().toLowerCase())
  return named.executeTakeFirst()
}

export async function getCatalogue(db: Db | Tx, nameOrUuid: string): Promise<CatalogueSummary> {
  const catalogue = await findCatalogue(db, nameOrUuid)
  if (catalogue) return catalogue
  const known = await db.selectFrom('catalogue').select('name').execute()
  const nearest = findNearestName(
    nameOrUuid,
    known.map(({ name }) => name),
  )
  const hint = nearest ? ` Did you mean ${JSON.stringify(nearest)}?` : ''
  throw new Refusal('not_found', `There is no catalogue ${JSON.stringify(nameOrUuid)}.${hint}`)
}

function summaries(db: Db | Tx) {
  return db
    .selectFrom('catalogue')
    .select(['uuid', 'name', 'published', 'public', 'created_on', 'updated_on'])
    .select([
      sql<number>`(select count(*) from catalogue_product
        where catalogue_uuid = catalogue.uuid)`.as('product_count'),
      sql<string[]>`array(select merchant_uuid::text from catalogue_merchant
        where catalogue_uuid = catalogue.uuid order by shared_on, merchant_uuid)`.as(
        'merchant_uuids',
      ),
    ])
    .orderBy(sql`lower(name)`)
}

async function refuseUnknownProducts(tx: Tx, productIds: readonly string[]): Promise<void> {
  if (productIds.length === 0) return
  const malformed = productIds.find((id) => !isUuid(id))
  if (malformed !== undefined) throw new Refusal('not_found', `There is no product ${malformed}.`)
  const known = await tx
    .selectFrom('product')
    .select('id')
    .where('id', 'in', [...productIds])
    .execute()
  const ids = new Set(known.map(({ id }) => id))
  const missing = productIds.find((id) => !ids.has(id.toLowerCase()))
  if (missing) throw new Refusal('not_found', `There is no product ${missing}.`)
}

function catalogueNameFrom(typed: string): string {
  const name = typed.trim().replaceAll(/\s+/g, ' ')
  if (name !== '' && name.length <= NAME_LENGTH_MAX && !isUuid(name)) return name
  const message = `must have 1 to ${NAME_LENGTH_MAX} characters and must not be a UUID`
  throw new Refusal('invalid_request', `name ${message}.`, { errors: [{ field: 'name', message }] })
}

async function refusingTakenName<T>(name: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (isUniqueViolation(error, 'catalogue_name')) throw nameTaken(name)
    throw error
  }
}

function nameTaken(name: string): Refusal {
  return new Refusal('catalogue_name_taken', `A catalogue named ${name} already exists.`)
}
