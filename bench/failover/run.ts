import { setTimeout as sleep } from 'node:timers/promises'
import { findFaults } from '../../test/cluster/checks.ts'
import { startImports } from '../../test/cluster/imports.ts'
import { type Lab, startLab } from '../../test/cluster/lab.ts'
import { startLoad } from '../../test/cluster/load.ts'
import { missingPrograms } from '../../test/cluster/programs.ts'
import { until } from '../../test/cluster/until.ts'
import type { Fault } from './faults.ts'
import { type Figures, figuresOf, watchServers } from './watch.ts'

/** A fault that lasts so long, and perhaps another one that begins meanwhile. */
export interface Step {
  fault: Fault
  seconds: number
  second?: { fault: Fault; afterSeconds: number; seconds: number }
}

export interface Run {
  lab: Lab
  /** Does the step, waits until all is well, checks everything, and prints what clients noticed. */
  take(step: Step): Promise<Figures>
}

/** As `deploy/cluster/patroni.yaml`. */
const TIMES = { ttl: 20, loop_wait: 1, retry_timeout: 5 }
const STONES = 20_000
const ORDERS_BETWEEN = 20

/** Runs the work on a lab under load. Exits with 1 at the first fault, and keeps the logs. */
export async function withLab(work: (run: Run) => Promise<void>): Promise<void> {
  if (missingPrograms.length > 0) {
    throw new Error(`not installed: ${missingPrograms.join(', ')}`)
  }
  const lab = await startLab({ stones: STONES, times: TIMES })
  await Promise.all(lab.nodes.map(({ address }) => untilRendered(address)))
  const load = startLoad(lab, { clients: 6, pauseMs: 50 })
  const imports = startImports(lab, load.faults)
  const watch = await watchServers(lab)
  const addresses = [...lab.nodes.map(({ address }) => address), lab.frontAddress]

  async function during(name: string, away: readonly string[], work: () => Promise<void>) {
    await load.ordered(ORDERS_BETWEEN)
    const refusedBefore = load.refused()
    const fromMs = performance.now()
    load.tolerate(away)
    await work()
    await lab.healthy()
    load.tolerate([])
    await load.ordered(ORDERS_BETWEEN)
    const toMs = performance.now()
    await Promise.all([load.pause(), imports.pause()])
    const faults = await findFaults(lab, load)
    load.resume()
    imports.resume()
    const figures = figuresOf(load, watch, { fromMs, toMs, addresses, away })
    figures.refused = load.refused() - refusedBefore
    print(name, figures)
    if (faults.length > 0) throw new FaultsFound(faults)
    return figures
  }

  const take = (step: Step) => during(nameOf(step), unreachable(lab, step), () => doStep(lab, step))
  try {
    await work({ lab, take })
    const { orders, searchedAtMs } = load
    const searches = searchedAtMs.reduce((sum, { length }) => sum + length, 0)
    console.log(
      `${orders.length} orders, ${searches} searches and ${imports.count()} imports: ` +
        'nothing lost, nothing doubled, no stone sold twice, all indexes equal to the table',
    )
    await Promise.all([load.stop(), imports.stop(), watch.stop()])
    await lab.close()
  } catch (error) {
    if (!(error instanceof FaultsFound)) console.error(error)
    else printFaults(error.faults)
    await lab.close({ keepLogs: true })
    console.error(`The logs are in ${lab.folder}`)
    process.exit(1)
  }
}

/** Until all stones of a node are rendered, a search may need the database (decision 29). */
async function untilRendered(address: string): Promise<void> {
  const name = 'pavilion_index_stored_stones'
  await until(async () => {
    const text = await (await fetch(`${address}/metrics`)).text()
    const count = (metric: string) =>
      Number(new RegExp(`^${metric}(?:\\{.*\\})? (\\d+)$`, 'm').exec(text)?.[1] ?? Number.NaN)
    return count(name) >= count('pavilion_index_stones')
  }, `${address} has rendered all stones`)
}

class FaultsFound extends Error {
  readonly faults: readonly string[]
  constructor(faults: readonly string[]) {
    super(faults[0])
    this.faults = faults
  }
}

async function doStep(lab: Lab, { fault, seconds, second }: Step): Promise<void> {
  const undo = await fault.begin(lab)
  const other = async () => {
    if (!second) return
    await sleep(second.afterSeconds * 1_000)
    const undoSecond = await second.fault.begin(lab)
    await sleep(second.seconds * 1_000)
    await undoSecond()
  }
  const first = async () => {
    await sleep(seconds * 1_000)
    await undo()
  }
  await Promise.all([first(), other()])
}

function unreachable(lab: Lab, { fault, second }: Step): string[] {
  return [...(fault.unreachable?.(lab) ?? []), ...(second?.fault.unreachable?.(lab) ?? [])]
}

function nameOf({ fault, seconds, second }: Step): string {
  const also = second
    ? `, after ${second.afterSeconds} s ${second.fault.name} for ${second.seconds} s`
    : ''
  return `${fault.name} for ${seconds} s${also}`
}

/** Each once, with how often it occurred. */
function printFaults(faults: readonly string[]): void {
  const counts = new Map<string, number>()
  for (const fault of faults) counts.set(fault, (counts.get(fault) ?? 0) + 1)
  for (const [fault, count] of counts) console.error(`FAULT (${count} times): ${fault}`)
}

function print(name: string, figures: Figures): void {
  const { searchGap, acceptedMs, writtenMs, orderGap, answerMs, stalledMs, refused } = figures
  const seconds = (ms: number | undefined) => (ms === undefined ? '-' : (ms / 1000).toFixed(2))
  const [gap, gapAt] = [seconds(searchGap?.ms), seconds(searchGap?.afterMs)]
  console.log(
    [
      name.padEnd(48),
      `searches ${gap.padStart(5)} at ${gapAt.padStart(5)}`,
      `no order ${seconds(orderGap.ms).padStart(5)}`,
      `after election ${seconds(acceptedMs).padStart(5)}, bare ${seconds(writtenMs).padStart(5)}`,
      `answer ${seconds(answerMs).padStart(5)}`,
      `${String(refused).padStart(4)} refused`,
      `bench stalled ${seconds(stalledMs)}`,
    ].join('  '),
  )
}
