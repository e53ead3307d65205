/** Charges that orders get by themselves when they are placed. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { inTransaction } from '../../database/transaction.ts'
import { renderRule } from '../../http/shared/account.ts'
import { digitsFrom } from '../../lib/money.ts'
import { addChargeRule, listChargeRules, removeChargeRule } from '../../orders/ledger/rule-store.ts'
import { CHARGE_KINDS, type ChargeKind } from '../../reference/charges.ts'
import { readCents, readName, readUuid } from '../arguments.ts'
import { type CommonOptions, command, commandGroup, onMarket } from '../command.ts'
import { tableOf } from '../output/table.ts'

export function chargeRuleCommand(): Command {
  const description = 'Add, list and remove the charges that orders get when they are placed'
  return commandGroup('charge-rule', description, [addCommand(), listCommand(), removeCommand()])
}

interface AddOptions extends CommonOptions {
  country?: string
  kind: ChargeKind
  amount?: bigint
  percent?: string
  label?: string
}

function addCommand(): Command {
  const example = 'pavilion charge-rule add --country US --kind shipping --amount 45'
  const made = command('add', 'Add a rule for orders that are placed from now on', example)
  return made
    .option(
      '--country <code>',
      'Where orders ship to (default: countries without a rule of this kind)',
    )
    .addOption(
      new Option('--kind <kind>', 'What is charged; a discount is subtracted')
        .choices(CHARGE_KINDS)
        .makeOptionMandatory(),
    )
    .option('--amount <dollars>', 'Charge in US dollars', readCents)
    .option(
      '--percent <percent>',
      'Charge in percent of the goods, added to an amount',
      readPercent,
    )
    .option('--label <text>', 'What the invoice says (default: the kind)', readName)
    .action((options: AddOptions) => {
      const { country: country_code, kind, percent, label } = options
      if (options.amount === undefined && percent === undefined) {
        made.error('error: give an --amount, a --percent or both')
      }
      const amount = options.amount === undefined ? null : digitsFrom(Number(options.amount))
      return onMarket(
        options,
        ({ database }) =>
          inTransaction(database.db, async (tx) => {
            const rule = { country_code, kind, label, amount, percent }
            return renderRule(await addChargeRule(tx, rule))
          }),
        ({ uuid, country_code, label: shown }) =>
          `Orders to ${country_code ?? 'other countries'} now have: ${shown} (${uuid}).`,
      )
    })
}

function listCommand(): Command {
  const example = 'pavilion charge-rule list'
  return command('list', 'List the rules, oldest first', example).action((options: CommonOptions) =>
    onMarket(
      options,
      async ({ database }) => (await listChargeRules(database.db)).map(renderRule),
      (rules) =>
        tableOf(
          rules,
          {
            uuid: 'UUID',
            country_code: 'Country',
            kind: 'Kind',
            label: 'Label',
            amount: 'USD',
            percent: 'Percent',
          },
          'No charge rules. Add one with "pavilion charge-rule add".',
        ),
    ),
  )
}

function removeCommand(): Command {
  const example = 'pavilion charge-rule remove 0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90'
  return command('remove', 'Remove a rule; orders keep the charges that they have', example)
    .argument('<uuid>', 'UUID of the rule', readUuid)
    .action((uuid: string, options: CommonOptions) =>
      onMarket(
        options,
        ({ database }) =>
          inTransaction(database.db, async (tx) => renderRule(await removeChargeRule(tx, uuid))),
        ({ label }) => `Removed the rule ${label}.`,
      ),
    )
}

function readPercent(text: string): string {
  const percent = /^\d{1,3}(\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN
  if (percent > 0 && percent <= 100) return text
  throw new InvalidArgumentError('Expected a percentage up to 100, with at most three decimals.')
}
