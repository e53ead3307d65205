import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { checkedLookup } from '../../events/send-webhook.ts'
import { isAllowedHost, whyNotAllowed } from '../../events/webhook-address.ts'

export interface LinkSettings {
  /** Hosts that may be called although they are in a private network. */
  allowedHosts: readonly string[]
  /** How long one attempt may take; shorter in tests. */
  timeoutMs?: number
  /** Ends the attempt when the server stops. */
  signal?: AbortSignal
}

/** `unknown`: the address may not be called, which says nothing about the link. */
type LinkState = 'alive' | 'dead' | 'unknown'

const TIMEOUT_MS = 10_000
/** The part of it that a name may take to be resolved. */
const LOOKUP_SHARE = 0.5
const REDIRECTS_MAX = 3

/**
 * Whether a link leads to something. A server that does not answer HEAD properly is asked for the
 * first byte. Nothing in a private network is called, also not by a redirect.
 */
export async function checkLink(link: string, settings: LinkSettings): Promise<LinkState> {
  const head = await follow('HEAD', link, settings)
  if (head !== 'dead') return head
  return follow('GET', link, settings)
}

async function follow(
  method: 'HEAD' | 'GET',
  link: string,
  settings: LinkSettings,
): Promise<LinkState> {
  let url = link
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
    if (!mayCall(url, settings.allowedHosts)) return 'unknown'
    const answer = await ask(method, new URL(url), settings).catch(() => undefined)
    if (!answer) return 'dead'
    const { status, location } = answer
    if (status < 300 || status === 304) return 'alive'
    if (status >= 400 || location === undefined || !URL.canParse(location, url)) return 'dead'
    url = new URL(location, url).href
  }
  return 'dead'
}

/** As for webhooks, and without encryption, too: nothing secret is sent. */
function mayCall(link: string, allowedHosts: readonly string[]): boolean {
  if (!/^https?:\/\//i.test(link)) return false
  const [plain] = link.split('#')
  if (whyNotAllowed(plain, allowedHosts) === undefined) return true
  return whyNotAllowed(plain.replace(/^http:/i, 'https:'), allowedHosts) === undefined
}

function ask(
  method: 'HEAD' | 'GET',
  url: URL,
  { allowedHosts, timeoutMs = TIMEOUT_MS, signal }: LinkSettings,
): Promise<{ status: number; location: string | undefined }> {
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  const isAllowed = isAllowedHost(url, allowedHosts)
  const timeout = AbortSignal.timeout(timeoutMs)
  return new Promise((done, fail) => {
    const request = send(url, {
      method,
      headers: { 'user-agent': 'Pavilion-Media', ...(method === 'GET' && { range: 'bytes=0-0' }) },
      agent: false,
      ...(!isAllowed && { lookup: checkedLookup(timeoutMs * LOOKUP_SHARE) }),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
    request.on('response', (response) => {
      // The body is not needed, however long it is.
      response.on('error', () => {})
      response.destroy()
      done({ status: response.statusCode ?? 0, location: response.headers.location })
    })
    request.on('error', fail)
    request.end()
  })
}
