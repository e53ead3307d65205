import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyRequest,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { Merchant } from '../merchants/merchant.ts'
import type { TokenSummary } from '../merchants/token-store.ts'
import type { Scope } from '../reference/roles.ts'
import type { CallCost } from './request/call-costs.ts'

/**
 * What a route declares and what its handler sees. Every file that declares routes imports this
 * one; the stages that act on a declaration are in `request/` and `response/`.
 */

/** The Fastify instance as routes see it, whose types follow from the schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

/** Who may call a route, and which scope the token needs. `request/access.ts` enforces it. */
export type Access =
  | { who: 'public' }
  | {
      who: 'any token'
      /** Also for publishable keys. */
      publishable?: true
    }
  /** The operations behind it check their scopes. */
  | { who: 'merchant' }
  | {
      who: 'merchant' | 'operator' | 'merchant or operator' | 'supplier'
      scope: Scope
      /** Also for publishable keys, which see less: see `response/hidden-fields.ts`. */
      publishable?: true
    }

export const publicAccess = { who: 'public' } as const satisfies Access
export const anyToken = { who: 'any token' } as const satisfies Access
export const anyMerchant = { who: 'merchant' } as const satisfies Access
/** Reference data, which publishable keys read as well. */
export const everyToken = { who: 'any token', publishable: true } as const satisfies Access

export function merchantWith(scope: Scope): Access {
  return { who: 'merchant', scope }
}

/** `merchantWith`, also for the publishable keys of a merchant. */
export function shopWindowWith(scope: Scope): Access {
  return { who: 'merchant', scope, publishable: true }
}

export function operatorWith(scope: Scope): Access {
  return { who: 'operator', scope }
}

export function merchantOrOperatorWith(scope: Scope): Access {
  return { who: 'merchant or operator', scope }
}

/** `merchantOrOperatorWith`, also for the publishable keys of a merchant. */
export function shopWindowOrOperatorWith(scope: Scope): Access {
  return { who: 'merchant or operator', scope, publishable: true }
}

export function supplierWith(scope: Scope): Access {
  return { who: 'supplier', scope }
}

/**
 * Who sees the metrics and the details of `/readyz`, which tell a stranger about load, stock and
 * weaknesses. Local callers are programs on this machine (`request/client-address.ts`).
 */
export type DetailsFor = 'local callers' | 'everyone' | 'nobody'

export function showsDetails(detailsFor: DetailsFor, request: FastifyRequest): boolean {
  return detailsFor === 'everyone' || (detailsFor === 'local callers' && request.isLocal)
}

/** The caller of a request: a merchant or a supplier with one of its tokens, or the operator. */
export interface Caller {
  token: TokenSummary
  /** Undefined for the operator and for suppliers, whom no route of merchants admits. */
  merchant: Merchant | undefined
}

/** Returns the calling merchant. Only for routes that admit no one but merchants. */
export function merchantOf(request: FastifyRequest): Merchant {
  const { merchant } = request.caller
  if (!merchant) throw new Error(`${request.url} is for merchants, but the caller is not one`)
  return merchant
}

/** Returns the UUID of the calling supplier. Only for routes that admit no one but suppliers. */
export function supplierUuidOf({ caller: { token }, url }: FastifyRequest): string {
  const { supplier_uuid } = token
  if (supplier_uuid === null) throw new Error(`${url} is for suppliers, but the caller is not one`)
  return supplier_uuid
}

/** The operator's token in one line, as the ledger says who made an entry. */
export function operatorOf({ caller: { token } }: FastifyRequest): string {
  return token.name === '' ? 'operator' : `operator (${token.name})`.slice(0, MADE_BY_LENGTH_MAX)
}

/** As long as the column is. */
const MADE_BY_LENGTH_MAX = 200

/** That a route will go: /docs/versions says how long it stays. */
export interface RouteDeprecation {
  /** The day since when it is deprecated, such as `2027-01-31`. */
  since: string
  /** The day after which it may be gone: at least a year later. */
  sunset: string
  /** What to use instead. */
  instead: string
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call. The server does not start with a route that does not say so. */
    access?: Access
    /** What a call counts as in the minute of its token; 1 unless given. */
    cost?: CallCost
    /** A page for people, which says in their language what a problem document would say. */
    problemPage?: (request: FastifyRequest, reply: FastifyReply) => FastifyReply
    /** Leaves the route out of the OpenAPI documents: pages, scripts and pictures for people. */
    undocumented?: true
    /** Public calls that are not counted against the address that they come from. */
    uncounted?: true
    /** Counts calls as searches in the overview of the operator. */
    countsAsSearch?: true
    /** Adds an ETag to the response, and returns 304 to a caller that has the same bytes. */
    conditional?: true
    /** Answered from memory while the database is away, and then marked: `response/marks.ts`. */
    mayBeStale?: true
    /** The handler sends an ETag; a write is refused with 412 when If-Match names another. */
    hasEtag?: true
    /** Names stones or their prices: the scenarios of a sandbox take part in the call. */
    scenarios?: true
    /** A POST that changes nothing: a search or a preview, which may be repeated as it is. */
    changesNothing?: true
    /** The body may name something that does not exist, which is refused with 404. */
    namesOthers?: true
    /** The response has a secret: it is sent again only to the token or session that got it. */
    answersSecret?: true
    /** A POST that is carried out again when it is sent again. */
    ignoresIdempotencyKey?: true
    /** The route will go; its responses and the documents say so. */
    deprecated?: RouteDeprecation
    /** Waits for a change or for its client, so it does not count as a call in flight. */
    waits?: true
    /** The body is a supplier's file, which may take long to arrive. This is the start of one. */
    uploadExample?: string
  }
  interface FastifyRequest {
    /** The caller. Set on every route that is not public. */
    caller: Caller
    /**
     * Counts what the call costs in all, once that is known, or refuses it with 429. Every call
     * was counted as 1 when it arrived, unless its route declares another number. To be awaited:
     * nodes may have to agree first.
     */
    charge(reply: FastifyReply, cost: number): Promise<void> | undefined
    /** Refuses a caller who may not call any more, after a call has waited for something. */
    checkAgain(): Promise<void>
  }
  interface FastifySchema {
    tags?: readonly string[]
    summary?: string
    description?: string
    operationId?: string
  }
}
