import type { Lab } from './lab.ts'
import { until } from './until.ts'

/** Kills the leader and all its processes, and starts it again when another leads. */
export async function killLeader(lab: Lab): Promise<void> {
  const leader = await presentLeader(lab)
  await lab.servers[leader].kill()
  await otherLeader(lab, leader)
  lab.servers[leader].start()
}

export async function switchOver(lab: Lab): Promise<void> {
  const leader = await presentLeader(lab)
  await lab.switchOver()
  await otherLeader(lab, leader)
}

/** Freezes the leader, Patroni included, until another one leads. */
export async function freezeLeader(lab: Lab): Promise<void> {
  const leader = await presentLeader(lab)
  lab.servers[leader].freeze()
  await otherLeader(lab, leader)
  lab.servers[leader].thaw()
}

/** Resolves to the number of the server that leads. */
async function presentLeader(lab: Lab): Promise<number> {
  let leader: number | undefined
  await until(async () => {
    leader = await lab.leader()
    return leader !== undefined
  }, 'a server leads')
  return leader as number
}

function otherLeader(lab: Lab, before: number): Promise<void> {
  return until(async () => {
    const leader = await lab.leader()
    return leader !== undefined && leader !== before
  }, 'another server leads')
}
