import type { Static } from 'typebox'
import type {
  OperatorMemoPageSchema,
  OperatorMemoQuery,
} from '../../../../src/http/schemas/orders/memo.ts'
import { call } from '../client.ts'

type MemoPage = Static<typeof OperatorMemoPageSchema>
export type OperatorMemo = MemoPage['memos'][number]
export type MemoTotals = MemoPage['totals']

export function listOperatorMemos(
  query: Static<typeof OperatorMemoQuery>,
  signal?: AbortSignal,
): Promise<MemoPage> {
  return call('GET', '/api/operator/memos', { query, signal })
}
