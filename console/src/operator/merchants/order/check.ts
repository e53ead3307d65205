import type { ApiProblem } from '../../../api/client.ts'
import type { OrderCheck } from '../../../api/operator/orders.ts'
import { t } from '../../../language/language.ts'
import { lineProblem } from '../../../orders/basket/line-problems.ts'
import type { WantedLine } from './sku-list.ts'

/** One line of a check: what it costs the merchant, or why it cannot be ordered. */
export interface CheckedLine extends WantedLine {
  description: string
  price: number | undefined
  refusal: string | undefined
  substitutes: readonly string[]
}

type Skipped = NonNullable<OrderCheck['skipped']>[number]

const REFUSALS: Record<Skipped['code'], string> = {
  sku_unavailable: t('Not available'),
  sku_on_hold: t('Held for another merchant'),
  not_memoable: t('Not available on memo'),
}

/** What the dry run says of every line that was wanted. */
export function linesOf(wanted: readonly WantedLine[], check: OrderCheck): CheckedLine[] {
  return wanted.map(({ sku, quantity }) => {
    const line = check.line_items.find((each) => each.sku === sku)
    const skipped = check.skipped?.find((each) => each.sku === sku)
    return {
      sku,
      quantity,
      description: line?.description ?? '',
      price: line?.price,
      refusal: skipped && REFUSALS[skipped.code],
      substitutes: skipped?.substitutes.map((each) => each.sku) ?? [],
    }
  })
}

/** When nothing could be ordered, the problem names the lines. */
export function refusedLines(wanted: readonly WantedLine[], problem: ApiProblem): CheckedLine[] {
  const found = problem.errors.flatMap(({ field, message }) => {
    const at = /line_items\[(\d+)\]/.exec(field)?.[1]
    return at === undefined ? [] : [[Number(at), message] as const]
  })
  const messages = new Map(found)
  return wanted.map((line, at) => {
    const message = messages.get(at)
    const refusal = message && lineProblem(problem, message, line.sku)
    return { ...line, description: '', price: undefined, refusal, substitutes: [] }
  })
}
