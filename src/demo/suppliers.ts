import { type Insertable, sql } from 'kysely'
import type { Tx } from '../database/open.ts'
import type { SupplierTable } from '../database/tables/gems.ts'
import { markupFactor } from '../gems/supplier.ts'
import type { Realm } from '../merchants/token.ts'
import { createToken } from '../merchants/token-store.ts'
import type { GemType } from '../reference/attributes.ts'
import { scopesOfRole } from '../reference/roles.ts'
import { uuidFromSeed } from './chance.ts'

/** A supplier of the demo market: its row, and how its stones are generated. */
export interface DemoSupplier {
  id: number
  uuid: string
  settings: DemoSettings
  /** Of all diamonds, in percent. */
  share: Record<GemType, number>
  /** Other countries where its stones are. */
  branches: string[]
  stock_prefix: string
  factor: number
  factor_us: number
  /** Whether prices are round figures, as people quote them, or exact to the cent. */
  quotes_round_prices: boolean
}

type DemoSettings = Insertable<SupplierTable> &
  Required<
    Pick<
      Insertable<SupplierTable>,
      | 'returnable'
      | 'days_to_return'
      | 'memo'
      | 'memo_days_to_return'
      | 'internal_days_to_return'
      | 'delivery_days_min'
      | 'delivery_days_max'
    >
  > & { country_code: string; markup: string; markup_us: string }

type Draft = Omit<DemoSupplier, 'id' | 'uuid' | 'factor' | 'factor_us'>

const terms = (
  name: string,
  country: string,
  [markup, markupUs]: [string, string],
  [daysMin, daysMax]: [number, number],
  [daysToReturn, memoDays]: [number, number],
): Omit<DemoSettings, 'uuid'> => ({
  name,
  country_code: country,
  contact: `stock@${name.toLowerCase().replaceAll(' ', '-')}.example`,
  markup,
  markup_us: markupUs,
  delivery_days_min: daysMin,
  delivery_days_max: daysMax,
  returnable: daysToReturn > 0,
  days_to_return: daysToReturn,
  memo: memoDays > 0,
  memo_days_to_return: memoDays,
  internal_days_to_return: daysToReturn + 7,
  // The demo stock has no feed that would keep it fresh.
  fresh_days: null,
})

const DRAFTS: (Omit<Draft, 'settings'> & { settings: Omit<DemoSettings, 'uuid'> })[] = [
  {
    settings: terms('Northlight Diamonds', 'IND', ['8', '11'], [4, 8], [14, 0]),
    share: { mined: 30, 'lab grown': 24 },
    branches: ['HKG', 'USA'],
    stock_prefix: 'NL',
    quotes_round_prices: true,
  },
  {
    settings: terms('Quillwater Stones', 'BEL', ['10', '12.5'], [2, 5], [14, 21]),
    share: { mined: 24, 'lab grown': 4 },
    branches: ['ISR'],
    stock_prefix: 'Q',
    quotes_round_prices: false,
  },
  {
    settings: {
      ...terms('Tarnbrook Gems', 'USA', ['12', '9'], [1, 3], [30, 14]),
      ships: true,
    },
    share: { mined: 16, 'lab grown': 20 },
    branches: [],
    stock_prefix: 'TB-US',
    quotes_round_prices: true,
  },
  {
    settings: terms('Ostermere Brilliants', 'ISR', ['9.5', '10.75'], [3, 7], [10, 10]),
    share: { mined: 20, 'lab grown': 0 },
    branches: ['USA', 'BEL'],
    stock_prefix: 'OB',
    quotes_round_prices: false,
  },
  {
    settings: terms('Fenwhistle Growers', 'IND', ['15', '18'], [5, 9], [21, 0]),
    share: { mined: 0, 'lab grown': 44 },
    branches: ['USA'],
    stock_prefix: 'FG',
    quotes_round_prices: true,
  },
  {
    settings: {
      ...terms('Larkhollow Trading', 'HKG', ['7.5', '12'], [4, 7], [7, 0]),
      confirms: true,
      ships: true,
    },
    share: { mined: 8, 'lab grown': 8 },
    branches: ['CHN'],
    stock_prefix: 'LH',
    quotes_round_prices: false,
  },
  {
    settings: terms('Saltglass Colours', 'ARE', ['11', '14'], [5, 10], [0, 0]),
    share: { mined: 2, 'lab grown': 0 },
    branches: ['THA'],
    stock_prefix: 'SC',
    quotes_round_prices: false,
  },
]

/** Creates a key of the supplier that answers and ships its orders itself. */
export async function createSupplierKey(
  tx: Tx,
  realm: Realm,
  suppliers: readonly DemoSupplier[],
): Promise<string> {
  const answering = suppliers.find(({ settings }) => settings.confirms && settings.ships)
  if (!answering) throw new Error('no supplier of the demo market answers and ships')
  const { token } = await createToken(tx, {
    realm,
    type: 'supplier',
    supplier_uuid: answering.uuid,
    name: 'demo key',
    // Its users included, so that all of the interface can be tried with this key.
    scopes: scopesOfRole('supplier', 'owner'),
  })
  return token
}

/** Creates the suppliers. Their UUIDs, and therefore all SKUs, depend on the seed. */
export async function createDemoSuppliers(tx: Tx, seed: string): Promise<DemoSupplier[]> {
  const suppliers: DemoSupplier[] = []
  for (const draft of DRAFTS) {
    const settings = { ...draft.settings, uuid: uuidFromSeed(seed, draft.settings.name) }
    const { id } = await tx
      .insertInto('supplier')
      .values({ ...settings, synced_on: sql<string>`market_now()` })
      .returning('id')
      .executeTakeFirstOrThrow()
    suppliers.push({
      ...draft,
      settings,
      id,
      uuid: settings.uuid,
      factor: markupFactor(settings.markup),
      factor_us: markupFactor(settings.markup_us),
    })
  }
  return suppliers
}
