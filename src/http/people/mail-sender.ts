import type { Secrets } from '../../database/secrets/secrets.ts'
import { queueMail } from '../../notices/outbox/mail-store.ts'
import type { SendMail } from '../../people/mails.ts'

interface MailOptions {
  mail: object | null | undefined
  secrets: Secrets
}

/**
 * How invitations and links leave; undefined where no mail server is set. They sign somebody in, so
 * the outbox stores them encrypted.
 */
export function mailSender({ mail, secrets }: MailOptions): SendMail | undefined {
  if (!mail) return undefined
  return async (tx, message) => {
    await queueMail(tx, message, secrets)
  }
}
