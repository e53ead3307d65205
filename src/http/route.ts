import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { Access } from './request/access.ts'
import type { Caller } from './request/caller.ts'

/** The Fastify instance as routes see it: request and answer types follow from the schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call. A route without it stops the start. */
    access?: Access
    /** Left out of the OpenAPI documents: pages, scripts and pictures for people. */
    undocumented?: true
    /** Served under v2, too. */
    hasTwin?: true
    /** Answered with an ETag, and 304 when the caller has it already. */
    conditional?: true
    /** The body is a supplier's file, which may take its time; here is the start of one. */
    uploadExample?: string
  }
  interface FastifyRequest {
    /** Who calls; set on every route that is not public. */
    caller: Caller
  }
  interface FastifySchema {
    tags?: readonly string[]
    summary?: string
    description?: string
    operationId?: string
  }
}
