import { type Selectable, sql } from 'kysely'
import { recordEntry } from '../audit/record-entry.ts'
import type { Db, Tx } from '../database/open.ts'
import type { TemplateTable } from '../database/tables/merchants.ts'
import { Refusal } from '../lib/refusal.ts'
import { newUuid } from '../lib/uuid.ts'
import { type GradeName, PREDEFINED_TEMPLATES } from '../reference/defaults.ts'
import { limitOf, limitRefusal, MERCHANT_LIMITS } from '../reference/merchant-limits.ts'
import { lockMerchant } from './merchant-store.ts'

type OwnTemplate = Selectable<TemplateTable>

/** A template as merchants see it: their own, or a predefined one, which has no owner. */
export interface Template {
  uuid: string
  merchant_uuid: string | null
  group: string
  position: number
  label: string
  color: string
  clarity: string
  grade_name: GradeName
  order: string | null
}

interface NewTemplate {
  group: string
  label: string
  color: string
  clarity: string
  grade_name: GradeName
  /** After the last of its group when it is not given. */
  position?: number
  /** A word for the merchant's own use. */
  order?: string | null
}

/** The merchant's own templates by group and position. */
export function listOwnTemplates(db: Db, merchantUuid: string): Promise<OwnTemplate[]> {
  return listTemplatesOf(db, [merchantUuid])
}

/** The own templates of several merchants, by group and position. */
export function listTemplatesOf(db: Db, merchantUuids: readonly string[]): Promise<OwnTemplate[]> {
  return db
    .selectFrom('merchant_template')
    .selectAll()
    .where('merchant_uuid', '=', sql<string>`any(${merchantUuids}::uuid[])`)
    .orderBy('group')
    .orderBy('position')
    .limit(MERCHANT_LIMITS.max_templates.highest * merchantUuids.length)
    .execute()
}

/** The predefined templates first, then the merchant's own. */
export async function listTemplates(db: Db, merchantUuid: string): Promise<Template[]> {
  return [...PREDEFINED_TEMPLATES, ...(await listOwnTemplates(db, merchantUuid))]
}

/** Predefined templates have names in capital letters, and own ones a UUID in any case. */
export function isNamedBy({ uuid }: Template, name: string): boolean {
  return uuid === name || uuid === name.toLowerCase()
}

/** One of the merchant's own templates, or a predefined one. */
export async function getTemplate(
  db: Db | Tx,
  merchantUuid: string,
  uuid: string,
): Promise<Template> {
  const template = (await listTemplates(db, merchantUuid)).find((each) => isNamedBy(each, uuid))
  if (!template) throw new Refusal('not_found', `There is no template ${uuid}.`)
  return template
}

export async function addTemplate(
  tx: Tx,
  merchantUuid: string,
  template: NewTemplate,
): Promise<OwnTemplate> {
  const limit = limitOf(await lockMerchant(tx, merchantUuid), 'max_templates')
  const own = await listOwnTemplates(tx, merchantUuid)
  const used = own.length
  if (used >= limit) {
    const advice = 'Remove one that is not in use'
    throw limitRefusal('template_limit', { name: 'max_templates', limit, used, advice })
  }
  const position = template.position ?? lastPosition(own, template.group) + 1
  refuseTaken(own, template.group, position)
  const added = await tx
    .insertInto('merchant_template')
    .values({ ...template, position, uuid: newUuid(), merchant_uuid: merchantUuid })
    .returningAll()
    .executeTakeFirstOrThrow()
  await recordTemplate(tx, 'template.create', null, added)
  return added
}

/** Changes a template of the merchant. In a new group it comes last, unless a position is given. */
export async function changeTemplate(
  tx: Tx,
  merchantUuid: string,
  uuid: string,
  change: Partial<NewTemplate>,
): Promise<OwnTemplate> {
  await lockMerchant(tx, merchantUuid)
  const own = await listOwnTemplates(tx, merchantUuid)
  const template = getOwn(own, uuid)
  const others = own.filter((other) => other !== template)
  const group = change.group ?? template.group
  const stays = group === template.group
  const position = change.position ?? (stays ? template.position : lastPosition(others, group) + 1)
  refuseTaken(others, group, position)
  const changed = await tx
    .updateTable('merchant_template')
    .set({ ...change, group, position })
    .where('uuid', '=', uuid)
    .returningAll()
    .executeTakeFirstOrThrow()
  await recordTemplate(tx, 'template.change', template, changed)
  return changed
}

export async function removeTemplate(tx: Tx, merchantUuid: string, uuid: string): Promise<void> {
  await lockMerchant(tx, merchantUuid)
  const template = getOwn(await listOwnTemplates(tx, merchantUuid), uuid)
  await tx.deleteFrom('merchant_template').where('uuid', '=', uuid).execute()
  await recordTemplate(tx, 'template.remove', template, null)
}

async function recordTemplate(
  tx: Tx,
  action: string,
  before: OwnTemplate | null,
  after: OwnTemplate | null,
): Promise<void> {
  const { uuid = '', merchant_uuid } = after ?? before ?? {}
  await recordEntry(tx, {
    action,
    subject: { kind: 'template', id: uuid },
    merchant_uuid,
    before,
    after,
  })
}

function getOwn(own: readonly OwnTemplate[], uuid: string): OwnTemplate {
  if (PREDEFINED_TEMPLATES.some((template) => template.uuid === uuid)) {
    const detail = `${uuid} is predefined and cannot be changed; add a template of your own.`
    throw new Refusal('forbidden', detail)
  }
  const template = own.find((row) => row.uuid === uuid.toLowerCase())
  if (!template) throw new Refusal('not_found', `There is no template ${uuid}.`)
  return template
}

function lastPosition(templates: readonly OwnTemplate[], group: string): number {
  const taken = templates.filter((row) => row.group === group).map((row) => row.position)
  return Math.max(0, ...taken)
}

function refuseTaken(others: readonly OwnTemplate[], group: string, position: number): void {
  if (!others.some((row) => row.group === group && row.position === position)) return
  const message = `position ${position} of group ${group} is taken`
  throw new Refusal('invalid_request', `The template was not saved: ${message}.`, {
    errors: [{ field: 'position', message }],
  })
}
