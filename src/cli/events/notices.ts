/** What became of e-mails, and what an operator does when they do not go out. */
import { type Command, Option } from 'commander'
import { MAIL_STATES, type MailState } from '../../database/tables/mail.ts'
import { inTransaction } from '../../database/transaction.ts'
import { renderMailSummary } from '../../http/notices/mails.ts'
import { Refusal } from '../../lib/refusal.ts'
import { newUuid } from '../../lib/uuid.ts'
import { listMails, retryMails } from '../../notices/outbox/mail-store.ts'
import { openTransport } from '../../notices/outbox/smtp.ts'
import { readUuid } from '../arguments.ts'
import { type CommonOptions, command, commandGroup, onMarket } from '../command.ts'
import { tableOf } from '../output/table.ts'

const LISTED_MAX = 100

export function noticesCommand(): Command {
  return commandGroup('notices', 'Look after the e-mails that Pavilion sends', [
    listCommand(),
    retryCommand(),
    testCommand(),
  ])
}

function listCommand(): Command {
  const example = 'pavilion notices list --state failed'
  const state = new Option('--state <state>', 'Only e-mails in this state').choices(MAIL_STATES)
  return command('list', 'List e-mails of the last 30 days, newest first', example)
    .addOption(state)
    .action((options: CommonOptions & { state?: MailState }) =>
      onMarket(
        options,
        async ({ database: { db } }) => {
          const page = { state: options.state, limit: LISTED_MAX, offset: 0 }
          return (await listMails(db, page)).mails.map(renderMailSummary)
        },
        (mails) =>
          tableOf(
            mails,
            {
              uuid: 'UUID',
              created_on: 'Created',
              kind: 'Kind',
              recipient: 'To',
              state: 'State',
              attempts: 'Attempts',
              due_on: 'Next attempt',
              last_error: 'Last error',
            },
            'No e-mails.',
          ),
      ),
    )
}

function retryCommand(): Command {
  const example = 'pavilion notices retry 0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90'
  return command(
    'retry',
    'Send e-mails again that were given up or wait; needs a running server',
    example,
  )
    .argument('[uuid]', 'UUID of one e-mail; all of them unless given', readUuid)
    .action((uuid: string | undefined, options: CommonOptions) =>
      onMarket(
        options,
        async ({ database: { db } }) => ({
          retried: await inTransaction(db, (tx) => retryMails(tx, uuid)),
        }),
        ({ retried }) =>
          retried === 0
            ? 'No e-mail waits for another attempt or was given up.'
            : `${retried === 1 ? 'One e-mail' : `${retried} e-mails`} will be sent again.`,
      ),
    )
}

function testCommand(): Command {
  const example = 'pavilion notices test --to you@gems.example'
  return command('test', 'Send a test e-mail with SMTP_URL and MAIL_FROM, at once', example)
    .requiredOption('--to <address>', 'Who gets it')
    .action((options: CommonOptions & { to: string }) =>
      onMarket(
        options,
        async ({ config: { mail } }) => {
          if (!mail) throw new Refusal('invalid_request', 'SMTP_URL and MAIL_FROM are not set.')
          const { host, port } = mail.server
          const transport = openTransport(mail)
          const text = 'Pavilion can send e-mails.'
          const result = await transport
            .send({
              uuid: newUuid(),
              recipient: options.to,
              subject: 'A test of Pavilion',
              text: `${text}\n`,
              html: `<p>${text}</p>\n`,
              unsubscribeUrl: null,
            })
            .finally(() => transport.close())
          if (result.outcome === 'sent') return { server: `${host}:${port}`, to: options.to }
          const detail = `${host}:${port} did not accept the e-mail: ${result.error}.`
          throw new Refusal('invalid_request', detail)
        },
        ({ server, to }) => `${server} accepted the e-mail to ${to}.`,
      ),
    )
}
