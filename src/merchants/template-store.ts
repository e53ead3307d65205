import type { Selectable } from 'kysely'
import type { Db, Tx } from '../database/open.ts'
import type { TemplateTable } from '../database/tables.ts'
import { Refusal } from '../lib/refusal.ts'
import { newUuid } from '../lib/uuid.ts'
import { type GradeName, PREDEFINED_TEMPLATES } from '../reference/default-templates.ts'

export type OwnTemplate = Selectable<TemplateTable>

/** A template as merchants see it: one of their own, or a predefined one without an owner. */
export interface Template {
  uuid: string
  merchant_uuid: string | null
  group: string
  position: number
  label: string
  color: string
  clarity: string
  grade_name: GradeName
  order: number | null
}

export interface NewTemplate {
  group: string
  label: string
  color: string
  clarity: string
  grade_name: GradeName
  /** Behind the last of its group when not given. */
  position?: number
}

export const TEMPLATES_MAX = 500

/** The merchant's own templates by group and position. */
export function listOwnTemplates(db: Db, merchantUuid: string): Promise<OwnTemplate[]> {
  return db
    .selectFrom('merchant_template')
    .selectAll()
    .where('merchant_uuid', '=', merchantUuid)
    .orderBy('group')
    .orderBy('position')
    .limit(TEMPLATES_MAX)
    .execute()
}

/** The predefined templates first, then the merchant's own. */
export async function listTemplates(db: Db, merchantUuid: string): Promise<Template[]> {
  return [...PREDEFINED_TEMPLATES, ...(await listOwnTemplates(db, merchantUuid))]
}

export async function addTemplate(
  tx: Tx,
  merchantUuid: string,
  template: NewTemplate,
): Promise<OwnTemplate> {
  // The lock keeps two additions at once from taking the same position.
  await tx
    .selectFrom('merchant')
    .select('uuid')
    .where('uuid', '=', merchantUuid)
    .forUpdate()
    .execute()
  const own = await listOwnTemplates(tx, merchantUuid)
  if (own.length >= TEMPLATES_MAX) {
    throw new Refusal('invalid_request', `A merchant has at most ${TEMPLATES_MAX} templates.`)
  }
  const taken = own.filter(({ group }) => group === template.group).map((row) => row.position)
  const position = template.position ?? Math.max(0, ...taken) + 1
  if (taken.includes(position)) {
    const message = `position ${position} of group ${template.group} is taken`
    throw new Refusal('invalid_request', `The template was not added: ${message}.`, {
      errors: [{ field: 'position', message }],
    })
  }
  return tx
    .insertInto('merchant_template')
    .values({ ...template, position, uuid: newUuid(), merchant_uuid: merchantUuid })
    .returningAll()
    .executeTakeFirstOrThrow()
}
