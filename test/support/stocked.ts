import { inTransaction } from '../../src/database/transaction.ts'
import { logChanges } from '../../src/events/change-log.ts'
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

/** Waits until the index contains everything that is committed. */
export async function indexed({ app }: TestMarket): Promise<void> {
  while (app.services.diamonds.index.sequence() === undefined) {
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await app.services.diamonds.index.catchUp()
}
