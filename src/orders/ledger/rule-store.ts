import { recordEntry } from '../../audit/record-entry.ts'
import type { Db, Tx } from '../../database/open.ts'
import { Refusal } from '../../lib/refusal.ts'
import { newUuid } from '../../lib/uuid.ts'
import type { ChargeKind } from '../../reference/charges.ts'
import { findCountry } from '../../reference/countries.ts'
import type { ChargeRule } from './charge-rules.ts'

/** Every order reads all rules; a few for each country of the world are more than enough. */
const RULES_MAX = 1_000

interface NewRule {
  /** Null or absent: every country that has no rule of this kind. */
  country_code?: string | null | undefined
  kind: ChargeKind
  /** The name of the kind unless given. */
  label?: string | undefined
  amount?: string | null | undefined
  percent?: string | number | null | undefined
}

export function listChargeRules(db: Db | Tx): Promise<ChargeRule[]> {
  return db.selectFrom('charge_rule').selectAll().orderBy('created_on').orderBy('uuid').execute()
}

export async function addChargeRule(tx: Tx, rule: NewRule): Promise<ChargeRule> {
  const { kind, label = kind[0].toUpperCase() + kind.slice(1) } = rule
  const amount = rule.amount ?? null
  const percent = rule.percent === undefined || rule.percent === null ? null : String(rule.percent)
  if (amount === null && percent === null) {
    throw refused('amount', 'is missing: a rule needs an amount, a percentage of the goods or both')
  }
  if ((await listChargeRules(tx)).length >= RULES_MAX) {
    throw refused('kind', `cannot be added: there are ${RULES_MAX} rules already; remove one first`)
  }
  const country_code = countryOf(rule.country_code ?? null)
  const added = await tx
    .insertInto('charge_rule')
    .values({ uuid: newUuid(), country_code, kind, label, amount, percent })
    .returningAll()
    .executeTakeFirstOrThrow()
  const subject = { kind: 'charge_rule', id: added.uuid }
  await recordEntry(tx, { action: 'charge_rule.create', subject, after: auditedFields(added) })
  return added
}

function auditedFields({ country_code, kind, label, amount, percent }: ChargeRule) {
  const numberOf = (digits: string | null) => (digits === null ? null : Number(digits))
  return { country_code, kind, label, amount: numberOf(amount), percent: numberOf(percent) }
}

function countryOf(code: string | null): string | null {
  if (code === null) return null
  const country = findCountry(code)
  if (country) return country
  throw refused('country_code', `is not a country code such as US or DE: ${code}`)
}

function refused(field: string, message: string): Refusal {
  return new Refusal('invalid_request', `${field} ${message}.`, { errors: [{ field, message }] })
}

export async function removeChargeRule(tx: Tx, uuid: string): Promise<ChargeRule> {
  const removed = await tx
    .deleteFrom('charge_rule')
    .where('uuid', '=', uuid)
    .returningAll()
    .executeTakeFirst()
  if (!removed) throw new Refusal('not_found', `There is no charge rule ${uuid}.`)
  const subject = { kind: 'charge_rule', id: removed.uuid }
  await recordEntry(tx, { action: 'charge_rule.remove', subject, before: auditedFields(removed) })
  return removed
}
