/**
 * The key that encrypts stored secrets, such as those of webhooks. No command prints a key: a key
 * is named by its id, which is derived from it.
 */

import type { Command } from 'commander'
import type { Fields } from '../audit/entry-fields.ts'
import { recordEntry } from '../audit/record-entry.ts'
import { readConfig } from '../config.ts'
import type { Db, Tx } from '../database/open.ts'
import { replaceLostKey, rotateKey } from '../database/secrets/rotate-key.ts'
import { readSecretStatus } from '../database/secrets/secret-status.ts'
import { inTransaction } from '../database/transaction.ts'
import { replaceLostSecrets } from '../events/webhook-store.ts'
import { dropLostSourceSecrets } from '../feeds/sources/source-store.ts'
import {
  type CommonOptions,
  command,
  commandGroup,
  commandOfBoth,
  onMarket,
  runCommand,
} from './command.ts'
import { openCommandSecrets, realmsOf, withMarket } from './market.ts'
import { print } from './output/print.ts'
import { tableOf } from './output/table.ts'

export function secretCommand(): Command {
  return commandGroup('secret', 'Manage the key that encrypts stored secrets', [
    statusCommand(),
    rotateCommand(),
    resetCommand(),
  ])
}

function statusCommand(): Command {
  const example = 'pavilion secret status'
  return command('status', 'Show which keys there are and how many secrets each encrypts', example)
    .addHelpText('after', '\nIt exits with 1 when a key is missing.')
    .action((options: CommonOptions) =>
      onMarket(
        options,
        async ({ database: { db }, secrets }) => {
          const status = await readSecretStatus(db, secrets)
          if (status.problem !== null) process.exitCode = 1
          return { ...status, key_file: secrets.keys.file }
        },
        ({ keys, plain_secrets, problem }) =>
          [
            tableOf(
              keys.map((key) => ({ ...key, in_use: key.in_use ? 'yes' : '' })),
              { key_id: 'Key', source: 'From', in_use: 'In use', secrets: 'Secrets' },
              'There is no key yet; the first start creates one.',
            ),
            ...(plain_secrets > 0 ? [`${plain_secrets} in clear text until the next start.`] : []),
            ...(problem ? [problem] : []),
          ].join('\n'),
      ),
    )
}

function rotateCommand(): Command {
  return commandOfBoth(
    'rotate',
    'Encrypt the secrets of production and sandbox with a new key; servers may be running',
    'pavilion secret rotate',
  ).action((options: CommonOptions) =>
    runCommand(options, async () => {
      const config = readConfig()
      const secrets = openCommandSecrets(config)
      const { key, sealed } = await withAllMarkets(config, (databases) =>
        rotateKey(databases, secrets, (tx, { id }) =>
          recordKey(tx, 'secret_key.rotate', { key_id: id }),
        ),
      )
      const result = { key_id: key.id, source: key.source, secrets: sealed }
      const place = key.source === 'file' ? secrets.keys.file : 'PAVILION_SECRET_KEY'
      print(options, result, () =>
        [
          `Encrypted ${sealed} secrets with the key ${key.id} of ${place}.`,
          key.source === 'file'
            ? 'Earlier keys stay in the file for backups that were made with them. Copy the file.'
            : 'Earlier keys are needed only for backups that were made with them.',
        ].join('\n'),
      )
    }),
  )
}

async function recordKey(tx: Tx, action: string, after: Fields): Promise<void> {
  await recordEntry(tx, { action, subject: { kind: 'secret_key', id: 'market' }, after })
}

/** Runs work on the databases of all markets. */
function withAllMarkets<T>(
  config: ReturnType<typeof readConfig>,
  work: (databases: readonly Db[]) => Promise<T>,
): Promise<T> {
  const open = ([realm, ...others]: ReturnType<typeof realmsOf>, opened: Db[]): Promise<T> =>
    realm === undefined
      ? work(opened)
      : withMarket(config, realm, ({ database }) => open(others, [...opened, database.db]), {
          // Beside an embedded production there may be no sandbox yet.
          mayCreate: opened.length > 0 && config.databaseUrl === undefined,
        })
  return open(realmsOf(config), [])
}

function resetCommand(): Command {
  return command(
    'reset',
    'Give up secrets whose key is lost for good: disables webhooks and pauses sources',
    'pavilion secret reset',
  ).action((options: CommonOptions) =>
    onMarket(
      options,
      async ({ database: { db }, secrets }) => {
        return inTransaction(db, async (tx) => {
          await replaceLostKey(tx, secrets)
          const webhooks = await replaceLostSecrets(tx, secrets)
          const sources = await dropLostSourceSecrets(tx, secrets)
          await recordKey(tx, 'secret_key.reset', { webhooks, sources })
          return { webhooks, sources }
        })
      },
      ({ webhooks, sources }) =>
        [
          ...(webhooks.length + sources.length === 0 ? ['No secret is lost.'] : []),
          ...(webhooks.length === 0
            ? []
            : [
                `Disabled ${webhooks.length} webhooks, which have a new secret: ` +
                  `${webhooks.join(', ')}.`,
                'Their merchants rotate the secret and enable them again.',
              ]),
          ...(sources.length === 0
            ? []
            : [
                `Paused ${sources.length} sources, which have no password or key: ` +
                  `${sources.join(', ')}.`,
                'Give them again with "pavilion source set", then resume the sources.',
              ]),
        ].join('\n'),
    ),
  )
}
