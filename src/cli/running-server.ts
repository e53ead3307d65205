import type { Config } from '../config.ts'

const ANSWER_MS = 1_000

/** Whether a Pavilion server answers on the configured port; its process id when it does. */
export async function findRunningServer({ host, port }: Config): Promise<number | undefined> {
  const named = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host
  try {
    const answer = await fetch(`http://${named}:${port}/healthz`, {
      signal: AbortSignal.timeout(ANSWER_MS),
    })
    const { name, pid } = (await answer.json()) as { name?: string; pid?: number }
    return name === 'pavilion' ? pid : undefined
  } catch {
    return undefined
  }
}
