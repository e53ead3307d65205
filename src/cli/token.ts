/** Tokens authenticate API requests. Only a hash is stored, so a token is printed once. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { readMarketTime } from '../database/clock.ts'
import type { Db } from '../database/open.ts'
import { inTransaction } from '../database/transaction.ts'
import { getSupplier } from '../gems/supplier-store.ts'
import { amountFrom } from '../lib/money.ts'
import { getMerchant } from '../merchants/merchant-store.ts'
import {
  ORDERS_PER_DAY_MAX,
  RATE_LIMIT_MAX,
  TOKEN_TYPES,
  type TokenType,
} from '../merchants/token.ts'
import {
  OVERLAP_SECONDS_DEFAULT,
  OVERLAP_SECONDS_MAX,
  rotateToken,
} from '../merchants/token-rotation.ts'
import {
  createToken,
  listTokens,
  type NewToken,
  revokeToken,
  type TokenSummary,
} from '../merchants/token-store.ts'
import { SCOPES, type Scope } from '../reference/roles.ts'
import { readCents, readLine, readUuid, readWholeNumber } from './arguments.ts'
import { type CommonOptions, command, commandGroup, onMarket } from './command.ts'
import { tableOf } from './output/table.ts'

const LISTED_MAX = 10_000

interface CreateOptions extends CommonOptions {
  merchant?: string
  supplier?: string
  type: TokenType
  name?: string
  scope?: Scope[]
  expires?: (nowMs: number) => Date
  rateLimit?: number
  allowedAddress?: string[]
  budgetOrders?: number
  budgetDay?: bigint
  budgetOrder?: bigint
  origin?: string[]
}

export function tokenCommand(): Command {
  return commandGroup('token', 'Create, list, rotate and revoke API tokens', [
    createCommand(),
    listCommand(),
    rotateCommand(),
    revokeCommand(),
  ])
}

function createCommand(): Command {
  const example =
    'pavilion token create --merchant buyer@shop.example --type api_key --scope search'
  return command('create', 'Create a token and print it, once', example)
    .addOption(
      new Option('--type <type>', 'Type of the caller').choices(TOKEN_TYPES).makeOptionMandatory(),
    )
    .option('--merchant <uuid|email>', 'Merchant that the token belongs to')
    .option('--supplier <name>', 'Supplier that the token belongs to (for type supplier)')
    .option('--name <name>', 'What the token is for', readLine)
    .addOption(
      new Option(
        '--scope <scope...>',
        'What the token may do (default: everything, but keys:write only for admin)',
      ).choices(SCOPES),
    )
    .option('--expires <when>', 'Lifetime such as 12h or 90d, or a date', readExpiry)
    .option(
      '--rate-limit <count>',
      'Requests per minute; 0 for no limit',
      readWholeNumber(0, RATE_LIMIT_MAX),
    )
    .option(
      '--allowed-address <address...>',
      'Addresses or CIDR networks that the token may be used from (default: anywhere)',
    )
    .option(
      '--budget-orders <count>',
      'Orders a day at most',
      readWholeNumber(0, ORDERS_PER_DAY_MAX),
    )
    .option('--budget-day <dollars>', 'Wholesale value of the orders of a day at most', readCents)
    .option('--budget-order <dollars>', 'Wholesale value of one order at most', readCents)
    .option(
      '--origin <origin...>',
      'Web pages that a publishable key may be used on, such as https://shop.example',
    )
    .action((options: CreateOptions, self: Command) => {
      const missing = missingOption(options)
      if (missing) self.error(`error: a token of type ${options.type} needs '${missing}'`)
      return onMarket(
        options,
        async ({ database: { db }, realm }) =>
          createToken(db, { realm, ...(await fieldsFrom(db, options)) }),
        showNew,
      )
    })
}

/** The options as the fields of a new token; what is not given is left out. */
async function fieldsFrom(db: Db, options: CreateOptions) {
  const merchant = options.merchant ? await getMerchant(db, options.merchant) : undefined
  const supplier = options.supplier ? await getSupplier(db, options.supplier) : undefined
  return {
    type: options.type,
    ...(merchant && { merchant_uuid: merchant.uuid }),
    ...(supplier && { supplier_uuid: supplier.uuid }),
    ...(options.name && { name: options.name }),
    ...(options.scope && { scopes: options.scope }),
    ...(options.rateLimit !== undefined && { rate_limit_per_minute: options.rateLimit }),
    ...(options.expires && { expires_on: options.expires(await readMarketTime(db)) }),
    ...(options.allowedAddress && { allowed_addresses: options.allowedAddress }),
    ...budgetFrom(options),
    ...(options.origin && { origins: options.origin }),
  }
}

function budgetFrom({ budgetOrders, budgetDay, budgetOrder }: CreateOptions) {
  const budget = {
    ...(budgetOrders !== undefined && { orders_per_day: budgetOrders }),
    ...(budgetDay !== undefined && { amount_per_day: amountFrom(Number(budgetDay)) }),
    ...(budgetOrder !== undefined && { amount_per_order: amountFrom(Number(budgetOrder)) }),
  }
  return Object.keys(budget).length > 0 && { budget }
}

/** For a table: `20 orders, 25000 a day, 10000 each`. */
function budgetText({ budget }: TokenSummary): string {
  if (budget === null) return ''
  const { orders_per_day, amount_per_day, amount_per_order } = budget
  return [
    ...(orders_per_day === null ? [] : [`${orders_per_day} orders`]),
    ...(amount_per_day === null ? [] : [`${amount_per_day} a day`]),
    ...(amount_per_order === null ? [] : [`${amount_per_order} each`]),
  ].join(', ')
}

/** The option that the type of the token needs and that is not given: its owner, its origins. */
function missingOption(options: CreateOptions): string | undefined {
  const { type, merchant, supplier, origin } = options
  if (type === 'admin') return undefined
  if (type === 'supplier') return supplier === undefined ? '--supplier <name>' : undefined
  if (merchant === undefined) return '--merchant <uuid|email>'
  return type === 'publishable' && origin === undefined ? '--origin <origin...>' : undefined
}

function showNew({ uuid, token }: NewToken): string {
  return `${token}\n\nSave it; it is not shown again. Its UUID is ${uuid}.`
}

function listCommand(): Command {
  return command('list', 'List the tokens, oldest first', 'pavilion token list')
    .option('--merchant <uuid|email>', 'Only tokens of this merchant')
    .option('--supplier <name>', 'Only tokens of this supplier')
    .action((options: CommonOptions & { merchant?: string; supplier?: string }) =>
      onMarket(
        options,
        async ({ database: { db } }) => {
          const merchant = options.merchant ? await getMerchant(db, options.merchant) : undefined
          const supplier = options.supplier ? await getSupplier(db, options.supplier) : undefined
          const owner = {
            ...(merchant && { merchant_uuid: merchant.uuid }),
            ...(supplier && { supplier_uuid: supplier.uuid }),
          }
          return (await listTokens(db, { limit: LISTED_MAX, offset: 0, ...owner })).tokens
        },
        (tokens) =>
          tableOf(
            tokens.map((token) => ({ ...token, budget_text: budgetText(token) })),
            {
              uuid: 'UUID',
              type: 'Type',
              merchant_uuid: 'Merchant',
              supplier_uuid: 'Supplier',
              name: 'Name',
              hint: 'Token',
              allowed_addresses: 'Addresses',
              budget_text: 'Budget',
              origins: 'Origins',
              expires_on: 'Expires',
              revoked_on: 'Revoked',
              last_used_on: 'Last used',
            },
            'No tokens yet. Create one with "pavilion token create".',
          ),
      ),
    )
}

function rotateCommand(): Command {
  const example = 'pavilion token rotate 0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90 --overlap 24h'
  return command('rotate', 'Replace a token by a new one, and print it once', example)
    .argument('<uuid>', 'UUID of the token, as listed by "pavilion token list"', readUuid)
    .option(
      '--overlap <duration>',
      'How long the old token still works, up to 30d; 0 revokes it at once (default: 24h)',
      readOverlap,
    )
    .action(
      (
        uuid: string,
        { overlap = OVERLAP_SECONDS_DEFAULT, ...options }: CommonOptions & { overlap?: number },
      ) =>
        onMarket(
          options,
          ({ database: { db }, realm }) =>
            inTransaction(db, (tx) => rotateToken(tx, uuid, { realm, overlapSeconds: overlap })),
          showNew,
        ),
    )
}

function revokeCommand(): Command {
  const example = 'pavilion token revoke 0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90'
  return command('revoke', 'Revoke a token and all that it made, effective at once', example)
    .argument('<uuid>', 'UUID of the token, as listed by "pavilion token list"', readUuid)
    .action((uuid: string, options: CommonOptions) =>
      onMarket(
        options,
        ({ database }) => revokeToken(database.db, uuid),
        () => `Revoked the token ${uuid}.`,
      ),
    )
}

const UNIT_MS: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

function readDurationMs(text: string): number | undefined {
  const duration = /^(\d{1,6})([smhd])$/.exec(text)
  return duration ? Number(duration[1]) * UNIT_MS[duration[2]] : undefined
}

function readOverlap(text: string): number {
  const seconds = text === '0' ? 0 : (readDurationMs(text) ?? Number.NaN) / 1000
  if (seconds <= OVERLAP_SECONDS_MAX) return seconds
  throw new InvalidArgumentError('Expected 0, or a duration up to 30d such as 24h.')
}

/** A lifetime counts from the market's time, which is read when the token is created. */
function readExpiry(text: string): (nowMs: number) => Date {
  const durationMs = readDurationMs(text)
  if (durationMs !== undefined) return (nowMs) => new Date(nowMs + durationMs)
  const date = new Date(text)
  if (Number.isNaN(date.getTime())) {
    throw new InvalidArgumentError('Expected a lifetime such as 12h or 90d, or a date.')
  }
  return () => date
}
