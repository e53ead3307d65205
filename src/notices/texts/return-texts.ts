/** What is said about returns of invoiced goods, and about memos that are due. */
import type { NoticeDetails } from '../../database/tables/mail.ts'
import type { Side } from '../../reference/notice-kinds.ts'
import { because, orderFirst, orderIn } from './order-texts.ts'
import { counted, dayOf, type Phrase, say, type Text } from './phrase.ts'

export function returnRequested(details: NoticeDetails, side: Side): Text {
  const { merchant = '', quantity } = details
  const order = orderIn(details)
  const lines = counted(quantity, 'line')
  if (side === 'operator') {
    return {
      subject: say('{merchant} asks for a return of {order}', { merchant, order }),
      sentences: [
        say('{merchant} wants to return {lines}.', { merchant, lines }),
        because(details),
        say('Please approve or reject it.'),
      ],
    }
  }
  return step(
    details,
    say('Return for {order} was requested', { order }),
    say('The return of {lines} of {order} was requested.', { lines, order }),
    say('We will tell you whether to send them.'),
  )
}

export function returnApproved(details: NoticeDetails): Text {
  const order = orderIn(details)
  const lines = counted(details.quantity, 'line')
  return step(
    details,
    say('Return for {order} was approved', { order }),
    say('The return of {lines} of {order} was approved.', { lines, order }),
    say('Please send the goods back.'),
  )
}

export function returnRejected(details: NoticeDetails): Text {
  const order = orderIn(details)
  const lines = counted(details.quantity, 'line')
  return step(
    details,
    say('Return for {order} was rejected', { order }),
    say('The return of {lines} of {order} was rejected.', { lines, order }),
    say('The goods stay yours.'),
  )
}

export function returnReceived(details: NoticeDetails): Text {
  const order = orderIn(details)
  const lines = counted(details.quantity, 'line')
  return step(
    details,
    say('Return for {order} was received', { order }),
    say('The return of {lines} of {order} was received.', { lines, order }),
    say('Their value was credited to your account.'),
  )
}

function step(details: NoticeDetails, subject: Phrase, fact: Phrase, next: Phrase): Text {
  return { subject, sentences: [fact, because(details), next] }
}

export function memoDueSoon(details: NoticeDetails): Text {
  const values = { memo: orderFirst(details), day: dayOf(details.due_on ?? '') }
  return {
    subject: say('{memo} is due on {day}', values),
    sentences: [say('{memo} is due back on {day}.', values), WHAT_TO_DO],
  }
}

export function memoOverdue(details: NoticeDetails, side: Side): Text {
  const { merchant = '', due_on = '' } = details
  const values = { memo: orderFirst(details), day: dayOf(due_on) }
  if (side === 'operator') {
    return {
      subject: say('{merchant}: {memo} is overdue', { merchant, memo: orderIn(details) }),
      sentences: [say('{memo} of {merchant} was due back on {day}.', { ...values, merchant })],
    }
  }
  return {
    subject: say('{memo} is overdue', { memo: values.memo }),
    sentences: [say('{memo} was due back on {day}.', values), WHAT_TO_DO],
  }
}

const WHAT_TO_DO = say('Please return the goods, or ask for an invoice or more time.')
