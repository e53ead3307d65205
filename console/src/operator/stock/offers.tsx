import type { StockStone, StoneOffer } from '../../api/stock.ts'
import { t } from '../../language/language.ts'
import { date, humanize, money } from '../../lib/format.ts'
import { ScrollArea } from '../../parts/scroll-area.tsx'
import { StateTag } from './state-tag.tsx'

/** All listings of the stone's certificate: which one merchants see, and why. */
export function StoneOffers({ stone }: { stone: StockStone }) {
  return (
    <ScrollArea label={t('Listings of this stone')}>
      <div class="panel-head">
        <h2>{t('Listings of this stone')}</h2>
        <span class="muted small">
          {stone.certificate ?? t('without a certificate, so that no other listing joins it')}
        </span>
      </div>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('SKU')}</th>
            <th scope="col">{t('Supplier')}</th>
            <th scope="col">{t('Stock number')}</th>
            <th scope="col">{t('State')}</th>
            <th scope="col" class="number">
              {t('Wholesale')}
            </th>
            <th scope="col" class="number">
              {t('Wholesale US')}
            </th>
            <th scope="col">{t('Listed')}</th>
            <th scope="col">{t('Leads')}</th>
          </tr>
        </thead>
        <tbody>
          {stone.offers.map((offer) => (
            <tr key={offer.sku} aria-current={offer.sku === stone.sku ? 'true' : undefined}>
              <td>
                {offer.sku === stone.sku ? (
                  <strong class="mono number">{offer.sku}</strong>
                ) : (
                  <a class="mono number" href={`/operator/stock/${offer.sku}`}>
                    {offer.sku}
                  </a>
                )}
              </td>
              <td>{offer.supplier}</td>
              <td class="mono">{offer.vendor_sku}</td>
              <td>
                <StateTag state={offer.state} />
              </td>
              <td class="number">{money(offer.wholesale_price, 'USD')}</td>
              <td class="number">{money(offer.wholesale_price_us, 'USD')}</td>
              <td>{date(offer.created_on)}</td>
              <td>
                <Lead offer={offer} offers={stone.offers} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

function Lead({ offer, offers }: { offer: StoneOffer; offers: StoneOffer[] }) {
  const { leads, leads_us } = offer
  const where = leads && leads_us ? t('everywhere') : leads ? t('default list') : t('US list')
  return (
    <>
      {(leads || leads_us) && <span class="tag is-good">{where}</span>}
      <div class="muted small">{reasonOf(offer, offers)}</div>
    </>
  )
}

/** Why merchants see this listing, or another one. */
function reasonOf(offer: StoneOffer, offers: StoneOffer[]): string {
  const { leads, leads_us, state } = offer
  if (leads || leads_us) {
    return offers.length === 1 ? t('the only listing') : t('the lowest price of those on sale')
  }
  if (state !== 'available') return t('not on sale: {state}', { state: humanize(state) })
  if (offer.quantity === 0) return t('none left')
  const taken = offers.find((each) => /^(held|sold|memo)$/.test(each.state))
  if (taken) return t('the stone is taken through {sku}', { sku: taken.sku })
  const leader = offers.find((each) => each.leads)
  if (!leader) return t('no listing leads')
  const isDearer = offer.wholesale_price > leader.wholesale_price
  return isDearer
    ? t('costs more than {sku}', { sku: leader.sku })
    : t('costs as much as {sku}, which is older', { sku: leader.sku })
}
