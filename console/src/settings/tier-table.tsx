import { t, tIn } from '../language/language.ts'
import { numberIn, numberText } from '../lib/numbers.ts'
import { ScrollArea } from '../parts/scroll-area.tsx'
import type { TierText } from './margin-tiers.ts'

const FIELDS = [
  ['min', t('From')],
  ['max', tIn('range', 'To')],
  ['mined_percent', t('Mined %')],
  ['lab_percent', t('Lab grown %')],
] as const

/** The tiers in a table with a field in each cell. */
export function TierTable(props: {
  tiers: TierText[]
  unit: string
  onChange: (tiers: TierText[]) => void
}) {
  const { tiers, unit, onChange } = props
  const write = (row: number, field: keyof TierText, value: string) =>
    onChange(tiers.map((tier, index) => (index === row ? { ...tier, [field]: value } : tier)))
  const add = () => {
    const last = tiers.at(-1)
    const from = last ? numberIn(last.max) || 0 : 0
    const next = {
      min: numberText(from),
      max: numberText(from + 1),
      mined_percent: '30',
      lab_percent: '45',
    }
    onChange([...tiers, next])
  }
  return (
    <>
      <ScrollArea class="wide-scroll" label={t('Tiers')}>
        <table>
          <thead>
            <tr>
              {FIELDS.map(([field, label]) => (
                <th key={field} scope="col">
                  {label}
                  {(field === 'min' || field === 'max') && ` (${unit})`}
                </th>
              ))}
              <td />
            </tr>
          </thead>
          <tbody>
            {tiers.map((tier, row) => (
              <tr key={row}>
                {FIELDS.map(([field, label]) => (
                  <td key={field}>
                    <input
                      class="input"
                      inputMode="decimal"
                      style={{ minWidth: '72px' }}
                      aria-label={t('{field}, tier {n}', { field: label, n: row + 1 })}
                      aria-invalid={numberIn(tier[field]) >= 0 ? undefined : 'true'}
                      value={tier[field]}
                      onInput={(event) => write(row, field, event.currentTarget.value)}
                    />
                  </td>
                ))}
                <td>
                  <button
                    type="button"
                    class="button is-small is-quiet"
                    onClick={() => onChange(tiers.filter((_, index) => index !== row))}
                  >
                    {t('Remove')}
                    <span class="visually-hidden"> {t('tier {n}', { n: row + 1 })}</span>
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
      <div>
        <button type="button" class="button is-small" onClick={add}>
          {t('Add tier')}
        </button>
      </div>
    </>
  )
}
