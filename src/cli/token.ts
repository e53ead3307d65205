import { type Command, InvalidArgumentError, Option } from 'commander'
import { getMerchant } from '../merchants/merchant-store.ts'
import { SCOPES, type Scope, TOKEN_TYPES, type TokenType } from '../merchants/token.ts'
import { createToken, listTokens, revokeToken } from '../merchants/token-store.ts'
import { type CommonOptions, command, commandGroup, onMarket } from './command.ts'
import { tableOf } from './output/table.ts'

const LISTED_MAX = 10_000

interface CreateOptions extends CommonOptions {
  merchant?: string
  type: TokenType
  name?: string
  scope?: Scope[]
  expires?: Date
  rateLimit?: number
}

export function tokenCommand(): Command {
  return commandGroup('token', 'make, list and revoke tokens', [
    createCommand(),
    listCommand(),
    revokeCommand(),
  ])
}

function createCommand(): Command {
  const example =
    'pavilion token create --merchant buyer@shop.example --type api_key --scope search'
  return command('create', 'make a token; it is shown this once', example)
    .addOption(
      new Option('--type <type>', 'who will call').choices(TOKEN_TYPES).makeOptionMandatory(),
    )
    .option('--merchant <uuid|email>', 'whose token it is (not for admin)')
    .option('--name <name>', 'what it is for')
    .addOption(scopeOption())
    .option('--expires <duration>', 'such as 12h, 90d or 2027-01-31', readExpiry)
    .option('--rate-limit <n>', 'requests a minute; 0 is no limit', readRateLimit)
    .action((options: CreateOptions, self: Command) => {
      if (options.type !== 'admin' && options.merchant === undefined) {
        self.error(`error: a token of type ${options.type} needs '--merchant <uuid|email>'`)
      }
      return onMarket(
        options,
        async ({ database, realm }) => {
          const merchant = options.merchant
            ? await getMerchant(database.db, options.merchant)
            : undefined
          return createToken(database.db, {
            realm,
            type: options.type,
            ...(merchant && { merchant_uuid: merchant.uuid }),
            ...(options.name && { name: options.name }),
            ...(options.scope && { scopes: options.scope }),
            ...(options.rateLimit !== undefined && { rate_limit_per_minute: options.rateLimit }),
            ...(options.expires && { expires_on: options.expires }),
          })
        },
        ({ uuid, token }) => `${token}\n\nKeep it: it is not shown again. Its uuid is ${uuid}.`,
      )
    })
}

function listCommand(): Command {
  return command('list', 'list the tokens, oldest first', 'pavilion token list')
    .option('--merchant <uuid|email>', 'only tokens of this merchant')
    .action((options: CommonOptions & { merchant?: string }) =>
      onMarket(
        options,
        async ({ database: { db } }) => {
          const merchant = options.merchant ? await getMerchant(db, options.merchant) : undefined
          const owner = merchant && { merchant_uuid: merchant.uuid }
          return (await listTokens(db, { limit: LISTED_MAX, offset: 0, ...owner })).tokens
        },
        (tokens) =>
          tableOf(
            tokens,
            [
              'uuid',
              'type',
              'merchant_uuid',
              'name',
              'hint',
              'expires_on',
              'revoked_on',
              'last_used_on',
            ],
            'No token yet. Make one with: pavilion token create --help',
          ),
      ),
    )
}

function revokeCommand(): Command {
  return command('revoke', 'end a token at once', 'pavilion token revoke <uuid>')
    .argument('<uuid>', 'the token, as the list shows it', readUuid)
    .action((uuid: string, options: CommonOptions) =>
      onMarket(
        options,
        ({ database }) => revokeToken(database.db, uuid),
        ({ revoked_on }) => `Revoked ${uuid} (${revoked_on}).`,
      ),
    )
}

/** Every `--scope` takes one or several scopes. */
function scopeOption(): Option {
  return new Option(
    '--scope <scope...>',
    `what it may do: ${SCOPES.join(', ')} (default: all)`,
  ).choices(SCOPES)
}

const UNIT_MS: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

function readExpiry(text: string): Date {
  const duration = /^(\d{1,6})([smhd])$/.exec(text)
  const date = duration
    ? new Date(Date.now() + Number(duration[1]) * UNIT_MS[duration[2]])
    : new Date(text)
  if (Number.isNaN(date.getTime())) {
    throw new InvalidArgumentError('It takes a duration such as 12h or 90d, or a date.')
  }
  return date
}

function readRateLimit(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It takes a whole number.')
}

export function readUuid(text: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return text.toLowerCase()
  throw new InvalidArgumentError('It takes a uuid.')
}
