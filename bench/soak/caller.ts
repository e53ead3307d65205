import type { Recording } from './record.ts'

export interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  key?: string
  /** Sent as JSON. */
  body?: unknown
  /** Sent as it is. */
  content?: string
  type?: string
  /** Hangs up after this time, whether or not there is an answer. */
  hangUpMs?: number
}

export interface Answer {
  status: number
  text: string
}

/** Sends a call of a kind; undefined when there is no answer. */
export type Send = (kind: string, call: Call) => Promise<Answer | undefined>

/** Longer than a long poll waits and than a snapshot or an import takes. */
const ANSWER_MS_MAX = 120_000

export function createCaller(address: string, recording: Recording): Send {
  return async (kind, call) => {
    const startedAt = performance.now()
    const signal = AbortSignal.timeout(call.hangUpMs ?? ANSWER_MS_MAX)
    try {
      const response = await fetch(`${address}${call.path}`, { ...initOf(call), signal })
      const answer = { status: response.status, text: await response.text() }
      const ms = performance.now() - startedAt
      recording.answered(kind, ms, answer.status, problemOf(answer))
      return answer
    } catch (error) {
      if (call.hangUpMs !== undefined && signal.aborted) recording.hungUp(kind)
      else recording.lost(kind, reasonOf(error))
      return undefined
    }
  }
}

function initOf({ method = 'GET', key, body, content, type }: Call): RequestInit {
  const contentType = body === undefined ? type : 'application/json'
  return {
    method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(contentType !== undefined && { 'content-type': contentType }),
    },
    ...(content !== undefined && { body: content }),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }
}

function problemOf({ status, text }: Answer): string | undefined {
  const code = status < 400 ? undefined : /"code":"(\w+)"/.exec(text)?.[1]
  return code && `${code}: ${/"detail":"([^"]{0,100})/.exec(text)?.[1] ?? ''}`
}

function reasonOf(error: unknown): string {
  const { name, cause } = error as Error & { cause?: NodeJS.ErrnoException }
  return cause?.code ?? cause?.message ?? name
}

/** The body of an answer that succeeded. */
export function bodyOf<Body>(answer: Answer | undefined): Body | undefined {
  return answer && answer.status < 300 ? (JSON.parse(answer.text) as Body) : undefined
}
