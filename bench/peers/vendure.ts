import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort, install, untilUp } from './install.ts'
import {
  call,
  certificatesOf,
  type Market,
  PAGE,
  type Peer,
  SEARCHED,
  secondsUntil,
} from './peer.ts'

const VERSION = '3.7.3'
const PATH = '/shop-api'

interface Filled {
  startMs: number
  variants: Record<string, number>
  facetValues: Record<string, number>
}

/** Vendure with server and worker as two processes, as its documents say. */
export async function startVendure(url: string, market: Market, kept?: string): Promise<Peer> {
  const { stones, parcels } = market
  const installed = await install({ '@vendure/core': VERSION, pg: '8' }, ['vendure.cjs'], kept)
  try {
    const port = await freePort()
    const env = { DATABASE_URL: url, PORT: String(port), NODE_ENV: 'production' }
    await writeFile(join(installed.folder, 'in.json'), JSON.stringify([...stones, ...parcels]))
    await installed.run(['vendure.cjs', 'setup'], env)
    await installed.start(['vendure.cjs', 'server'], env)
    await installed.start(['vendure.cjs', 'worker'], env)
    await untilUp(port, PATH, { query: '{ __typename }' })
    const filled = await installed.run<Filled>(['vendure.cjs', 'fill', 'in.json'], env)
    const startMs = filled.startMs - performance.timeOrigin
    const count = async () => (await search(port, { take: 1 })).totalItems
    return {
      version: VERSION,
      port,
      importSeconds: await secondsUntil(startMs, stones.length + parcels.length, count),
      searches: searchesOf(market, filled),
      prepareOrder: (sku) => prepareOrder(port, filled.variants[sku]),
      close: () => installed.remove(),
    }
  } catch (error) {
    await installed.remove()
    throw error
  }
}

const SEARCH = `query($input: SearchInput!) { search(input: $input) { totalItems items {
  productName sku slug description facetValueIds
  priceWithTax { ... on SinglePrice { value } } } } }`

const inputOf = (input: object) => ({
  query: SEARCH,
  variables: { input: { groupByProduct: false, take: PAGE, ...input } },
})

async function search(port: number, input: object): Promise<{ totalItems: number }> {
  const { body } = await call<{ data: { search: { totalItems: number } } }>({
    port,
    path: PATH,
    body: inputOf(input),
  })
  return body.data.search
}

function searchesOf(market: Market, { facetValues }: Filled): Peer['searches'] {
  const ids = (values: readonly string[]) => values.map((value) => String(facetValues[value]))
  const facetValueFilters = [{ or: ids([SEARCHED.shape]) }, { or: ids(SEARCHED.colors) }]
  const sort = { price: 'ASC' }
  const as = (inputs: object[]) => ({
    method: 'POST' as const,
    path: PATH,
    headers: {},
    bodies: inputs.map((input) => JSON.stringify(inputOf(input))),
  })
  return {
    byShapeAndColor: as([{ facetValueFilters, sort }]),
    byCertificate: as(certificatesOf(market).map((term) => ({ term }))),
    first: as([{ sort }]),
  }
}

const RESULT = '__typename ... on ErrorResult { errorCode message }'
const ADD = `mutation($id: ID!) {
  addItemToOrder(productVariantId: $id, quantity: 1) { ${RESULT} } }`
const CHECK_OUT = `mutation($email: String!) {
  customer: setCustomerForOrder(
    input: { firstName: "Ada", lastName: "Lovelace", emailAddress: $email }) { ${RESULT} }
  address: setOrderShippingAddress(input: { fullName: "Ada Lovelace",
    streetLine1: "12 Facet Street", city: "New York", postalCode: "10036", countryCode: "US" }
  ) { ${RESULT} }
  shipping: setOrderShippingMethod(shippingMethodId: ["1"]) { ${RESULT} }
  state: transitionOrderToState(state: "ArrangingPayment") { __typename
    ... on OrderStateTransitionError { message transitionError } } }`
const PAY = `mutation { addPaymentToOrder(input: { method: "dummy", metadata: {} }) {
  ${RESULT} ... on Order { state } } }`

let buyers = 0

async function prepareOrder(port: number, id: number): Promise<() => Promise<boolean>> {
  const added = await mutate(port, {}, ADD, { id: String(id) })
  const headers = { authorization: `Bearer ${added.headers.get('vendure-auth-token')}` }
  const email = `buyer-${++buyers}@shop.example`
  await mutate(port, headers, CHECK_OUT, { email })
  return async () => {
    const { first } = await mutate(port, headers, PAY, {}, 'may fail')
    return first?.state === 'PaymentSettled'
  }
}

interface Result {
  __typename: string
  state?: string
}

async function mutate(
  port: number,
  headers: Record<string, string>,
  query: string,
  variables: object,
  failing: 'may fail' | 'throws' = 'throws',
) {
  const answer = await call<{ data: Record<string, Result> | null; errors?: unknown }>({
    port,
    path: PATH,
    headers,
    body: { query, variables },
  })
  const results: (Result | null)[] = Object.values(answer.body.data ?? {})
  const isDone = results.length > 0 && results.every((each) => each?.__typename === 'Order')
  if (!isDone && failing === 'throws') throw new Error(JSON.stringify(answer.body))
  return { headers: answer.headers, first: results.at(0) }
}
