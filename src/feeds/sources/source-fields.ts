/** What the operator says about a source, and which of it cannot be. */
import ssh2 from 'ssh2'
import { refuseField } from './source.ts'
import type { Protocol } from './source-url.ts'

/** All but the supplier, which stays. Null removes what is optional. */
export interface SourceFields {
  url: string
  every?: string | undefined
  mode?: 'update' | 'replace' | undefined
  user?: string | null | undefined
  password?: string | null | undefined
  /** A private key, as ssh-keygen writes it. */
  key?: string | null | undefined
  host_key?: string | null | undefined
  sheet?: string | null | undefined
  mapping?: Record<string, unknown> | null | undefined
}

/** How a source signs in, once all that is known of it is put together. */
interface Access {
  protocol: Protocol
  user: string | null
  hasPassword: boolean
  hasKey: boolean
  hostKey: string | null
}

const WITH_FINGERPRINT: readonly Protocol[] = ['sftp:', 'ftps:', 'https:']
const FINGERPRINT = /^SHA256:[A-Za-z0-9+/]{43}=?$/

/** Refuses what the protocol cannot use: the operator meant something else. */
export function checkAccess({ protocol, user, hasPassword, hasKey, hostKey }: Access): void {
  const name = protocol.slice(0, -1)
  if (protocol === 'file:' && (user !== null || hasPassword)) {
    throw refuseField('user', 'is not for a file of this machine')
  }
  if (hasKey && protocol !== 'sftp:') throw refuseField('key', `is for sftp, not for ${name}`)
  if (hasPassword && user === null) throw refuseField('user', 'must be given with a password')
  if (protocol === 'sftp:') {
    if (user === null) throw refuseField('user', 'must be given for sftp')
    if (!hasPassword && !hasKey) {
      throw refuseField('password', 'or key must be given for sftp')
    }
  }
  if (hostKey === null) return
  if (!WITH_FINGERPRINT.includes(protocol)) {
    throw refuseField('host_key', `is for sftp, ftps and https, not for ${name}`)
  }
  if (!FINGERPRINT.test(hostKey)) {
    const message = 'must be a fingerprint such as SHA256:… with 43 characters after the colon'
    throw refuseField('host_key', message)
  }
}

/** Refuses a key that the server could not sign in with. The message has nothing of it. */
export function checkPrivateKey(text: string): void {
  const parsed = ssh2.utils.parseKey(text)
  if (parsed instanceof Error) {
    const isEncrypted = /passphrase/i.test(parsed.message)
    const message = isEncrypted
      ? 'has a passphrase; give a copy without one, made with "ssh-keygen -p"'
      : 'is not a private key in the format of OpenSSH or PEM'
    throw refuseField('key', message)
  }
  const keys = Array.isArray(parsed) ? parsed : [parsed]
  if (!keys.some((key) => key.isPrivateKey())) {
    throw refuseField('key', 'is a public key; give the private one')
  }
}
