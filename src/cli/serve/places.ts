/** Where the server listens, and what to set when it cannot. */
import { createServer } from 'node:net'
import type { Config } from '../../config.ts'
import type { Realm } from '../../merchants/token.ts'
import { realmsOf } from '../market.ts'
import { CommandRefusal } from '../output/print.ts'

export interface Place {
  host: string
  port: number
  /** The settings of both. */
  settings: readonly [string, string]
}

export function placeOf({ host, port, sandboxPort }: Config, realm: Realm): Place {
  if (realm === 'live') return { host, port, settings: ['HOST', 'PORT'] }
  return { host, port: sandboxPort, settings: ['HOST', 'SANDBOX_PORT'] }
}

/** Undefined when metrics have no port of their own. */
export function placeOfMetrics({ metricsHost: host, metricsPort: port }: Config) {
  if (port === undefined) return undefined
  return { host, port, settings: ['METRICS_HOST', 'METRICS_PORT'] } satisfies Place
}

/** A new demo market takes half a minute: what would stop the server after it is found before. */
export async function refuseTakenPorts(config: Config): Promise<void> {
  const metrics = placeOfMetrics(config)
  const places = realmsOf(config).map((realm) => placeOf(config, realm))
  for (const place of metrics ? [...places, metrics] : places) {
    const problem = describeListenError(place, (await findListenError(place)) ?? '')
    if (problem !== undefined) throw new CommandRefusal('address_unavailable', problem)
  }
}

/** Returns the system's code for why nothing can listen there, or undefined. */
export function findListenError({ host, port }: Omit<Place, 'settings'>) {
  return new Promise<string | undefined>((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ host, port }, () => server.close(() => resolve(undefined)))
  })
}

/** Returns what to set, when another address or port would help. */
export function describeListenError(
  { host, port, settings }: Place,
  code: string,
): string | undefined {
  const [hostSetting, portSetting] = settings
  const change = `set ${portSetting} to another port.`
  if (code === 'EADDRINUSE') return `Port ${port} is in use by another program; ${change}`
  if (code === 'EACCES') return `Port ${port} needs more privileges; ${change}`
  if (!['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL', 'EINVAL'].includes(code)) return undefined
  return `${hostSetting} is "${host}", which is not an address of this machine (${code}).`
}
