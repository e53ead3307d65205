import type { Chance } from '../../../src/demo/chance.ts'
import type { FuzzResponse } from './checks.ts'
import { resourceOf } from './requests.ts'

/** Remembers ids of responses, so that later requests find what they name. */
export interface Memory {
  learn(path: string, response: FuzzResponse): void
  recall(name: string, chance: Chance): unknown
}

const NAMES = /^(uuid|sku|order_id|cert_num|\w+_uuid|currency_code|supplier|name|group)$/
const VALUES_MAX = 300
const DEPTH_MAX = 4
const ITEMS_MAX = 5

/** `protectedIds` are the tokens and merchants of the requests themselves, which must stay. */
export function createMemory(protectedIds: ReadonlySet<string>): Memory {
  const values = new Map<string, string[]>()

  function remember(name: string, value: unknown): void {
    if (typeof value !== 'string' || value.length > 100 || protectedIds.has(value)) return
    const list = values.get(name) ?? []
    if (list.length < VALUES_MAX) list.push(value)
    else list[value.length % VALUES_MAX] = value
    values.set(name, list)
  }

  function walk(value: unknown, resource: string, depth: number): void {
    if (depth > DEPTH_MAX || value === null || typeof value !== 'object') return
    if (Array.isArray(value)) {
      for (const item of value.slice(0, ITEMS_MAX)) walk(item, resource, depth + 1)
      return
    }
    for (const [name, field] of Object.entries(value)) {
      if (NAMES.test(name)) remember(name === 'uuid' ? resource : name, field)
      walk(field, resource, depth + 1)
    }
  }

  return {
    learn(path, { text, headers }) {
      if (!String(headers['content-type']).startsWith('application/json')) return
      walk(JSON.parse(text), resourceOf(path), 0)
    },
    recall(name, chance) {
      const list = values.get(name)
      return list && chance.oneOf(list)
    },
  }
}
