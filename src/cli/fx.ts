/** Exchange rates from US dollars, the currency in which all prices are stored. */
import { type Command, InvalidArgumentError } from 'commander'
import { inTransaction } from '../database/transaction.ts'
import { isoWithOffset } from '../lib/timestamps.ts'
import {
  type ExchangeRate,
  listRateHistory,
  listRates,
  setExchangeRate,
} from '../pricing/exchange-rates.ts'
import { removeRate } from '../pricing/merchant-currency.ts'
import { readCurrency } from './arguments.ts'
import { type CommonOptions, command, commandGroup, onMarket } from './command.ts'
import { tableOf } from './output/table.ts'

export function fxCommand(): Command {
  return commandGroup('fx', 'Set, list and remove exchange rates', [
    setCommand(),
    listCommand(),
    removeCommand(),
  ])
}

function setCommand(): Command {
  return command('set', 'Set an exchange rate', 'pavilion fx set EUR 0.92')
    .argument('<code>', 'Currency code of three letters', readCurrency)
    .argument('<rate>', 'Units of the currency for one US dollar', readRate)
    .action((code: string, rate: string, options: CommonOptions) =>
      onMarket(
        options,
        ({ database }) =>
          inTransaction(database.db, async (tx) => rendered(await setExchangeRate(tx, code, rate))),
        ({ rate: units, currency_code }) => `1 USD is now ${units} ${currency_code}.`,
      ),
    )
}

function listCommand(): Command {
  return command('list', 'List the current exchange rates', 'pavilion fx list --history EUR')
    .option('--history <code>', 'List all rates of one currency, newest first', readCurrency)
    .action((options: CommonOptions & { history?: string }) =>
      onMarket(
        options,
        async ({ database: { db } }) => {
          const code = options.history
          return (await (code ? listRateHistory(db, code) : listRates(db))).map(rendered)
        },
        (rates) =>
          tableOf(
            rates,
            { currency_code: 'Currency', rate: 'Per USD', set_on: 'Set on' },
            'No exchange rates yet. Set one with "pavilion fx set EUR 0.92".',
          ),
      ),
    )
}

function removeCommand(): Command {
  const description = 'Remove a currency with all its rates; refused while merchants use it'
  return command('remove', description, 'pavilion fx remove EUR')
    .argument('<code>', 'Currency code of three letters', readCurrency)
    .action((code: string, options: CommonOptions) =>
      onMarket(
        options,
        ({ database }) =>
          inTransaction(database.db, async (tx) => rendered(await removeRate(tx, code))),
        ({ currency_code }) => `${currency_code} has no exchange rate any more.`,
      ),
    )
}

function readRate(text: string): string {
  if (/^\d+(\.\d+)?$/.test(text) && Number(text) > 0) return text
  throw new InvalidArgumentError('Expected a number above zero, such as 0.92.')
}

function rendered({ currency_code, rate, set_on }: ExchangeRate) {
  return { currency_code, rate: Number(rate), set_on: isoWithOffset(set_on) }
}
