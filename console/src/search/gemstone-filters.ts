import type { Filters } from '../api/gems.ts'

/** The species that the search page offers. */
export const SPECIES = [
  'sapphire',
  'ruby',
  'emerald',
  'spinel',
  'tanzanite',
  'tourmaline',
  'aquamarine',
  'morganite',
  'garnet',
  'amethyst',
  'topaz',
  'peridot',
  'alexandrite',
]
const BOUNDS = ['weight_min', 'weight_max', 'retail_price_max']

/** The filters of the gemstone search that its address has. */
export function gemstoneFilters(params: URLSearchParams): Filters {
  const species = params.get('species')
  const bounds = BOUNDS.map((name) => [name, Number(params.get(name))] as const)
  return {
    ...(species && { species: [species] }),
    ...Object.fromEntries(bounds.filter(([, value]) => value > 0)),
    ...(params.get('media') === 'yes' && { has_media: true }),
  }
}

/** The address of the gemstone search with these filters; undefined where it lacks one of them. */
export function gemstoneUrl(filters: Filters): string | undefined {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(filters)) {
    if (name === 'species' && isOneSpecies(value)) params.set(name, value[0])
    else if (BOUNDS.includes(name) && Number(value) > 0) params.set(name, String(value))
    else if (name === 'has_media' && value === true) params.set('media', 'yes')
    else return undefined
  }
  const text = params.toString()
  return text ? `/gemstones?${text}` : '/gemstones'
}

function isOneSpecies(value: Filters[string]): value is [string] {
  return Array.isArray(value) && value.length === 1 && SPECIES.includes(value[0])
}
