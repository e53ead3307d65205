import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findFaults } from './checks.ts'
import { freezeLeader, killLeader, switchOver } from './faults.ts'
import { type Lab, startLab } from './lab.ts'
import { type Load, startLoad } from './load.ts'
import { missingPrograms } from './programs.ts'

const MISSING = missingPrograms.length > 0 ? ` (not installed: ${missingPrograms.join(', ')})` : ''

/** Orders before and after each fault. */
const ORDERS = 10

/**
 * Three nodes on three servers of PostgreSQL, as in deploy/cluster/. The long version, with more
 * kinds of faults and times, is bench/failover.ts.
 */
describe.skipIf(missingPrograms.length > 0)(`a cluster${MISSING}`, () => {
  let lab: Lab
  let load: Load

  beforeAll(async () => {
    lab = await startLab({ stones: 400, times: { ttl: 10, loop_wait: 1, retry_timeout: 3 } })
    load = startLoad(lab, { clients: 3, pauseMs: 100 })
  })
  afterAll(async () => {
    await load?.stop()
    await lab?.close()
  })

  it.each([
    ['is killed', killLeader],
    ['is switched over', switchOver],
    ['is frozen and thawed', freezeLeader],
  ])('loses and repeats no order when its leader %s, and searches on', async (what, fault) => {
    await load.ordered(ORDERS)
    const before = { pids: pids(lab), refused: load.refused() }
    await fault(lab)
    await load.ordered(ORDERS)
    await lab.healthy()
    await load.ordered(ORDERS)
    await load.pause()
    const faults = await findFaults(lab, load)
    load.resume()
    expect(faults).toEqual([])
    expect(pids(lab)).toEqual(before.pids)
    // A switch-over may fit between two orders.
    if (what !== 'is switched over') expect(load.refused()).toBeGreaterThan(before.refused)
  })
})

/** Of the nodes, none of which has to be started again. */
function pids(lab: Lab): (number | undefined)[] {
  return lab.nodes.map(({ running: { child } }) =>
    child.exitCode === null && child.signalCode === null ? child.pid : undefined,
  )
}
