import type pg from 'pg'
import { newUuid } from '../../src/lib/uuid.ts'

const MERCHANTS = 100
const SHAPES = ['round', 'oval', 'cushion', 'emerald', 'pear', 'princess', 'radiant', 'marquise']
const COLORS = ['D', 'E', 'F', 'G', 'H', 'I', 'J', 'K']
const CLARITIES = ['IF', 'VVS1', 'VVS2', 'VS1', 'VS2', 'SI1', 'SI2', 'I1']

/** Merchants of both price lists, and searches as jewellers save them; all of them have alerts. */
export async function insertSearches(client: pg.Client, count: number): Promise<void> {
  if (count === 0) return
  const merchants = Array.from({ length: MERCHANTS }, () => newUuid())
  await client.query(
    `insert into merchant (uuid, legal_dba, email, country_code, activated)
     select uuid, 'Bench ' || n, n || '@bench.example', case when n % 2 = 0 then 'US' else 'DE' end,
       true
     from unnest($1::uuid[]) with ordinality as merchant (uuid, n)`,
    [merchants],
  )
  const random = startRandom(1)
  const all = Array.from({ length: count }, (_, n) => ({
    uuid: newUuid(),
    merchant_uuid: merchants[n % MERCHANTS],
    ...draw(random),
  }))
  await client.query(
    `insert into saved_search (uuid, merchant_uuid, name, kind, filters, max_retail_price, alert,
       version, known)
     select uuid, merchant_uuid, 'Search', 'diamond', filters, max_retail_price, 'instant', 1, true
     from jsonb_to_recordset($1) as search
       (uuid uuid, merchant_uuid uuid, filters jsonb, max_retail_price numeric)`,
    [JSON.stringify(all)],
  )
  await client.query('update alert_matcher set version = version + 1')
}

/** One shape, a range of weights, some grades, and mostly a limit of the price. */
function draw(random: (below: number) => number) {
  const weight = 0.3 + random(250) / 100
  const run = (list: readonly string[]) => {
    const first = random(list.length - 2)
    return list.slice(first, first + 2 + random(3))
  }
  const filters = {
    shape: [SHAPES[random(SHAPES.length)]],
    weight_min: round(weight),
    weight_max: round(weight + [0.05, 0.1, 0.2, 0.5][random(4)]),
    color: run(COLORS),
    clarity: run(CLARITIES),
    ...(random(2) === 0 && { cut_grade: ['EX', 'VG'] }),
    ...(random(3) === 0 && { lab: ['GIA'] }),
  }
  const max_retail_price = random(3) === 0 ? null : round(weight ** 2 * (3_000 + random(6_000)))
  return { filters, max_retail_price }
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

/** Numbers that are the same in every run. */
function startRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
