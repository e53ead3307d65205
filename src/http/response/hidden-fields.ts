import type { FastifyRequest, onSendHookHandler, preValidationHookHandler } from 'fastify'
import type { SentPage } from '../../gems/search/recent-pages.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { App } from '../route.ts'

/**
 * What the caller of a publishable key does not see. Everybody can read such a key in the page of a
 * shop, so its responses have retail prices only. The rule is this list, for every operation that
 * the key may call: a field with one of these names is left out of the response, whatever object
 * has it, and a request that filters, sorts or selects by one is refused, because the number of
 * stones that match would tell the value.
 */
export const HIDDEN_FIELDS: ReadonlySet<string> = new Set([
  // What the merchant pays, and what it can be computed from.
  'wholesale_price',
  'base_wholesale_price',
  'wholesale_price_us',
  'wholesale_price_per_ct',
  'price_per_carat',
  'off_rap_percentage',
  'off_rap_price',
  'list_price',
  'price_history',
  // What the operator pays, and to whom.
  'cost',
  'supplier',
  'supplier_id',
  'supplier_uuid',
  'vendor',
  'vendor_id',
  'vendor_sku',
  'original_imported_ext_url',
  'internal_days_to_return',
  // How the merchant gets from one to the other.
  'margin',
  'margins',
  'profit_margins',
  'price_adjustment',
  'hold_merchant_uuid',
])

/**
 * Adds the rule to every route that publishable keys may call. Must be registered before the ETags,
 * which are made of what is sent.
 */
export function registerHiddenFields(app: App): void {
  app.addHook('onRoute', (route) => {
    const { access } = route.config ?? {}
    if (!access || !('publishable' in access)) return
    route.preValidation = [refuseHidden, route.preValidation ?? []].flat()
    route.onSend = [leaveOut, route.onSend ?? []].flat()
  })
}

/** Whether the caller sees retail prices only. */
export function seesRetailOnly({ caller }: FastifyRequest): boolean {
  return caller?.token.type === 'publishable'
}

const refuseHidden: preValidationHookHandler = (request, _reply, done) => {
  if (!seesRetailOnly(request)) return done()
  const field = findHidden(request.body) ?? findHidden(request.query)
  if (field === undefined) return done()
  const message = 'is not available with a publishable key, which sees retail prices only'
  done(new Refusal('hidden_field', `${field} ${message}.`, { errors: [{ field, message }] }))
}

/** Members that name fields: what to sort by, and what to return. */
const NAMING = ['sort_col', 'order_by', 'fields']

/** The path of the first thing in a request that is about a hidden field. */
function findHidden(request: unknown): string | undefined {
  if (typeof request !== 'object' || request === null) return undefined
  const members = new Map(Object.entries(request))
  for (const name of NAMING) {
    const named = [members.get(name)].flat()
    if (named.some((each) => typeof each === 'string' && HIDDEN_FIELDS.has(each))) return name
  }
  const filters = members.get('filters')
  const inFilters = typeof filters === 'object' && filters !== null ? Object.keys(filters) : []
  const filter = inFilters.find(isAboutHidden)
  return filter === undefined ? [...members.keys()].find(isAboutHidden) : `filters.${filter}`
}

function isAboutHidden(name: string): boolean {
  return HIDDEN_FIELDS.has(name.replace(/_(min|max)$/, ''))
}

/** Works on a copy: the bytes that were handed over may be those of a cache. */
const leaveOut: onSendHookHandler = (request, reply, payload, done) => {
  if (!seesRetailOnly(request)) return done(null, payload)
  const page = reply.sentPage
  if (page && page.bytes === payload) {
    reply.sentPage = retailOnlyOf(page)
    return done(null, reply.sentPage.bytes)
  }
  const isJson = /^application\/(problem\+)?json/.test(String(reply.getHeader('content-type')))
  const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload)
  if (!isJson || !isWhole || payload.length === 0) return done(null, payload)
  done(null, printVisible(payload))
}

/** A page that is sent again is made once for publishable keys, too. */
function retailOnlyOf(page: SentPage): SentPage {
  const { total, bytes } = page
  page.retailOnly ??= { total, bytes: Buffer.from(printVisible(bytes)), compressed: new Map() }
  return page.retailOnly
}

function printVisible(payload: string | Buffer): string {
  return JSON.stringify(withoutHidden(JSON.parse(payload.toString())))
}

/** Takes what a publishable key may not see out of a response, in place. */
export function withoutHidden<T>(response: T): T {
  hide(response)
  return response
}

/** A member that is undefined is not printed; deleting it would take longer. */
function hide(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    if (HIDDEN_FIELDS.has(name)) Reflect.set(value, name, undefined)
    else hide(member)
  }
}
