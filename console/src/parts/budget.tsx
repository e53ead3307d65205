import type { ApiProblem } from '../api/client.ts'
import type { Key, NewKey } from '../api/keys.ts'
import { t } from '../language/language.ts'
import { money, plural } from '../lib/format.ts'
import { numberIn } from '../lib/numbers.ts'
import { TextField } from './fields.tsx'

type NewBudget = NonNullable<NewKey['budget']>
/** What was typed; an empty field does not limit. */
export type TypedBudget = Record<keyof NewBudget, string>

export const NO_BUDGET: TypedBudget = {
  orders_per_day: '',
  amount_per_day: '',
  amount_per_order: '',
}

const LABELS: readonly (readonly [keyof NewBudget, string])[] = [
  ['orders_per_day', t('Orders a day')],
  ['amount_per_day', t('US dollars a day')],
  ['amount_per_order', t('US dollars an order')],
]

/** The budget as it is sent; undefined without a limit. */
export function budgetFrom(typed: TypedBudget): NewBudget | undefined {
  const limits = LABELS.filter(([name]) => typed[name].trim() !== '')
  if (limits.length === 0) return undefined
  return Object.fromEntries(limits.map(([name]) => [name, numberIn(typed[name])]))
}

interface BudgetFieldsProps {
  typed: TypedBudget
  onChange: (typed: TypedBudget) => void
  problem: ApiProblem | undefined
}

/** What a program may order with the key, at wholesale prices. */
export function BudgetFields({ typed, onChange, problem }: BudgetFieldsProps) {
  return (
    <fieldset>
      <legend class="field-label">{t('Budget, at wholesale prices; empty means no limit')}</legend>
      <div class="row">
        {LABELS.map(([name, label]) => (
          <TextField
            key={name}
            label={label}
            name={`budget.${name}`}
            problem={problem}
            inputMode="decimal"
            value={typed[name]}
            onInput={(value) => onChange({ ...typed, [name]: value })}
          />
        ))}
      </div>
    </fieldset>
  )
}

/** The budget of a key in words, such as "20 orders a day, $10,000.00 an order". */
export function budgetText(budget: Key['budget']): string {
  if (!budget) return t('No limit')
  const { orders_per_day: orders, amount_per_day: day, amount_per_order: order } = budget
  const limits = [
    orders === null ? [] : t('{amount} a day', { amount: plural(orders, 'order') }),
    day === null ? [] : t('{amount} a day', { amount: money(day, 'USD') }),
    order === null ? [] : t('{amount} an order', { amount: money(order, 'USD') }),
  ]
  return limits.flat().join(', ')
}
