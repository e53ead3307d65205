import type { Timestamp, WithDefault } from './columns.ts'

/** Users and how they sign in; see migrations/0034-people.sql. */
export interface PeopleTables {
  app_user: UserTable
  user_password: UserPasswordTable
  sign_in_link: SignInLinkTable
  sign_in_attempt: { key: Buffer; count: number; ends_on: Timestamp }
}

export interface UserTable {
  uuid: string
  /** Both null for a user of the operator. */
  merchant_uuid: string | null
  supplier_uuid: string | null
  email: string
  name: string
  role: string
  active: WithDefault<boolean>
  created_on: WithDefault<Timestamp>
  updated_on: WithDefault<Timestamp>
  last_sign_in_on: Timestamp | null
}

interface UserPasswordTable {
  user_uuid: string
  salt: Buffer
  hash: Buffer
  cost: number
  block_size: number
  parallelism: number
  set_on: WithDefault<Timestamp>
}

interface SignInLinkTable {
  hash: Buffer
  merchant_uuid: string | null
  supplier_uuid: string | null
  user_uuid: string | null
  /** An invitation, of which the latest is valid. */
  invites: WithDefault<boolean>
  created_on: WithDefault<Timestamp>
  expires_on: Timestamp
  used_on: Timestamp | null
}
