import type { Place } from './cluster.ts'
import { findPostmaster, stopPostmaster } from './postmaster.ts'
import { leaveServer, type Session } from './session.ts'

/** Lets go of the server; who is the last stops it. True: it was stopped. */
export async function leave(place: Place, session: Session): Promise<boolean> {
  if (!(await leaveServer(session))) return false
  const running = await findPostmaster(place)
  if (running !== undefined) await stopPostmaster(running.pid)
  return true
}
