/** The pages of the console that show what a tool has answered, for the person behind the model. */

type Filters = Record<string, unknown>

/** The filters that the page of the diamond search has, by how its address writes them. */
const CHOICES = [
  'shape',
  'type',
  'color',
  'clarity',
  'cut_grade',
  'polish_grade',
  'symmetry_grade',
  'fluorescence',
  'lab',
  'fancy_color_intensity',
]
const RANGES = [
  'weight',
  'retail_price',
  'ratio',
  'depth_percentage',
  'table_percentage',
  'delivery_days',
]
const FLAGS = ['has_media', 'memo', 'returnable', 'is_sustainable']
const BOUNDS_OF_GEMSTONES = ['weight_min', 'weight_max', 'retail_price_max']

/** The page shows more stones when the search has a filter that its address does not have. */
export function diamondsPage(filters: Filters): string {
  const values = new Map(Object.entries(filters))
  const params: [string, string][] = []
  for (const name of CHOICES) {
    const chosen = values.get(name)
    if (Array.isArray(chosen)) params.push([name, chosen.join(',')])
  }
  for (const name of RANGES) {
    const range = `${boundOf(values.get(`${name}_min`))}-${boundOf(values.get(`${name}_max`))}`
    if (range !== '-') params.push([name, range])
  }
  const flags = FLAGS.filter((name) => values.get(name) === true)
  if (flags.length > 0) params.push(['with', flags.join(',')])
  if (values.get('is_fancy') === true) params.push(['fancy', 'yes'])
  return withParams('/search', params)
}

export function gemstonesPage(filters: Filters): string {
  const values = new Map(Object.entries(filters))
  const species = values.get('species')
  const params: [string, string][] = []
  // The page shows one species or all of them.
  if (Array.isArray(species) && species.length === 1) params.push(['species', String(species[0])])
  for (const name of BOUNDS_OF_GEMSTONES) {
    const bound = boundOf(values.get(name))
    if (bound !== '') params.push([name, bound])
  }
  return withParams('/gemstones', params)
}

function boundOf(value: unknown): string {
  return typeof value === 'number' ? String(value) : ''
}

interface Curation {
  weight: number | string
  shape: string
  types: readonly string[]
  count_per_grade: number
}

export function curatedPage({ weight, shape, types, count_per_grade }: Curation): string {
  return withParams('/curated', [
    ['shape', shape],
    ['weight', String(weight)],
    ...(types.length === 1 ? [['type', types[0]] as [string, string]] : []),
    ...(count_per_grade === 2 ? [['pair', 'yes'] as [string, string]] : []),
  ])
}

export const stonePage = (sku: string) => `/stones/${encodeURIComponent(sku)}`

/** How many stones the page for comparing shows. */
const COMPARED_MAX = 4

export function comparePage(skus: readonly string[]): string {
  return withParams('/compare', [['sku', skus.slice(0, COMPARED_MAX).join(',')]])
}

export const orderPage = (orderId: string) => `/orders/${encodeURIComponent(orderId)}`

/** A link is a small part of an answer; what does not fit is left out. */
const LINK_LENGTH_MAX = 250

function withParams(path: string, params: [string, string][]): string {
  let link = path
  for (const param of params) {
    // A comma needs no escape in a query, and an escaped one takes three bytes.
    const text = new URLSearchParams([param]).toString().replaceAll('%2C', ',')
    const longer = `${link}${link === path ? '?' : '&'}${text}`
    if (longer.length <= LINK_LENGTH_MAX) link = longer
  }
  return link
}
