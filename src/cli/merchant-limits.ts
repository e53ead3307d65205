/** What a merchant may have at most: `merchant show` prints it, `merchant set` changes it. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Db } from '../database/open.ts'
import { readUsage, renderLimits } from '../http/shared/merchant-limits.ts'
import type { Merchant } from '../merchants/merchant.ts'
import { getMerchant, updateMerchant } from '../merchants/merchant-store.ts'
import {
  MERCHANT_LIMIT_NAMES,
  MERCHANT_LIMITS,
  type MerchantLimitName,
  type OwnLimits,
} from '../reference/merchant-limits.ts'
import { readWholeNumber } from './arguments.ts'
import { type CommonOptions, command, onMarket } from './command.ts'
import { tableOf } from './output/table.ts'

const MERCHANT = ['<uuid|email>', 'Merchant, by UUID or e-mail address'] as const

export function showCommand(): Command {
  const example = 'pavilion merchant show buyer@shop.example'
  return command('show', "Show a merchant's limits, and how much of them is in use", example)
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
  const example =
    'pavilion merchant set buyer@shop.example --max-holds 100 --max-memo-value default'
  const made = command('set', 'Set limits of a merchant', example).argument(...MERCHANT)
  const options = new Map(MERCHANT_LIMIT_NAMES.map((name) => [name, limitOption(name)]))
  const rateOption = rateLimitOption()
  for (const option of [...options.values(), rateOption]) made.addOption(option)
  return made.action((uuidOrEmail: string, given: SetOptions) => {
    const change: Partial<OwnLimits> & { rate_limit_per_minute?: number | null } = {}
    for (const [name, option] of options) {
      const value = given[option.attributeName()]
      if (value !== undefined) change[name] = value === DEFAULT ? null : (value as number)
    }
    const rate = given[rateOption.attributeName()]
    if (rate !== undefined)
      change.rate_limit_per_minute = rate === DEFAULT ? null : (rate as number)
    if (Object.keys(change).length === 0) {
      made.error('error: name at least one limit to set (run with --help for usage)')
    }
    return onMarket(
      given,
      async ({ database: { db } }) => {
        const { uuid } = await getMerchant(db, uuidOrEmail)
        return summaryOf(db, await updateMerchant(db, uuid, change))
      },
      printed,
    )
  })
}

function limitOption(name: MerchantLimitName): Option {
  const { standard, lowest, highest, counts } = MERCHANT_LIMITS[name]
  const flags = `--${name.replaceAll('_', '-')} <number|default>`
  const description = `Limit of ${counts}, ${lowest} to ${highest}; standard: ${standard}`
  return numberOption(flags, description, lowest, highest)
}

const RATE_LIMIT_MAX = 1_000_000_000

function rateLimitOption(): Option {
  const description = 'Requests per minute of all its tokens together; 0 for no limit'
  return numberOption('--rate-limit <number|default>', description, 0, RATE_LIMIT_MAX)
}

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

async function summaryOf(db: Db, merchant: Merchant) {
  const { uuid, email, legal_dba, rate_limit_per_minute } = merchant
  const usage = await readUsage(db, merchant)
  const limits = renderLimits(merchant)
  return { uuid, email, legal_dba, rate_limit_per_minute, limits, usage }
}

function printed({ legal_dba, email, limits, usage }: Awaited<ReturnType<typeof summaryOf>>) {
  const used: Partial<Record<string, number>> = usage
  const rows = MERCHANT_LIMIT_NAMES.map((name) => ({
    name: name.replaceAll('_', '-'),
    limit: limits[name],
    used: used[name.replace('max_', '')],
    standard: MERCHANT_LIMITS[name].standard,
  }))
  const headings = { name: 'Limit', limit: 'At most', used: 'In use', standard: 'Standard' }
  return `${legal_dba} (${email})\n${tableOf(rows, headings, '')}`
}
