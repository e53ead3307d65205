/**
 * What the operator agreed on with a merchant: its details, terms, limits and prices.
 * `merchant show` prints them, `merchant set` changes them.
 */

import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Db, Tx } from '../../database/open.ts'
import type { PriceAdjustment } from '../../database/tables/merchants.ts'
import { inTransaction } from '../../database/transaction.ts'
import { renderTerms } from '../../http/shared/account.ts'
import { readUsage, renderLimits } from '../../http/shared/merchant-limits.ts'
import type { Merchant } from '../../merchants/merchant.ts'
import type { MerchantProfile } from '../../merchants/merchant-profile.ts'
import { getMerchant, lockMerchant } from '../../merchants/merchant-store.ts'
import { RATE_LIMIT_MAX } from '../../merchants/token.ts'
import { TERMS_DAYS_MAX } from '../../orders/ledger/terms.ts'
import {
  ADJUSTED_PERCENT_MAX,
  ADJUSTED_PERCENTS,
  adjustmentColumn,
} from '../../pricing/price-adjustment.ts'
import { changeMerchant } from '../../pricing/set-margins.ts'
import {
  MERCHANT_LIMIT_NAMES,
  MERCHANT_LIMITS,
  type MerchantLimitName,
  type OwnLimits,
} from '../../reference/merchant-limits.ts'
import { readWholeNumber } from '../arguments.ts'
import { type CommonOptions, command, onMarket } from '../command.ts'
import { tableOf } from '../output/table.ts'
import { profileLines, profileOptions, readProfile } from './profile.ts'

const MERCHANT = ['<uuid|email>', 'Merchant, by UUID or e-mail address'] as const

export function showCommand(): Command {
  const example = 'pavilion merchant show buyer@shop.example'
  const description = 'Show the details of a merchant, its limits, their use and its own prices'
  return command('show', description, example)
    .argument(...MERCHANT)
    .action((uuidOrEmail: string, options: CommonOptions) =>
      onMarket(
        options,
        async ({ database: { db } }) => summaryOf(db, await getMerchant(db, uuidOrEmail)),
        printed,
      ),
    )
}

/** Sets the standard limit again. */
const DEFAULT = 'default'

/** By the name that commander gives an option: `--max-holds` is `maxHolds`. */
type SetOptions = CommonOptions & Record<string, unknown>

export function setCommand(): Command {
  const example = 'pavilion merchant set buyer@shop.example --max-holds 100 --mined-percent -2.5'
  const description = 'Set terms, limits and details of a merchant, or how its prices differ'
  const made = command('set', description, example).argument(...MERCHANT)
  const terms = [TERMS_DAYS, ...DOLLAR_LIMITS.values(), ...LIMITS.values(), RATE_LIMIT]
  const prices = [...PERCENTS.values(), LIST_PRICES]
  for (const option of [...terms, ...prices, ...profileOptions()]) made.addOption(option)
  return made.action((uuidOrEmail: string, given: SetOptions) => {
    const percents = readPercents(given)
    const isWithoutPercents = Object.keys(percents).length === 0
    const toList = givenValue(given, LIST_PRICES) === true
    if (toList && !isWithoutPercents) made.error('error: --list-prices clears every percentage')
    const isGiven = Object.keys(given).some((name) => name !== 'json' && name !== 'sandbox')
    if (!isGiven) made.error('error: name at least one setting')
    return onMarket(
      given,
      async ({ database: { db } }) => {
        const change = await readChange(given)
        const { uuid } = await getMerchant(db, uuidOrEmail)
        const merchant = await inTransaction(db, (tx) =>
          changeSettings(tx, uuid, change, toList ? null : percents),
        )
        return summaryOf(db, merchant)
      },
      printed,
    )
  })
}

/** The value of an option; undefined when it was not given. */
function givenValue(given: SetOptions, option: Option): unknown {
  return given[option.attributeName()]
}

/** Everything that was given, except how prices differ. */
async function readChange(given: SetOptions): Promise<SettingsChange> {
  const change: SettingsChange = await readProfile(given)
  for (const [name, option] of LIMITS) {
    const limit = givenValue(given, option)
    if (limit !== undefined) change[name] = limit === DEFAULT ? null : (limit as number)
  }
  const days = givenValue(given, TERMS_DAYS)
  if (typeof days === 'number') change.payment_terms_days = days
  for (const [name, option] of DOLLAR_LIMITS) {
    const limit = givenValue(given, option)
    if (typeof limit === 'string') change[name] = limit === NO_LIMIT ? null : limit
  }
  const rate = givenValue(given, RATE_LIMIT)
  if (rate !== undefined) change.rate_limit_per_minute = rate === DEFAULT ? null : (rate as number)
  return change
}

function readPercents(given: SetOptions): Partial<PriceAdjustment> {
  const named = [...PERCENTS].filter(([, option]) => givenValue(given, option) !== undefined)
  return Object.fromEntries(
    named.map(([name, option]) => [name, givenValue(given, option) as number]),
  )
}

type SettingsChange = Partial<OwnLimits> &
  MerchantProfile & {
    payment_terms_days?: number
    credit_limit?: string | null
    memo_limit?: string | null
    rate_limit_per_minute?: number | null
  }

const TERMS_DAYS = new Option(
  '--payment-terms-days <days>',
  'Days to pay after the invoice; 0: it pays before goods ship',
).argParser(readWholeNumber(0, TERMS_DAYS_MAX))

const NO_LIMIT = 'none'
const DOLLAR_LIMITS = new Map(
  Object.entries({
    credit_limit: 'US dollars that it may owe at most',
    memo_limit: 'US dollars that its memos may be worth at most',
  }).map(([name, what]) => {
    const flags = `--${name.replaceAll('_', '-')} <dollars|none>`
    return [name as 'credit_limit' | 'memo_limit', dollarOption(flags, what)] as const
  }),
)

function dollarOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser((text) => {
    if (text === NO_LIMIT || /^\d{1,10}(\.\d{1,2})?$/.test(text)) return text
    throw new InvalidArgumentError('Expected US dollars with at most two decimals, or "none".')
  })
}

/** Percentages that are not named stay as they are; null instead of any clears all of them. */
async function changeSettings(
  tx: Tx,
  uuid: string,
  change: SettingsChange,
  adjustment: Partial<PriceAdjustment> | null,
): Promise<Merchant> {
  if (adjustment !== null && Object.keys(adjustment).length === 0) {
    return changeMerchant(tx, uuid, change)
  }
  await lockMerchant(tx, uuid)
  const { price_adjustment: own } = await getMerchant(tx, uuid)
  const price_adjustment = adjustmentColumn(adjustment && { ...own, ...adjustment })
  return changeMerchant(tx, uuid, { ...change, price_adjustment })
}

const LIMITS = new Map(MERCHANT_LIMIT_NAMES.map((name) => [name, limitOption(name)]))

function limitOption(name: MerchantLimitName): Option {
  const { standard, lowest, highest, counts } = MERCHANT_LIMITS[name]
  const flags = `--${name.replaceAll('_', '-')} <number|default>`
  const description = `Limit of ${counts}, ${lowest} to ${highest}; standard: ${standard}`
  return numberOption(flags, description, lowest, highest)
}

const RATE_LIMIT = numberOption(
  '--rate-limit <number|default>',
  'Requests per minute of all its tokens together; 0 for no limit',
  0,
  RATE_LIMIT_MAX,
)

function numberOption(flags: string, description: string, lowest: number, highest: number): Option {
  return new Option(flags, description).argParser((text) => {
    if (text === DEFAULT) return text
    try {
      return readWholeNumber(lowest, highest)(text)
    } catch {
      const expected = `Expected a whole number from ${lowest} to ${highest}, or "default".`
      throw new InvalidArgumentError(expected)
    }
  })
}

const ADJUSTED_GOODS: Record<keyof PriceAdjustment, string> = {
  mined_percent: 'mined diamonds and parcels',
  lab_percent: 'lab grown diamonds and parcels',
  gemstone_percent: 'gemstones',
  jewelry_percent: 'jewelry and watches',
}

const LIST_PRICES = new Option('--list-prices', 'Clear all percentages: it pays its price list')

const PERCENTS = new Map(ADJUSTED_PERCENTS.map((name) => [name, percentOption(name)]))

function percentOption(name: keyof PriceAdjustment): Option {
  const most = ADJUSTED_PERCENT_MAX
  const flags = `--${name.replaceAll('_', '-')} <percent>`
  const goods = ADJUSTED_GOODS[name]
  const description = `Added to its wholesale prices of ${goods}, -${most} to ${most}`
  return new Option(flags, description).argParser((text) => {
    const percent = /^[+-]?\d{1,2}(\.\d{1,2})?$/.test(text) ? Number(text) : Number.NaN
    if (Math.abs(percent) <= most) return percent
    const expected = `Expected a percentage from -${most} to ${most} with at most two decimals.`
    throw new InvalidArgumentError(expected)
  })
}

async function summaryOf(db: Db, merchant: Merchant) {
  const { uuid, email, legal_dba, rate_limit_per_minute, price_adjustment } = merchant
  const { approval_status, cc_emails, url, references } = merchant
  const profile = { approval_status, cc_emails, url, references }
  const usage = await readUsage(db, merchant)
  const limits = renderLimits(merchant)
  const terms = {
    ...renderTerms(merchant),
    price_adjustment,
    rate_limit_per_minute,
    limits,
    usage,
  }
  return { uuid, email, legal_dba, ...profile, ...terms }
}

function printed(summary: Awaited<ReturnType<typeof summaryOf>>) {
  const { legal_dba, email, price_adjustment, limits, usage } = summary
  const used: Partial<Record<string, number>> = usage
  const rows = MERCHANT_LIMIT_NAMES.map((name) => ({
    name: name.replaceAll('_', '-'),
    limit: limits[name],
    used: used[name.replace('max_', '')],
    standard: MERCHANT_LIMITS[name].standard,
  }))
  const headings = { name: 'Limit', limit: 'At most', used: 'In use', standard: 'Standard' }
  return [
    `${legal_dba} (${email})`,
    ...profileLines(summary),
    adjustmentLine(price_adjustment),
    termsLine(summary),
    tableOf(rows, headings, ''),
  ].join('\n')
}

function termsLine(terms: ReturnType<typeof renderTerms>): string {
  const { payment_terms_days, credit_limit, memo_limit } = terms
  const days = payment_terms_days === 0 ? 'before goods ship' : `within ${payment_terms_days} days`
  const limitOf = (dollars: number | null) => (dollars === null ? 'none' : `$${dollars}`)
  return `Pays ${days}; credit limit: ${limitOf(credit_limit)}; memo limit: ${limitOf(memo_limit)}`
}

/** `Wholesale prices: mined diamonds and parcels -2.5 %, gemstones +4 %` */
function adjustmentLine(own: PriceAdjustment | null): string {
  const parts = ADJUSTED_PERCENTS.flatMap((name) => {
    const percent = own?.[name] ?? 0
    return percent === 0 ? [] : [`${ADJUSTED_GOODS[name]} ${percent > 0 ? '+' : ''}${percent} %`]
  })
  return `Wholesale prices: ${parts.length === 0 ? 'those of its list' : parts.join(', ')}`
}
