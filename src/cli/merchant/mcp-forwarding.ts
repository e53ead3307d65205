import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/sdk/types.js'

/** Longer than any call takes that the server answers at all. */
const ANSWER_MS_MAX = 120_000
/** The code of JSON-RPC for errors of a server's own kind. */
const SERVER_ERROR = -32_000

type Forward = (message: JSONRPCMessage) => Promise<JSONRPCMessage | undefined>

/** What went wrong on the way, or what the market refused before it read the message. */
interface Failure {
  code: string
  detail: string
}

/**
 * Sends messages to `/mcp` as they are, and returns what it answers; undefined for a notification.
 * What the market refuses before it reads a message becomes an answer, too.
 */
export function createForwarding(address: string, key: string): Forward {
  let version: string | undefined
  return async (message) => {
    const answered = await send(address, key, version, message)
    if (answered === undefined || !isRequest(message)) return undefined
    if (!isAnswer(answered)) return refusalOf(message, answered)
    if (message.method === 'initialize') version = versionIn(answered) ?? version
    return answered
  }
}

async function send(
  address: string,
  key: string,
  version: string | undefined,
  message: JSONRPCMessage,
): Promise<JSONRPCMessage | Failure | undefined> {
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...(version !== undefined && { 'mcp-protocol-version': version }),
      },
      body: JSON.stringify(message),
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    })
    const text = await response.text()
    return text === '' ? undefined : read(text, address, response.status)
  } catch (error) {
    return { code: 'unreachable', detail: `${address} cannot be reached: ${reasonOf(error)}.` }
  }
}

function read(text: string, address: string, status: number): JSONRPCMessage | Failure {
  const body = parsed(text)
  if (body !== null && typeof body === 'object' && ('jsonrpc' in body || 'code' in body)) {
    return body as JSONRPCMessage | Failure
  }
  const detail = `${address} is not the /mcp of a market; it answered with the status ${status}.`
  return { code: 'unreachable', detail }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Node hides why a connection failed in the cause of its error. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error && cause.message !== '' ? cause.message : message
}

function isRequest(message: JSONRPCMessage): message is JSONRPCRequest {
  return 'method' in message && 'id' in message
}

function isAnswer(body: JSONRPCMessage | Failure): body is JSONRPCMessage {
  return 'jsonrpc' in body
}

function versionIn(answered: JSONRPCMessage): string | undefined {
  const { result } = answered as { result?: { protocolVersion?: unknown } }
  return typeof result?.protocolVersion === 'string' ? result.protocolVersion : undefined
}

/** A tool that is refused says so in its result, which a model reads; other requests fail. */
function refusalOf({ id, method }: JSONRPCRequest, { code, detail }: Failure): JSONRPCMessage {
  if (method === 'tools/call') {
    const text = JSON.stringify({ code, detail })
    return { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }], isError: true } }
  }
  const error = { code: SERVER_ERROR, message: `${code}: ${detail}` }
  return { jsonrpc: '2.0', id, error }
}
