import { setTimeout as sleep } from 'node:timers/promises'
import { inTransaction } from '../../src/database/transaction.ts'
import { logChanges } from '../../src/events/change-log.ts'
import { lastNumber } from './change-log.ts'
import type { TestMarket } from './market.ts'
import { insertStone } from './stones.ts'

type Columns = Parameters<typeof insertStone>[1]

/** Puts stones on sale as a feed does: in the table, in the change log and in the index. */
export async function stockStones(
  market: TestMarket,
  ...stones: Columns[]
): Promise<{ id: number; sku: string }[]> {
  const { db } = market.database
  const inserted: { id: number; sku: string }[] = []
  for (const columns of stones) inserted.push(await insertStone(db, columns))
  await inTransaction(db, (tx) =>
    logChanges(
      tx,
      inserted.map(({ id, sku }) => ({ gem_id: id, sku, kind: 'new' as const })),
    ),
  )
  await indexed(market)
  return inserted
}

/** Waits until both indexes of a node contain everything that is committed. */
export async function indexed({ app }: Pick<TestMarket, 'app'>): Promise<void> {
  const last = await lastNumber(app.services.db)
  for (const { index } of [app.services.diamonds, app.services.gemstones]) {
    while ((index.sequence() ?? -1) < last) {
      await index.catchUp()
      await sleep(20)
    }
  }
}
