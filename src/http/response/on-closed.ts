import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../lib/refusal.ts'

/**
 * Calls back once when the response has ended, however it ends; at once if the client is gone
 * already. A response that waits for an earlier one of its connection never says that it ended when
 * the connection is lost, so the connection is asked as well.
 */
export function onClosed(request: FastifyRequest, reply: FastifyReply, callback: () => void): void {
  const { socket } = request.raw
  const response = reply.raw
  let hasEnded = false
  const end = () => {
    // Node tells the response of a lost connection that it is closed while it tells the listeners
    // of the connection, and an emitter still calls a listener that was removed meanwhile.
    if (hasEnded) return
    hasEnded = true
    socket.off('close', end)
    response.off('close', end)
    callback()
  }
  if (socket.destroyed || response.closed) {
    end()
  } else {
    socket.on('close', end)
    response.on('close', end)
  }
}

/** Is aborted when the response has ended: work that changes nothing need not be finished then. */
export function untilClosed(request: FastifyRequest, reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const detail = 'The connection was closed before the file was read.'
  onClosed(request, reply, () => controller.abort(new Refusal('invalid_request', detail)))
  return controller.signal
}
