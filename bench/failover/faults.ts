import type { Lab } from '../../test/cluster/lab.ts'
import type { LabProcess } from '../../test/cluster/process.ts'
import { until } from '../../test/cluster/until.ts'

/** Ends a fault. */
type End = () => Promise<void> | void

export interface Fault {
  name: string
  /** What it is done to: two faults of one target do not overlap. */
  target: 'leader' | 'standby' | 'etcd' | 'haproxy' | 'nodes'
  /** How long it may last in a simulation. */
  seconds: [least: number, most: number]
  /** Calls to these may stay without an answer meanwhile. */
  unreachable?: (lab: Lab) => string[]
  begin(lab: Lab): Promise<End> | End
}

const front = (lab: Lab) => [lab.frontAddress]

export const FAULTS = {
  killLeader: {
    name: 'the leader is killed',
    target: 'leader',
    seconds: [0, 30],
    begin: async (lab) => killed(await leaderOf(lab)),
  },
  switchOver: {
    name: 'the leader is switched over',
    target: 'leader',
    seconds: [0, 10],
    async begin(lab) {
      // Patroni refuses it while no standby is healthy.
      await lab.switchOver().catch(() => {})
      return () => {}
    },
  },
  freezeLeader: {
    name: 'the leader is frozen',
    target: 'leader',
    seconds: [2, 50],
    begin: async (lab) => frozen(await leaderOf(lab)),
  },
  freezeStandby: {
    name: 'the synchronous standby is frozen',
    target: 'standby',
    seconds: [2, 40],
    begin: async (lab) => frozen(await standbyOf(lab)),
  },
  killStandby: {
    name: 'the synchronous standby is killed',
    target: 'standby',
    seconds: [0, 30],
    begin: async (lab) => killed(await standbyOf(lab)),
  },
  killEtcd: {
    name: 'etcd is away',
    target: 'etcd',
    seconds: [1, 40],
    begin: ({ etcd }) => killed(etcd),
  },
  killHaproxy: {
    name: 'haproxy is killed',
    target: 'haproxy',
    seconds: [0, 10],
    unreachable: front,
    async begin(lab) {
      await lab.haproxy.kill()
      return async () => {
        lab.haproxy.start()
        const isThere = () =>
          fetch(`${lab.frontAddress}/healthz`).then(
            () => true,
            () => false,
          )
        await until(isThere, 'haproxy answers')
      }
    },
  },
  freezeHaproxy: {
    name: 'haproxy is frozen',
    target: 'haproxy',
    seconds: [1, 25],
    unreachable: front,
    begin: ({ haproxy }) => frozen(haproxy),
  },
  killNode: {
    name: 'a node is killed',
    target: 'nodes',
    seconds: [0, 10],
    unreachable: ({ nodes, frontAddress }) => [nodes[0].address, frontAddress],
    async begin({ nodes }) {
      await nodes[0].kill()
      return () => nodes[0].start()
    },
  },
  freezeNode: {
    name: 'a node is frozen',
    target: 'nodes',
    seconds: [1, 30],
    unreachable: ({ nodes, frontAddress }) => [nodes[1].address, frontAddress],
    begin({ nodes }) {
      const { child } = nodes[1].running
      child.kill('SIGSTOP')
      return () => void child.kill('SIGCONT')
    },
  },
  restartNodes: {
    name: 'nodes are restarted in turn',
    target: 'nodes',
    seconds: [0, 0],
    // A node that stops is not searched, but haproxy must find another one for every call.
    unreachable: ({ nodes }) => nodes.map(({ address }) => address),
    async begin({ nodes }) {
      for (const node of nodes) {
        await node.stop()
        await node.start()
      }
      return () => {}
    },
  },
} satisfies Record<string, Fault>

async function leaderOf(lab: Lab): Promise<LabProcess> {
  return lab.servers[(await lab.leader()) ?? 0]
}

/** The one that confirms commits. */
async function standbyOf(lab: Lab): Promise<LabProcess> {
  const leader = (await lab.leader()) ?? 0
  return lab.servers[(await lab.synchronousStandby()) ?? (leader + 1) % lab.servers.length]
}

async function killed(process: LabProcess): Promise<End> {
  await process.kill()
  return () => process.start()
}

function frozen(process: LabProcess): End {
  process.freeze()
  return () => process.thaw()
}
