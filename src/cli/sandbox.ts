/** The sandbox is a second market with its own database, against which clients are tested. */
import { createInterface } from 'node:readline/promises'
import { type Command, Option } from 'commander'
import { readMarketTime, readOffsetSeconds } from '../database/clock.ts'
import { inTransaction } from '../database/transaction.ts'
import { DEMO_SEED, DEMO_STONES } from '../demo/market.ts'
import { resetMarket } from '../demo/reset-market.ts'
import { isoFromMilliseconds } from '../lib/timestamps.ts'
import { advanceClock, resetClock } from '../orders/sandbox/clock.ts'
import { type CommonOptions, command, commandGroup, onMarket } from './command.ts'
import { keysOf, showKeys } from './demo.ts'
import { CommandRefusal } from './output/print.ts'
import { startProgressBar } from './output/progress-bar.ts'

export function sandboxCommand(): Command {
  const commands = [resetCommand(), clockCommand()]
  return commandGroup('sandbox', 'Reset the sandbox, and move its time', commands)
}

const LOSSES = 'This deletes the stock, orders and settings of the sandbox'
const KEPT = 'Merchants, users, keys and webhooks stay as they are.'

function resetCommand(): Command {
  return command(
    'reset',
    'Empty the sandbox and create a new demo market in it; merchants and keys stay',
    'pavilion sandbox reset --yes',
  )
    .option('--yes', 'Do not ask')
    .action(runReset)
}

function runReset(options: CommonOptions & { yes?: boolean }): Promise<void> {
  return onMarket(
    { ...options, sandbox: true },
    async ({ database, config, realm, publicUrl, secrets }) => {
      if (!options.yes) await askToReset()
      const bar = startProgressBar('stones')
      try {
        const market = {
          realm,
          publicUrl: await publicUrl(),
          secrets,
          stones: DEMO_STONES,
          seed: DEMO_SEED,
          onProgress: bar.show,
        }
        const filled = await resetMarket(database, config.demo ? market : undefined)
        const { diamonds = 0, keys } = filled ?? {}
        return { diamonds, ...(keys && keysOf(keys)) }
      } finally {
        bar.end()
      }
    },
    (market) => {
      if (market.diamonds === 0) return `The sandbox is empty. ${KEPT}`
      const done = `The sandbox has a new demo market with ${market.diamonds} diamonds.`
      // A sandbox without merchants gets those of the demo, with their keys.
      return market.merchant_key ? `${done}\n\n${showKeys(market)}` : `${done} ${KEPT}`
    },
  )
}

/** Scripts have nobody to ask, so they say `--yes`. */
async function askToReset(): Promise<void> {
  const { stdin: input, stderr: output } = process
  if (!input.isTTY) {
    throw new CommandRefusal('confirmation_missing', `${LOSSES}; confirm it with --yes.`)
  }
  const terminal = createInterface({ input, output })
  const answer = await terminal.question(`${LOSSES}. ${KEPT} Go on? [y/N] `)
  terminal.close()
  if (/^y(es)?$/i.test(answer.trim())) return
  throw new CommandRefusal('confirmation_missing', 'The sandbox was left as it is.')
}

function clockCommand(): Command {
  return command(
    'clock',
    'Show the time of the sandbox, move it forward, or set it right again',
    'pavilion sandbox clock --advance 3d',
  )
    .option('--advance <duration>', 'How far to move it: a number with s, m, h, d or w')
    .addOption(new Option('--reset', 'Set the real time again').conflicts('advance'))
    .action((options: CommonOptions & { advance?: string; reset?: boolean }) =>
      onMarket(
        { ...options, sandbox: true },
        ({ database: { db } }) =>
          inTransaction(db, async (tx) => {
            const { advance, reset } = options
            if (advance !== undefined) await advanceClock(tx, advance)
            else if (reset) await resetClock(tx)
            const now = isoFromMilliseconds(await readMarketTime(tx))
            return { now, advanced_seconds: await readOffsetSeconds(tx) }
          }),
        ({ now, advanced_seconds }) =>
          advanced_seconds === 0
            ? `It is ${now} in the sandbox, the real time.`
            : `It is ${now} in the sandbox, ${advanced_seconds} seconds ahead of the real time.`,
      ),
    )
}
