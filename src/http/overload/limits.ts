/** The bounds of one process. Both markets of a process have their own. */
export interface OverloadLimits {
  /** How much of a turn of the event loop goes to new calls while the loop is behind. */
  loopDelayMs: number
  /** A turn with fewer calls is not an overload, however long it took: the machine may be busy. */
  callsPerTurn: number
  /** Calls that work at the same time; further ones wait for their turn. */
  running: number
  /** Calls in flight, working and waiting, while there are more than the server can answer. */
  steady: number
  /** Calls in flight while more calls are refused than accepted. */
  least: number
  /** `least` for searches, which take nothing but processor time. */
  leastSearches: number
  /** Calls in flight while a burst is answered. */
  burst: number
  /** A burst, or a pause of the event loop, may take this long; then it is an overload. */
  burstMs: number
}

/**
 * PostgreSQL has ten connections for requests, so ten running calls keep all of them busy. With
 * more in flight, calls are answered later, but no more of them (bench/overload). A shop that keeps
 * two dozen calls open is at the server's capacity, but does not overload it: none is refused.
 * When most calls are refused anyway, an accepted one is answered sooner with fewer beside it; with
 * five orders in flight, though, fewer were answered (docs/decisions/0013-overload.md).
 *
 * Two hundred buyers who want the same stone at the same moment are a burst: all are answered.
 */
export const OVERLOAD_LIMITS: OverloadLimits = {
  loopDelayMs: 20,
  callsPerTurn: 24,
  running: 10,
  steady: 24,
  least: 7,
  leastSearches: 5,
  burst: 300,
  burstMs: 300,
}

/** No call is refused: for benches that look for the limit, and for tests on a busy machine. */
export const NO_OVERLOAD_LIMITS: OverloadLimits = {
  loopDelayMs: Number.POSITIVE_INFINITY,
  callsPerTurn: Number.POSITIVE_INFINITY,
  running: Number.POSITIVE_INFINITY,
  steady: Number.POSITIVE_INFINITY,
  least: Number.POSITIVE_INFINITY,
  leastSearches: Number.POSITIVE_INFINITY,
  burst: Number.POSITIVE_INFINITY,
  burstMs: Number.POSITIVE_INFINITY,
}

/**
 * Connections that wait until they are accepted. With Node's own 511, a crowd of new connections
 * overflows: the kernel drops the others silently, and their callers try again a second later.
 */
export const LISTEN_BACKLOG = 4_096
