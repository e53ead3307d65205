import { useEffect } from 'preact/hooks'
import type { Quote } from '../../api/orders.ts'
import { isLive } from './status.tsx'

/** Until a quote is read again that ended by the clock of the browser, which may be ahead. */
const AGAIN_MS = 5_000

/** Reads a quote again when its time is over: nothing more can be done with it then. */
export function useQuoteEnd(
  quote: Pick<Quote, 'status' | 'expires_on'> | undefined,
  reload: () => void,
): void {
  useEffect(() => {
    if (!quote || !isLive(quote)) return
    const leftMs = Date.parse(quote.expires_on) - Date.now()
    const timer = setTimeout(reload, Math.max(leftMs, AGAIN_MS))
    return () => clearTimeout(timer)
  }, [quote, reload])
}
