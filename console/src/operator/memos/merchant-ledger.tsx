import type { OperatorMemo } from '../../api/operator/memos.ts'
import { t } from '../../language/language.ts'
import { money } from '../../lib/format.ts'
import { withParams } from '../../lib/router.ts'
import { ScrollArea } from '../../parts/scroll-area.tsx'
import { BUCKETS, type Bucket, bucketLabel } from './buckets.ts'

interface Ledger {
  uuid: string
  name: string
  total: number
  values: Partial<Record<Bucket, number>>
}

/** What each merchant has, by how late it is; the one with the most comes first. */
export function MerchantLedger({ memos }: { memos: readonly OperatorMemo[] }) {
  return (
    <ScrollArea label={t('Memos by merchant')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('Merchant')}</th>
            {BUCKETS.map((bucket) => (
              <th key={bucket} scope="col" class="number">
                {bucketLabel(bucket)}
              </th>
            ))}
            <th scope="col" class="number">
              {t('Total')}
            </th>
          </tr>
        </thead>
        <tbody>
          {ledgersOf(memos).map((ledger) => (
            <tr key={ledger.uuid}>
              <td>
                <a href={withParams({ merchant: ledger.uuid })}>{ledger.name}</a>
              </td>
              {BUCKETS.map((bucket) => (
                <td key={bucket} class="number">
                  {ledger.values[bucket] ? money(ledger.values[bucket], 'USD') : ''}
                </td>
              ))}
              <td class="number">
                <strong>{money(ledger.total, 'USD')}</strong>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

function ledgersOf(memos: readonly OperatorMemo[]): Ledger[] {
  const ledgers = new Map<string, Ledger>()
  for (const { merchant_uuid: uuid, merchant_legal_dba: name, bucket, value } of memos) {
    const ledger = ledgers.get(uuid) ?? { uuid, name, total: 0, values: {} }
    ledgers.set(uuid, ledger)
    ledger.total = added(ledger.total, value)
    ledger.values[bucket] = added(ledger.values[bucket] ?? 0, value)
  }
  return [...ledgers.values()].sort((one, other) => other.total - one.total)
}

const added = (one: number, other: number) => Math.round((one + other) * 100) / 100
