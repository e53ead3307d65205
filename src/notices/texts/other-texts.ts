/** What is said about quotes, holds, searches, watched stones, enquiries and feeds. */
import type { NoticeDetails } from '../../database/tables/mail.ts'
import type { Side } from '../../reference/notice-kinds.ts'
import { because } from './order-texts.ts'
import { counted, type Phrase, say, type Text, timeOf, typed, type Value } from './phrase.ts'

export function quoteRequested(details: NoticeDetails): Text {
  const { quantity, ends_on } = details
  const merchant = details.merchant ?? say('A merchant')
  return {
    subject: say('{merchant} offers a price', { merchant }),
    sentences: [
      say('{merchant} offers a price for {goods}.', { merchant, goods: counted(quantity, 'item') }),
      ends_on !== undefined &&
        say('Please accept, counter or decline it before {time}.', { time: timeOf(ends_on) }),
    ],
  }
}

export function quoteAccepted(details: NoticeDetails): Text {
  const goods = counted(details.quantity, 'item')
  return {
    subject: say('Your offer was accepted'),
    sentences: [
      say('Your offer for {goods} was accepted.', { goods }),
      because(details),
      orderUntil(details),
    ],
  }
}

export function quoteCountered(details: NoticeDetails): Text {
  const goods = counted(details.quantity, 'item')
  return {
    subject: say('Your offer was answered with other prices'),
    sentences: [
      say('Your offer for {goods} was answered with other prices.', { goods }),
      because(details),
      orderUntil(details),
    ],
  }
}

export function quoteDeclined(details: NoticeDetails): Text {
  const goods = counted(details.quantity, 'item')
  return {
    subject: say('Your offer was declined'),
    sentences: [say('Your offer for {goods} was declined.', { goods }), because(details)],
  }
}

function orderUntil({ ends_on }: NoticeDetails): Phrase | undefined {
  if (ends_on === undefined) return undefined
  return say('You can order at these prices until {time}.', { time: timeOf(ends_on) })
}

export function holdEnding({ items, ends_on = '' }: NoticeDetails): Text {
  return {
    subject: say('Your hold on {sku} ends soon', { sku: items[0]?.sku ?? '' }),
    sentences: [
      say('Your hold ends on {time}. After that others can order the stone.', {
        time: timeOf(ends_on),
      }),
    ],
  }
}

export function searchMatched({ quantity, name }: NoticeDetails): Text {
  const stones = counted(quantity, 'stone')
  if (name === undefined) {
    return {
      subject: say('{stones} for your saved search', { stones }),
      sentences: [
        quantity === 1
          ? say('{stones} matches your saved search now.', { stones })
          : say('{stones} match your saved search now.', { stones }),
      ],
    }
  }
  const values = { stones, name: typed(name) }
  return {
    subject: say('{stones} for "{name}"', values),
    sentences: [
      quantity === 1
        ? say('{stones} matches your saved search now: {name}.', values)
        : say('{stones} match your saved search now: {name}.', values),
    ],
  }
}

export function watchedChanged({ items, quantity }: NoticeDetails): Text {
  const [first] = items
  return {
    subject:
      quantity === 1
        ? (watchedText(first.sku, first.change) ?? first.sku)
        : say('{stones} of your watch list changed', { stones: counted(quantity, 'stone') }),
    sentences: [say('Something happened to what you watch.')],
  }
}

/** What happened to a watched stone; undefined for a change that is not known. */
export function watchedText(sku: string, change: string | undefined): Phrase | undefined {
  if (change === 'price_down') return say('{sku} costs less now', { sku })
  if (change === 'price_up') return say('{sku} costs more now', { sku })
  if (change === 'sold') return say('{sku} was sold', { sku })
  if (change === 'withdrawn') return say('{sku} is no longer on the market', { sku })
  if (change === 'back') return say('{sku} is on sale again', { sku })
  return undefined
}

export function enquirySent({ items, name = '', email = '', message }: NoticeDetails): Text {
  const sku = items[0]?.sku ?? ''
  return {
    subject: say('A visitor asks about {sku}', { sku }),
    sentences: [
      say("{name} asks on your shop's page about {sku}. Answer to {email}.", {
        name: typed(name),
        sku,
        email,
      }),
      message === undefined ? undefined : typed(message),
    ],
  }
}

export function feedFailing(details: NoticeDetails, side: Side): Text {
  const { suppliers = [], feed_url: url = '', failure } = details
  const [supplier = say('a supplier')]: Value[] = suppliers
  return {
    subject:
      side === 'supplier'
        ? say('Your feed fails')
        : say('The feed of {supplier} fails', { supplier }),
    sentences: [
      say('The feed from {url} cannot be imported.', { url }),
      whole(failure),
      say('It is tried again by itself, and you hear from us when it works.'),
    ],
  }
}

export function feedRecovered(details: NoticeDetails, side: Side): Text {
  const { suppliers = [], feed_url: url = '', failure } = details
  const [supplier = say('a supplier')]: Value[] = suppliers
  return {
    subject:
      side === 'supplier'
        ? say('Your feed works again')
        : say('The feed of {supplier} works again', { supplier }),
    sentences: [say('The feed from {url} was fetched again.', { url }), whole(failure)],
  }
}

/** What went wrong, as a sentence. */
function whole(failure: string | undefined): Value | undefined {
  if (failure === undefined) return undefined
  return { kind: 'program', text: `${failure}${/[.!?]$/.test(failure) ? '' : '.'}` }
}
