import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { needsOldEtcd, pathOf } from './programs.ts'

/** Ports on loopback. */
export interface LabPorts {
  etcd: number
  etcdPeers: number
  /** Of each database server. */
  postgres: number[]
  patroni: number[]
  nodes: number[]
  /** haproxy before the nodes, and before the leader. */
  market: number
  leader: number
}

/** How soon Patroni notices a leader that is gone, in seconds. */
export interface PatroniTimes {
  ttl: number
  loop_wait: number
  retry_timeout: number
}

const read = (name: string) => readFileSync(join('deploy/cluster', name), 'utf8')
const local = (port: number) => `127.0.0.1:${port}`

export function etcdArguments({ etcd, etcdPeers }: LabPorts, folder: string): string[] {
  const client = `http://${local(etcd)}`
  const peers = `http://${local(etcdPeers)}`
  return [
    ...['--name', 'lab', '--data-dir', join(folder, 'etcd')],
    ...['--listen-client-urls', client, '--advertise-client-urls', client],
    ...['--listen-peer-urls', peers, '--initial-advertise-peer-urls', peers],
    ...['--initial-cluster', `lab=${peers}`, '--log-level', 'warn'],
    ...(needsOldEtcd() ? ['--enable-v2'] : []),
  ]
}

interface PatroniOptions {
  ports: LabPorts
  folder: string
  password: string
  times: PatroniTimes
}

/** What `deploy/cluster/patroni.yaml` says, with the addresses of the lab. */
export function patroniSettings(index: number, options: PatroniOptions): object {
  const { ports, folder, password, times } = options
  const { etcd3: _, ...settings } = parse(read('patroni.yaml'))
  const authentication = Object.fromEntries(
    Object.entries<object>(settings.postgresql.authentication).map(([name, role]) => [
      name,
      { ...role, password },
    ]),
  )
  const listen = local(ports.patroni[index])
  const { dcs } = settings.bootstrap
  Object.assign(dcs, times)
  // No other machine has to survive a power cut, and nothing is reached but by TCP.
  Object.assign(dcs.postgresql.parameters, {
    fsync: 'off',
    shared_buffers: '32MB',
    unix_socket_directories: '',
  })
  return {
    ...settings,
    name: serverName(index),
    restapi: { listen, connect_address: listen },
    [needsOldEtcd() ? 'etcd' : 'etcd3']: { hosts: local(ports.etcd) },
    postgresql: {
      listen: local(ports.postgres[index]),
      connect_address: local(ports.postgres[index]),
      data_dir: dataFolder(index, folder),
      bin_dir: pathOf('postgres'),
      pgpass: join(folder, `pgpass-${index + 1}`),
      authentication,
      pg_hba: [
        'host replication replicator 127.0.0.1/32 scram-sha-256',
        'host all all 127.0.0.1/32 scram-sha-256',
      ],
    },
    watchdog: { mode: 'off' },
  }
}

export const serverName = (index: number) => `database-${index + 1}`
export const dataFolder = (index: number, folder: string) => join(folder, serverName(index))

/** `deploy/cluster/haproxy.cfg` with the addresses of the lab. */
export function haproxySettings({ market, leader, nodes, patroni, postgres }: LabPorts): string {
  return (
    read('haproxy.cfg')
      // More needs more descriptors than an ordinary user may have.
      .replace('maxconn 8192', 'maxconn 400')
      .replace('bind :80\n', `bind ${local(market)}\n`)
      .replace('bind :5432\n', `bind ${local(leader)}\n`)
      .replace(/(node|any)-(\d) \S+/g, (_, name, n) => `${name}-${n} ${local(nodes[n - 1])}`)
      .replace(
        /database-(\d) \S+ check port \d+/g,
        (_, n) => `database-${n} ${local(postgres[n - 1])} check port ${patroni[n - 1]}`,
      )
  )
}
