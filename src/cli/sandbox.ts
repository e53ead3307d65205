/** The sandbox is a second market with its own database, against which clients are tested. */
import { type Command, Option } from 'commander'
import { readMarketTime, readOffsetSeconds } from '../database/clock.ts'
import { inTransaction } from '../database/transaction.ts'
import { DEMO_SEED, DEMO_STONES } from '../demo/market.ts'
import { resetMarket } from '../demo/reset-market.ts'
import { advanceClock, resetClock } from '../orders/sandbox/clock.ts'
import { type CommonOptions, command, commandGroup, onMarket } from './command.ts'
import { keysOf, showKeys } from './demo.ts'
import { startProgressBar } from './output/progress-bar.ts'

export function sandboxCommand(): Command {
  const reset = command(
    'reset',
    'Delete everything in the sandbox and create a new demo market in it',
    'pavilion sandbox reset',
  ).action((options: CommonOptions) =>
    onMarket(
      { ...options, sandbox: true },
      async ({ database, config, realm, publicUrl, secrets }) => {
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
      (market) =>
        market.merchant_key !== undefined
          ? `The sandbox has a new demo market with ${market.diamonds} diamonds.\n\n` +
            showKeys(market)
          : 'The sandbox is empty.',
    ),
  )
  return commandGroup('sandbox', 'Reset the sandbox, and move its time', [reset, clockCommand()])
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
            const now = new Date(await readMarketTime(tx)).toISOString()
            return { now, advanced_seconds: await readOffsetSeconds(tx) }
          }),
        ({ now, advanced_seconds }) =>
          advanced_seconds === 0
            ? `It is ${now} in the sandbox, the real time.`
            : `It is ${now} in the sandbox, ${advanced_seconds} seconds ahead of the real time.`,
      ),
    )
}
