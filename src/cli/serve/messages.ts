/** The messages between the first process and its workers. */
import type { Worker } from 'node:cluster'
import type { Config } from '../../config.ts'
import type { AddressCounts } from '../../http/request/address-limit.ts'
import type { Realm } from '../../merchants/token.ts'
import type { PreparedMarket } from './open-markets.ts'

export type ToWorker =
  | { kind: 'serve'; config: Config; markets: PreparedMarket[] }
  | { kind: 'stop'; drainSeconds: number }
  /** Asks for the worker's own metrics; `id` is repeated in the reply. */
  | { kind: 'collect'; id: number; realm: Realm }
  /** The metrics of all workers, which this worker asked for. */
  | { kind: 'collected'; id: number; text: string }
  /** The calls without a token that the other workers have counted. */
  | ({ kind: 'addresses'; realm: Realm } & AddressCounts)

export type FromWorker =
  /** The worker listens to messages from now on; earlier ones would be lost. */
  | { kind: 'ready' }
  | { kind: 'serving'; addresses: [Realm | 'metrics', string][] }
  /** How many stones the worker has read so far. */
  | { kind: 'loading'; stones: number }
  /** The worker answers searches. */
  | { kind: 'loaded' }
  /** The worker cannot serve: why, as a command says it. */
  | { kind: 'failed'; code: string; detail: string }
  /** Asks for the metrics of all workers. */
  | { kind: 'collect'; id: number; realm: Realm }
  | { kind: 'metrics'; id: number; metrics: object[] }
  /** The calls without a token that this worker has counted. */
  | ({ kind: 'addresses'; realm: Realm } & AddressCounts)

/** Sends a message unless the worker is already gone. */
export function sendTo(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message)
}
