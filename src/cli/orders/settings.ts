/** What the operator sets for the whole market: who sells, and how documents look. */
import { readFile } from 'node:fs/promises'
import { type Command, InvalidArgumentError } from 'commander'
import type { Db } from '../../database/open.ts'
import { inTransaction } from '../../database/transaction.ts'
import { createRenderer } from '../../documents/renderer.ts'
import { renderSettings } from '../../http/shared/documents.ts'
import { Refusal } from '../../lib/refusal.ts'
import {
  changeSettings,
  checkSetting,
  isSettingName,
  LOGO_BYTES_MAX,
  readSettings,
  SETTING_NAMES,
  type SettingName,
  type Settings,
  type SettingValue,
} from '../../orders/documents/settings.ts'
import { type CommonOptions, command, commandGroup, onMarket } from '../command.ts'
import { tableOf } from '../output/table.ts'

const NAME = ['<name>', `Setting: ${SETTING_NAMES.join(', ')}`, readName] as const

export function settingsCommand(): Command {
  return commandGroup('settings', 'Set who sells, and how invoices and other documents look', [
    setCommand(),
    listCommand(),
    getCommand(),
    clearCommand(),
  ])
}

function setCommand(): Command {
  const example = 'pavilion settings set seller.address "48 Market Street" "New York, NY 10036"'
  return command('set', 'Set a setting; documents issued from now on show it', example)
    .argument(...NAME)
    .argument('<value...>', 'Value; of several each is a line. Of seller.logo a PNG or JPEG file')
    .action((name: SettingName, values: string[], options: CommonOptions) =>
      onMarket(
        options,
        async ({ database: { db } }) => {
          const value = name === 'seller.logo' ? await readLogo(values) : values.join('\n')
          return change(db, name, await checked(name, value))
        },
        () => `${name} is set.`,
      ),
    )
}

function listCommand(): Command {
  return command('list', 'List the settings', 'pavilion settings list').action(
    (options: CommonOptions) =>
      onMarket(
        options,
        async ({ database }) => renderSettings(await readSettings(database.db)),
        (settings) =>
          tableOf(
            SETTING_NAMES.map((name) => ({ name, value: shown(settings[name], ' / ') })),
            { name: 'Setting', value: 'Value' },
            '',
          ),
      ),
  )
}

function getCommand(): Command {
  return command('get', 'Show a setting', 'pavilion settings get seller.name')
    .argument(...NAME)
    .action((name: SettingName, options: CommonOptions) =>
      onMarket(
        options,
        async ({ database }) => {
          const settings = renderSettings(await readSettings(database.db))
          return { [name]: settings[name] }
        },
        (settings) => shown(settings[name], '\n'),
      ),
    )
}

function clearCommand(): Command {
  return command('clear', 'Clear a setting', 'pavilion settings clear seller.logo')
    .argument(...NAME)
    .action((name: SettingName, options: CommonOptions) =>
      onMarket(
        options,
        ({ database: { db } }) => change(db, name, null),
        () => `${name} is not set any more.`,
      ),
    )
}

async function change(db: Db, name: SettingName, value: SettingValue) {
  const changes = new Map([[name, value]])
  const settings: Settings = await inTransaction(db, (tx) => changeSettings(tx, changes))
  return { [name]: renderSettings(settings)[name] }
}

async function checked(name: SettingName, value: SettingValue): Promise<SettingValue> {
  const renderer = createRenderer()
  try {
    return await checkSetting(name, value, renderer)
  } finally {
    await renderer.close()
  }
}

async function readLogo(paths: readonly string[]): Promise<Buffer> {
  if (paths.length > 1) throw new Refusal('invalid_request', 'seller.logo is one file.')
  const [path] = paths
  const bytes = await readFile(path).catch(() => {
    throw new Refusal('not_found', `The file ${path} cannot be read.`)
  })
  return bytes.subarray(0, LOGO_BYTES_MAX + 1)
}

/** A logo is shown by its size; a long text is shown whole. */
function shown(value: string | null, between: string): string {
  if (value === null) return 'not set'
  const picture = /^data:image\/(\w+);base64,(.*)$/.exec(value)
  if (!picture) return value.replaceAll('\n', between)
  const bytes = Buffer.from(picture[2], 'base64').length
  return `${picture[1].toUpperCase()}, ${bytes.toLocaleString('en-US')} bytes`
}

function readName(text: string): SettingName {
  if (isSettingName(text)) return text
  throw new InvalidArgumentError(`Expected one of: ${SETTING_NAMES.join(', ')}.`)
}
