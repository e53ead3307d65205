/** The people who sign in: users of the operator, of a merchant and of a supplier. */
import { type Command, Option } from 'commander'
import type { Db, Tx } from '../../database/open.ts'
import { inTransaction } from '../../database/transaction.ts'
import { getSupplier } from '../../gems/supplier-store.ts'
import { mailSender } from '../../http/people/mail-sender.ts'
import { Refusal } from '../../lib/refusal.ts'
import { isUuid } from '../../lib/uuid.ts'
import { getMerchant } from '../../merchants/merchant-store.ts'
import {
  findUserByEmail,
  getUser,
  listUsers,
  OPERATOR,
  type Owner,
  sideOf,
  type User,
} from '../../people/user-store.ts'
import {
  changeUser,
  inviteUser,
  removeUser,
  renderInvited,
  renderUser,
} from '../../people/users.ts'
import { ALL_ROLES, highestRole, type Role } from '../../reference/roles.ts'
import { readLine, readYesOrNo } from '../arguments.ts'
import { type CommonOptions, command, commandGroup, onMarket } from '../command.ts'
import { tableOf } from '../output/table.ts'

const LISTED_MAX = 10_000
const USER = ['<uuid|email>', 'The user, by UUID or e-mail address'] as const

interface OwnerOptions extends CommonOptions {
  merchant?: string
  supplier?: string
}

export function userCommand(): Command {
  return commandGroup('user', 'Invite, list, change and remove the people who sign in', [
    inviteCommand(),
    listCommand(),
    setCommand(),
    removeCommand(),
  ])
}

function ofOwner(made: Command): Command {
  return made
    .option('--merchant <uuid|email>', "A merchant's user (default: the operator's)")
    .addOption(new Option('--supplier <name>', "A supplier's user").conflicts('merchant'))
}

async function ownerFrom(db: Db, { merchant, supplier }: OwnerOptions): Promise<Owner> {
  if (merchant) return { ...OPERATOR, merchant_uuid: (await getMerchant(db, merchant)).uuid }
  if (supplier) return { ...OPERATOR, supplier_uuid: (await getSupplier(db, supplier)).uuid }
  return OPERATOR
}

interface InviteOptions extends OwnerOptions {
  email?: string
  name?: string
  role?: Role
}

function inviteCommand(): Command {
  const example =
    'pavilion user invite owner@shop.example --merchant buyer@shop.example --role owner'
  const made = command('invite', 'Invite a user and print the link that signs it in', example)
    .argument('[email]', 'E-mail address of the user')
    .option('--email <address>', 'E-mail address of the user, instead of the argument')
    .option('--name <name>', 'What the user is called', readLine)
    .addOption(
      new Option(
        '--role <role>',
        'What the user may do; owner, buyer or viewer for a merchant, owner or viewer for a ' +
          'supplier, admin, sales or stock for the operator (default: owner or admin)',
      ).choices(ALL_ROLES),
    )
  return ofOwner(made).action((argument: string | undefined, options: InviteOptions, self) => {
    const email = argument ?? options.email
    if (email === undefined) (self as Command).error('error: the e-mail address is missing')
    return onMarket(
      options,
      async (market) => {
        const { db } = market.database
        const owner = await ownerFrom(db, options)
        const { name, role = highestRole(sideOf(owner)) } = options
        const invitation = { email: email ?? '', role, ...(name !== undefined && { name }) }
        const publicUrl = await market.publicUrl()
        const context = {
          caller: undefined,
          publicUrl,
          sendMail: mailSender({ mail: market.config.mail, secrets: market.secrets }),
        }
        return renderInvited(
          await inTransaction(db, (tx) => inviteUser(tx, owner, invitation, context)),
        )
      },
      ({ link, link_expires_on, mailed }) =>
        `${link}\n\nThe link works once and expires on ${link_expires_on}.` +
        (mailed ? ' It was mailed, too.' : ''),
    )
  })
}

function listCommand(): Command {
  const made = command('list', 'List users, by e-mail address', 'pavilion user list')
  return ofOwner(made).action((options: OwnerOptions) =>
    onMarket(
      options,
      async ({ database: { db } }) => {
        const page = { limit: LISTED_MAX, offset: 0 }
        return (await listUsers(db, await ownerFrom(db, options), page)).users.map(renderUser)
      },
      (users) =>
        tableOf(
          users,
          {
            uuid: 'UUID',
            email: 'E-mail',
            name: 'Name',
            role: 'Role',
            active: 'Active',
            has_password: 'Password',
            last_sign_in_on: 'Last signed in',
          },
          'No users yet. Invite one with "pavilion user invite".',
        ),
    ),
  )
}

interface SetOptions extends OwnerOptions {
  name?: string
  role?: Role
  active?: boolean
}

function setCommand(): Command {
  const example = 'pavilion user set buyer@shop.example --merchant buyer@shop.example --role viewer'
  const made = command('set', 'Change the name or the role of a user, or deactivate it', example)
    .argument(...USER)
    .option('--name <name>', 'What the user is called', readLine)
    .addOption(new Option('--role <role>', 'What the user may do').choices(ALL_ROLES))
    .option('--active <yes|no>', 'Whether the user can sign in; no ends its sessions', readYesOrNo)
  return ofOwner(made).action((user: string, options: SetOptions, self: Command) => {
    const { name, role, active } = options
    if (name === undefined && role === undefined && active === undefined) {
      self.error('error: name at least one of --name, --role and --active')
    }
    const change = {
      ...(name !== undefined && { name }),
      ...(role !== undefined && { role }),
      ...(active !== undefined && { active }),
    }
    return onMarket(
      options,
      ({ database: { db } }) =>
        inTransaction(db, async (tx) => {
          const found = await findUser(tx, user, options)
          return renderUser(await changeUser(tx, found, change, undefined))
        }),
      (changed) =>
        `${changed.email}: role ${changed.role}, ${changed.active ? 'active' : 'deactivated'}.`,
    )
  })
}

function removeCommand(): Command {
  const example = 'pavilion user remove buyer@shop.example --merchant buyer@shop.example'
  const made = command('remove', 'Remove a user and end its sessions', example).argument(...USER)
  return ofOwner(made).action((user: string, options: OwnerOptions) =>
    onMarket(
      options,
      ({ database: { db } }) =>
        inTransaction(db, async (tx) => {
          const found = await findUser(tx, user, options)
          await removeUser(tx, found, undefined)
          return { removed: found.uuid, email: found.email }
        }),
      ({ email }) => `Removed the user ${email}.`,
    ),
  )
}

/** A UUID finds every user, an address those of the owner that the options name. */
async function findUser(tx: Tx, text: string, options: OwnerOptions): Promise<User> {
  if (isUuid(text)) return getUser(tx, text.toLowerCase(), undefined)
  const user = await findUserByEmail(tx, await ownerFrom(tx, options), text)
  if (user) return user
  const advice = 'users of a merchant or a supplier need --merchant or --supplier'
  throw new Refusal('not_found', `There is no user ${text}; ${advice}.`)
}
