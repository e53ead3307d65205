import { searchDiamonds } from '../api/gems.ts'
import { useRead } from '../api/hooks.ts'
import { sessionCurrency } from '../api/session-store.ts'
import { decimal, money } from '../lib/format.ts'

/** The currency of the merchant, and how much of it is a US dollar today. */
interface Rate {
  currency: string
  rate: number
}

/**
 * Every stone carries the rate of its prices, so the first one of the market tells it. A merchant
 * that sees US dollars has none.
 */
export function useOwnRate(): Rate | undefined {
  const currency = sessionCurrency()
  const reading = useRead(`rate ${currency}`, async (signal) => {
    if (currency === 'USD') return undefined
    const order = { sort_col: 'weight', sort_order: 'asc' } as const
    const { gems } = await searchDiamonds({ limit: 1, offset: 0, ...order }, signal)
    return gems[0] && { currency, rate: gems[0].exchange_rate }
  })
  return reading.value
}

/** An amount in US dollars, and in the merchant's currency where that is another one. */
export function BothCurrencies(props: { amount: number; rate: Rate | undefined }) {
  const { amount, rate } = props
  return (
    <>
      {money(amount, 'USD')}
      {rate && <span class="muted small both">{money(amount * rate.rate, rate.currency)}</span>}
    </>
  )
}

/** The rate in words. */
export function RateNote({ rate, text }: { rate: Rate | undefined; text: string }) {
  if (!rate) return null
  return (
    <p class="muted small">
      1 USD = {decimal(rate.rate, 4)} {rate.currency}. {text}
    </p>
  )
}
