import { type Command, InvalidArgumentError } from 'commander'
import { inTransaction } from '../database/transaction.ts'
import { isoWithOffset } from '../lib/timestamps.ts'
import {
  type ExchangeRate,
  listRateHistory,
  listRates,
  setExchangeRate,
} from '../pricing/exchange-rates.ts'
import { type CommonOptions, command, commandGroup, onMarket } from './command.ts'
import { tableOf } from './output/table.ts'

export function fxCommand(): Command {
  return commandGroup('fx', 'set and list exchange rates', [setCommand(), listCommand()])
}

function setCommand(): Command {
  return command('set', 'put a rate into force', 'pavilion fx set EUR 0.92')
    .argument('<code>', 'the currency, three letters', readCode)
    .argument('<rate>', 'how many of it one US dollar buys', readRate)
    .action((code: string, rate: string, options: CommonOptions) =>
      onMarket(
        options,
        ({ database }) =>
          inTransaction(database.db, async (tx) => shown(await setExchangeRate(tx, code, rate))),
        (inForce) => `1 USD is ${inForce.rate} ${inForce.currency_code} from now on.`,
      ),
    )
}

function listCommand(): Command {
  return command('list', 'list the rates in force', 'pavilion fx list --history EUR')
    .option('--history <code>', 'the rates that one currency has had, newest first', readCode)
    .action((options: CommonOptions & { history?: string }) =>
      onMarket(
        options,
        async ({ database: { db } }) => {
          const code = options.history
          return (await (code ? listRateHistory(db, code) : listRates(db))).map(shown)
        },
        (rates) =>
          tableOf(
            rates,
            ['currency_code', 'rate', 'set_on'],
            'No rate yet. Set one with: pavilion fx set EUR 0.92',
          ),
      ),
    )
}

function readCode(text: string): string {
  if (/^[A-Z]{3}$/i.test(text)) return text.toUpperCase()
  throw new InvalidArgumentError('It takes three letters, for example EUR.')
}

function readRate(text: string): string {
  if (/^\d+(\.\d+)?$/.test(text) && Number(text) > 0) return text
  throw new InvalidArgumentError('It takes a number above zero, for example 0.92.')
}

function shown({ currency_code, rate, set_on }: ExchangeRate) {
  return { currency_code, rate: Number(rate), set_on: isoWithOffset(set_on) }
}
