/** The users of a merchant, of a supplier and of the operator: the same routes for each side. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Tx } from '../../database/open.ts'
import { getSupplierByUuid } from '../../gems/supplier-store.ts'
import { Refusal } from '../../lib/refusal.ts'
import { getMerchant } from '../../merchants/merchant-store.ts'
import { countAttempt } from '../../people/sign-in-attempts.ts'
import { getUser, listUsers, OPERATOR, type Owner } from '../../people/user-store.ts'
import {
  changeUser,
  type InvitedUser,
  inviteUser,
  removeUser,
  renderInvited,
  renderUser,
} from '../../people/users.ts'
import { write } from '../request/acting.ts'
import { writeOnce } from '../request/idempotency.ts'
import {
  type Access,
  type App,
  merchantOf,
  merchantWith,
  operatorWith,
  supplierUuidOf,
  supplierWith,
} from '../route.ts'
import { inlineObject, uuid } from '../schemas/fields.ts'
import { Removed } from '../schemas/page.ts'
import {
  InvitationBody,
  InvitedUserSchema,
  OperatorInvitationBody,
  OperatorInvitedSchema,
  OperatorUserPage,
  OperatorUserQuery,
  OperatorUserSchema,
  UserPage,
  UserPatch,
  UserQuery,
  UserSchema,
} from '../schemas/people/user.ts'
import type { Services } from '../services.ts'
import { mailSender } from './mail-sender.ts'

const tags = ['Users']
const params = inlineObject({ uuid: uuid('UUID of the user') })
const HOW_INVITED =
  'The link signs the user in, once, within 24 hours. It is mailed where a mail server is set, ' +
  'and returned in any case. Inviting the same address again makes a new link and ends the old one.'

export function registerUsers(app: App, services: Services): void {
  const { db } = services
  registerOwnUsers(app, services, {
    path: '/api/v3/users',
    reading: merchantWith('users:read'),
    writing: merchantWith('users:write'),
    ownerOf: (request) => ({ ...OPERATOR, merchant_uuid: merchantOf(request).uuid }),
  })
  registerOwnUsers(app, services, {
    path: '/api/supplier/users',
    reading: supplierWith('users:read'),
    writing: supplierWith('users:write'),
    ownerOf: (request) => ({ ...OPERATOR, supplier_uuid: supplierUuidOf(request) }),
  })

  const path = '/api/operator/users'
  const reading = operatorWith('users:read')
  const writing = operatorWith('users:write')
  app.get(
    path,
    {
      config: { access: reading, conditional: true },
      schema: {
        tags,
        summary: "Lists the operator's users, or those of a merchant or a supplier",
        querystring: OperatorUserQuery,
        response: { 200: OperatorUserPage },
      },
    },
    async ({ query }) => listPage(services, await ownerFrom(db, query), query),
  )
  app.post(
    path,
    {
      config: { access: writing, answersSecret: true },
      schema: {
        tags,
        summary: 'Invites a user of the operator, of a merchant or of a supplier',
        description: `With merchant_uuid or supplier_uuid it invites one of theirs. ${HOW_INVITED}`,
        body: OperatorInvitationBody,
        response: { 201: OperatorInvitedSchema },
      },
    },
    (request, reply) =>
      writeOnce(db, request, reply, 201, async (tx) => {
        const owner = await ownerFrom(tx, request.body)
        return renderInvited(await invite(tx, services, owner, { request, reply }))
      }),
  )
  registerUser(app, services, {
    path,
    writing,
    ownerOf: () => undefined,
    schema: OperatorUserSchema,
  })
}

interface OwnUsers {
  path: string
  reading: Access
  writing: Access
  ownerOf: (request: FastifyRequest) => Owner
}

function registerOwnUsers(app: App, services: Services, side: OwnUsers): void {
  const { path, reading, writing, ownerOf } = side
  app.get(
    path,
    {
      config: { access: reading, conditional: true },
      schema: {
        tags,
        summary: "Lists the caller's own users, by e-mail address",
        querystring: UserQuery,
        response: { 200: UserPage },
      },
    },
    (request) => listPage(services, ownerOf(request), request.query),
  )
  app.post(
    path,
    {
      config: { access: writing, answersSecret: true },
      schema: {
        tags,
        summary: 'Invites a user, and returns the link that signs it in',
        description: HOW_INVITED,
        body: InvitationBody,
        response: { 201: InvitedUserSchema },
      },
    },
    (request, reply) =>
      writeOnce(services.db, request, reply, 201, async (tx) =>
        renderInvited(await invite(tx, services, ownerOf(request), { request, reply })),
      ),
  )
  registerUser(app, services, { ...side, schema: UserSchema })
}

interface OneUser {
  path: string
  writing: Access
  /** Undefined for the operator, who can change every user. */
  ownerOf: (request: FastifyRequest) => Owner | undefined
  schema: typeof UserSchema | typeof OperatorUserSchema
}

function registerUser(app: App, { db }: Services, one: OneUser): void {
  const { path, writing, ownerOf, schema } = one
  app.patch(
    `${path}/:uuid`,
    {
      config: { access: writing },
      schema: {
        tags,
        summary: 'Changes the name or the role of a user, or deactivates it',
        description:
          'A new role holds for open sessions at once; deactivating ends them, on every node. ' +
          'The last active owner (of the operator: admin) keeps its role.',
        params,
        body: UserPatch,
        response: { 200: schema },
      },
    },
    (request) =>
      write(db, request, async (tx) => {
        const user = await getUser(tx, request.params.uuid, ownerOf(request))
        return renderUser(await changeUser(tx, user, request.body, request.caller.token))
      }),
  )
  app.delete(
    `${path}/:uuid`,
    {
      config: { access: writing },
      schema: {
        tags,
        summary: 'Removes a user and ends its sessions, on every node',
        params,
        response: { 204: Removed },
      },
    },
    async (request, reply) => {
      await write(db, request, async (tx) => {
        const user = await getUser(tx, request.params.uuid, ownerOf(request))
        await removeUser(tx, user, request.caller.token)
      })
      reply.code(204)
      return null
    },
  )
}

async function listPage(
  { db }: Services,
  owner: Owner,
  query: { limit: number; offset: number; q?: string; active?: boolean },
) {
  const { users, total } = await listUsers(db, owner, query)
  const { limit, offset } = query
  return { users: users.map(renderUser), total, limit, offset }
}

interface OwnerFields {
  merchant_uuid?: string
  supplier_uuid?: string
}

/** Whose users the operator asks for. */
async function ownerFrom(db: Services['db'] | Tx, fields: OwnerFields): Promise<Owner> {
  const { merchant_uuid = null, supplier_uuid = null } = fields
  if (merchant_uuid !== null && supplier_uuid !== null) {
    throw new Refusal('invalid_request', 'Send merchant_uuid or supplier_uuid, not both.', {
      errors: [{ field: 'supplier_uuid', message: 'must be absent when merchant_uuid is given' }],
    })
  }
  if (merchant_uuid !== null) await getMerchant(db, merchant_uuid)
  if (supplier_uuid !== null) await getSupplierByUuid(db, supplier_uuid)
  return { merchant_uuid, supplier_uuid }
}

interface InvitationCall {
  request: Pick<FastifyRequest, 'caller'> & { body: { email: string; name?: string; role: string } }
  reply: FastifyReply
}

async function invite(
  tx: Tx,
  services: Services,
  owner: Owner,
  { request: { body, caller }, reply }: InvitationCall,
): Promise<InvitedUser> {
  const { email, name, role } = body
  const sendMail = mailSender(services)
  if (sendMail) await refuseManyMails(tx, reply, email)
  return inviteUser(
    tx,
    owner,
    { email, role, ...(name !== undefined && { name }) },
    { caller: caller.token, publicUrl: services.publicUrl, sendMail },
  )
}

/** Invitations count like the links that a person asks for: nobody is sent a hundred of them. */
async function refuseManyMails(tx: Tx, reply: FastifyReply, email: string): Promise<void> {
  const seconds = await countAttempt(tx, { email })
  if (seconds === 0) return
  reply.header('retry-after', seconds)
  const detail = `Too many links were mailed to this address; try again in ${seconds} s.`
  throw new Refusal('rate_limited', detail)
}
