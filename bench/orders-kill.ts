import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PARCEL_QUANTITY, runCrashes } from '../test/orders/crash-support.ts'

/**
 * test/orders/crash.test.ts with large numbers: kill -9 of the server and of PostgreSQL, dozens of
 * times each, under load. Every acknowledged order must exist exactly once.
 *
 *     npx tsx bench/orders-kill.ts [kills of each]
 */
const KILLS = Number(process.argv[2] ?? 24)

const folder = await mkdtemp(join(tmpdir(), 'pavilion-kill-'))
await chmod(folder, 0o711)
try {
  const kills = Array.from({ length: KILLS }, () => ['api', 'postgres'] as const).flat()
  const { acknowledged, repeated, reasons, orders, unknown, sums, events } = await runCrashes({
    folder,
    clients: 8,
    kills,
  })
  const isConsistent =
    new Set(acknowledged).size === orders &&
    acknowledged.length === orders &&
    unknown === 0 &&
    events === orders &&
    sums.every((sum) => sum === PARCEL_QUANTITY)
  console.log(
    `${kills.length} kills, ${acknowledged.length} orders acknowledged, ${repeated} requests ` +
      `repeated, ${orders} orders in the database: ${isConsistent ? 'consistent' : 'INCONSISTENT'}`,
  )
  console.log(reasons)
  if (!isConsistent) process.exitCode = 1
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}
