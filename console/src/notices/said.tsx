import type { NoticeProduct, NoticeStone } from '../../../src/database/tables/mail.ts'
import type { Value } from '../../../src/notices/texts/phrase.ts'
import { withElements } from '../language/language.ts'
import { carats, date, dateTime, humanize, money, plural } from '../lib/format.ts'
import { Goods } from '../orders/goods.tsx'
import { Typed } from '../orders/typed.tsx'
import { valueLabel } from '../stones/labels.ts'

/** A text of a notice in the reader's language, with the reader's numbers and times. */
export function Said({ value }: { value: Value }) {
  if (typeof value === 'string') return <>{value}</>
  switch (value.kind) {
    case 'phrase':
      return <>{withElements(value.english, elementsOf(value.values))}</>
    case 'count':
      return <>{plural(value.number, value.noun)}</>
    case 'money':
      return <>{money(value.amount, value.currency)}</>
    case 'day':
      return <>{date(value.timestamp)}</>
    case 'time':
      return <>{dateTime(value.timestamp)}</>
    case 'typed':
      return <Typed text={value.text} />
    case 'program':
      return <span lang="en">{value.text}</span>
    case 'product':
      return <Product product={value.product} />
  }
}

export function Joined({ values, between }: { values: readonly Value[]; between: string }) {
  return <>{values.flatMap((value, at) => [at > 0 && between, <Said key={at} value={value} />])}</>
}

function elementsOf(values: Readonly<Record<string, Value>>) {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, <Said key={name} value={value} />]),
  )
}

/** An order describes its goods; of other stones the notice says what they are. */
function Product({ product: { description, stone } }: { product: NoticeProduct }) {
  if (description || !stone) return <Goods line={{ description }} />
  return <>{stoneText(stone)}</>
}

/** `1.52 ct round F VS1, lab grown` */
function stoneText({ weight, shape, type, species, color, clarity }: NoticeStone): string {
  const words = [
    weight !== null && carats(weight),
    shape && humanize(shape),
    color && valueLabel(color),
    species && humanize(species),
    clarity,
  ]
  const grown = type === 'lab grown' && humanize(type)
  return [words.filter(Boolean).join(' '), grown].filter(Boolean).join(', ')
}
