import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { parseMailbox, parseSmtpUrl } from '../../src/lib/smtp-url.ts'
import type { MailSettings } from '../../src/notices/outbox/smtp.ts'

export interface ReceivedMail {
  to: string
  from: string
  /** The header and the body as they were sent. */
  raw: string
  /** Of a field of the header, by its name in lower case. */
  header: (name: string) => string | undefined
}

export interface MailServer {
  port: number
  received: ReceivedMail[]
  settings: MailSettings
  /** Asked before a recipient is accepted; a number is the status of a refusal. */
  refuse: (to: string) => number | undefined
  /** Awaited after a mail was read and before it is accepted. */
  beforeAccepting: (mail: ReceivedMail) => Promise<void>
  until: (count: number) => Promise<void>
  close(): Promise<void>
}

/** A real mail server on this machine. */
export async function openMailServer(
  options: SMTPServerOptions = {},
  port = 0,
): Promise<MailServer> {
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _session, done) {
      const status = server.refuse(address)
      done(status === undefined ? null : Object.assign(new Error('no'), { responseCode: status }))
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const mail = readMail(Buffer.concat(chunks).toString(), envelope)
        void server.beforeAccepting(mail).then(
          () => {
            server.received.push(mail)
            done()
          },
          (error: Error) => done(error),
        )
      })
    },
    ...options,
  })
  // A client that is killed breaks its connection.
  smtp.on('error', () => {})
  await new Promise<void>((resolve) => smtp.listen(port, '127.0.0.1', resolve))
  const bound = (smtp.server.address() as AddressInfo).port
  const server: MailServer = {
    port: bound,
    received: [],
    settings: settingsFor(`smtp://127.0.0.1:${bound}`),
    refuse: () => undefined,
    beforeAccepting: async () => {},
    async until(count) {
      while (server.received.length < count) await new Promise((done) => setTimeout(done, 20))
    },
    close: () => new Promise((resolve) => smtp.close(() => resolve())),
  }
  return server
}

export function settingsFor(url: string): MailSettings {
  const server = parseSmtpUrl(url)
  const from = parseMailbox('Gems <orders@gems.example>')
  if (typeof server === 'string' || !from) throw new Error(url)
  return { server, from, firstWaitMs: 30 }
}

interface Envelope {
  mailFrom: { address: string } | false
  rcptTo: { address: string }[]
}

function readMail(raw: string, { mailFrom, rcptTo }: Envelope): ReceivedMail {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ')
  const fields = new Map(
    head.split('\r\n').map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  return {
    to: rcptTo.map(({ address }) => address).join(),
    from: mailFrom === false ? '' : mailFrom.address,
    raw,
    header: (name) => fields.get(name),
  }
}
