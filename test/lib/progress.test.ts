import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type Progress, startProgress } from '../../src/lib/progress.ts'

it('Progress has a rate and a time left as soon as it is reported', async () => {
  const reports: Progress[] = []
  const report = startProgress(100, (progress) => reports.push(progress))
  await sleep(250)
  report(0)
  expect(reports).toEqual([])
  report(50)
  expect(reports).toEqual([expect.objectContaining({ rows: 50, total: 100 })])
  expect(Number.isFinite(reports[0].seconds_left)).toBe(true)
})
