/** Functions that call one operation each. Their types follow from its name. */
import type { Operations } from './api.ts'
import { type Listing, listOf } from './pages.ts'
import type { Call, CallOptions } from './request.ts'

/** The name of an operation: `POST /api/v3/orders/place`. */
export type Name = keyof Operations
export type Body<N extends Name> = Operations[N]['body']
export type Query<N extends Name> = Operations[N]['query']
export type Answer<N extends Name> = Operations[N]['response']
/** The rows of a page, which are under a name of their own. */
export type Row<N extends Name, Key extends string> =
  Answer<N> extends Record<Key, readonly (infer Each)[]> ? Each : unknown

/** What every function takes last. */
export type Settings = Pick<CallOptions, 'signal' | 'idempotencyKey' | 'headers' | 'onResponse'>

export type Send<N extends Name> = (body: Body<N>, settings?: Settings) => Promise<Answer<N>>
export type Read<N extends Name> = (query?: Query<N>, settings?: Settings) => Promise<Answer<N>>
/** About one thing, by its UUID (a stone by its SKU). */
export type ReadOne<N extends Name> = (id: string, settings?: Settings) => Promise<Answer<N>>
export type SendTo<N extends Name> = (
  id: string,
  body?: Body<N>,
  settings?: Settings,
) => Promise<Answer<N>>
export type Find<N extends Name, Key extends string> = (
  query?: Body<N>,
  settings?: Settings,
) => Listing<Answer<N>, Row<N, Key>>
export type List<N extends Name, Key extends string> = (
  query?: Query<N>,
  settings?: Settings,
) => Listing<Answer<N>, Row<N, Key>>

/** Makes the functions of operations. A name in the path stands for the id that is given. */
export function operationsOf(call: Call) {
  function run<N extends Name>(name: N, options: CallOptions): Promise<Answer<N>> {
    const [method = '', path = ''] = name.split(' ')
    return call(method, path, options)
  }
  function pathOf(name: Name, id: string): Record<string, string> {
    const placeholder = /\{(\w+)\}/.exec(name)?.[1] ?? ''
    return { [placeholder]: id }
  }
  return {
    run,
    send:
      <N extends Name>(name: N): Send<N> =>
      (body, settings) =>
        run(name, { ...settings, body }),
    read:
      <N extends Name>(name: N): Read<N> =>
      (query, settings) =>
        run(name, { ...settings, query: query as object | undefined }),
    readOne:
      <N extends Name>(name: N): ReadOne<N> =>
      (id, settings) =>
        run(name, { ...settings, path: pathOf(name, id) }),
    sendTo:
      <N extends Name>(name: N): SendTo<N> =>
      (id, body, settings) =>
        run(name, { ...settings, path: pathOf(name, id), body }),
    find:
      <N extends Name, Key extends string>(name: N, key: Key): Find<N, Key> =>
      (query, settings) =>
        listOf((body) => run(name, { ...settings, body }), key, query as object | undefined),
    list:
      <N extends Name, Key extends string>(name: N, key: Key): List<N, Key> =>
      (asked, settings) =>
        listOf((query) => run(name, { ...settings, query }), key, asked as object | undefined),
  }
}
