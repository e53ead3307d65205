/**
 * Faults of a cluster, one after the other, under continuous orders, searches and imports: three
 * nodes on three servers of PostgreSQL under Patroni, as `deploy/cluster/` describes them. After
 * each fault no acknowledged order may be lost or doubled, no stone sold twice, all indexes must
 * equal the table, and no node may need a restart. Prints what clients noticed. `--minutes` draws
 * faults from a seed instead, which repeats a run.
 *
 *     npx tsx bench/failover.ts [--only haproxy]
 *     npx tsx bench/failover.ts --minutes 30 [--seed 1]
 */
import { parseArgs } from 'node:util'
import { FAULTS, type Fault } from './failover/faults.ts'
import { type Run, type Step, withLab } from './failover/run.ts'
import { buildWhenStale } from './support/built.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    seed: { type: 'string' },
    only: { type: 'string', default: '' },
  },
})
const MINUTES = Number(values.minutes)
/** How many faults of a simulation meet a second one. */
const SECOND_SHARE = 0.3

buildWhenStale()
await withLab(values.minutes === undefined ? everyFault : simulate)

async function everyFault(run: Run): Promise<void> {
  const steps: Step[] = [
    { fault: FAULTS.killLeader, seconds: 30 },
    { fault: FAULTS.switchOver, seconds: 5 },
    { fault: FAULTS.freezeLeader, seconds: 20 },
    { fault: FAULTS.freezeLeader, seconds: 45 },
    { fault: FAULTS.freezeStandby, seconds: 20 },
    { fault: FAULTS.killEtcd, seconds: 30 },
    { fault: FAULTS.killHaproxy, seconds: 1 },
    { fault: FAULTS.freezeHaproxy, seconds: 15 },
    { fault: FAULTS.killNode, seconds: 3 },
    { fault: FAULTS.restartNodes, seconds: 0 },
  ]
  for (const step of steps) if (step.fault.name.includes(values.only)) await run.take(step)
}

async function simulate(run: Run): Promise<void> {
  const seed = Number(values.seed ?? Date.now() % 1_000_000)
  console.log(`to repeat it: npx tsx bench/failover.ts --minutes ${MINUTES} --seed ${seed}`)
  const random = randomFrom(seed)
  const endMs = performance.now() + MINUTES * 60_000
  while (performance.now() < endMs) await run.take(drawStep(random))
}

function drawStep(random: () => number): Step {
  const pick = (faults: readonly Fault[]) => faults[Math.floor(random() * faults.length)]
  const lasting = ({ seconds: [least, most] }: Fault) =>
    Math.round(least + random() ** 2 * (most - least))
  const all: Fault[] = Object.values(FAULTS)
  const fault = pick(all)
  const step: Step = { fault, seconds: lasting(fault) }
  if (random() >= SECOND_SHARE) return step
  const second = pick(all.filter(({ target }) => target !== fault.target))
  const afterSeconds = Math.round(random() * 10)
  return { ...step, second: { fault: second, afterSeconds, seconds: lasting(second) } }
}

/** The same numbers for the same seed: mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
