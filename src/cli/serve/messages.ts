import type { Config } from '../../config.ts'
import type { Realm } from '../../merchants/token.ts'
import type { PreparedMarket } from './open-markets.ts'

/** What the first process tells its workers. */
export type ToWorker =
  | { kind: 'serve'; config: Config; markets: PreparedMarket[] }
  | { kind: 'stop' }
  /** Asks for the worker's own metrics, on behalf of request `id`. */
  | { kind: 'collect'; id: number; realm: Realm }
  /** The metrics of all workers, which this worker asked for. */
  | { kind: 'collected'; id: number; text: string }

/** What a worker tells the first process. */
export type FromWorker =
  /** It listens to messages now; what was sent earlier is lost. */
  | { kind: 'ready' }
  | { kind: 'serving'; addresses: [Realm, string][] }
  | { kind: 'failed'; message: string }
  | { kind: 'collect'; id: number; realm: Realm }
  | { kind: 'metrics'; id: number; metrics: object[] }
