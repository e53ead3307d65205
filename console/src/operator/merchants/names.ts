import { useRead } from '../../api/hooks.ts'
import { listMerchants } from '../../api/operator/merchants.ts'

const PAGE = 1_000
const PAGES_MAX = 10

/** The names of the merchants by their UUIDs, for lists that have only these; by name. */
export function useMerchantNames(): ReadonlyMap<string, string> | undefined {
  return useRead('merchant names', readNames).value
}

async function readNames(signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const names: [uuid: string, name: string][] = []
  for (let page = 0; page < PAGES_MAX; page++) {
    const { merchants, total } = await listMerchants({ limit: PAGE, offset: page * PAGE }, signal)
    names.push(...merchants.map(({ uuid, legal_dba }) => [uuid, legal_dba] as [string, string]))
    if (merchants.length === 0 || names.length >= total) break
  }
  return new Map(names.sort(([, one], [, other]) => one.localeCompare(other)))
}
