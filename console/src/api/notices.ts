import type { Static } from 'typebox'
import type { NoticePage, RenderedNotice } from '../../../src/http/schemas/events/notice.ts'
import type { NoticeKind } from '../../../src/reference/notice-kinds.ts'
import { call } from './client.ts'
import { session } from './session-store.ts'

export type Notice = RenderedNotice
/** Which kinds of e-mails one gets. */
export type MailSwitches = Partial<Record<NoticeKind, boolean>>

/** Each side has its notices at a path of its own. */
function prefix(): string {
  const role = session.get()?.role
  return role === 'operator' || role === 'supplier' ? `/api/${role}` : '/api/v3'
}

export function listNotices(
  search: { kind: NoticeKind | undefined; limit: number; offset: number },
  signal?: AbortSignal,
): Promise<Static<typeof NoticePage>> {
  return call('GET', `${prefix()}/notices`, { query: search, signal })
}

export function readMailSwitches(signal?: AbortSignal): Promise<MailSwitches> {
  return call('GET', `${prefix()}/notifications`, { signal })
}

export function switchMails(change: MailSwitches): Promise<MailSwitches> {
  return call('PUT', `${prefix()}/notifications`, { body: change })
}
