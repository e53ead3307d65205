import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { PARCEL_QUANTITY, runCrashes } from './crash-support.ts'

it('neither loses nor repeats an order or a payment when the API and PostgreSQL are killed under load', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pavilion-crash-'))
  chmodSync(folder, 0o711)
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const result = await runCrashes({
    folder,
    clients: 8,
    kills: ['api', 'postgres', 'api', 'postgres'],
  })
  expect(result.repeated).toBeGreaterThan(0)
  expect(result.acknowledged.length).toBeGreaterThan(0)
  expect(new Set(result.acknowledged).size).toBe(result.acknowledged.length)
  expect(result.orders).toBe(result.acknowledged.length)
  expect(result.unknown).toBe(0)
  expect(result.events).toBe(result.orders)
  expect(result.paid).toBe(result.acknowledged.length)
  expect([result.payments, result.paymentEvents]).toEqual([result.paid, result.paid])
  expect(result.wrongLedgers).toBe(0)
  expect(result.sums).toEqual(result.sums.map(() => PARCEL_QUANTITY))
}, 180_000)
