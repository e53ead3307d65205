import { isBlankWord } from '../../../feeds/values/spelling.ts'

/** Words and codes of the trade; the first part of a pair is replaced by the second. */
const SPELLINGS: [RegExp, string][] = [
  // `14KW` and `14K WG`, where the letter is the color of the gold.
  [/\b(\d{1,2})\s?k(?:t|arat)?\s?([wyrp])g?\b/, '$1k $2g'],
  [/\b(\d{1,2})\s*(?:kt|ct|karat|carat|k)\b\.?/, '$1k'],
  // `18W`, where nothing but a karat of gold is meant.
  [/\b(9|10|14|18|21|22)\s?([wyr])\b/, '$1k $2g'],
  [/\b(pt|plat|pd)\s?(\d{3})\b/, '$1 $2'],
  [/\b(?:wg|wei(?:ß|ss)gold|or blanc|oro blanco|oro bianco)\b/, 'white gold'],
  [/\b(?:yg|gelbgold|or jaune|oro amarillo|oro giallo)\b/, 'yellow gold'],
  [/\b(?:rg|pg|ros[ée]gold|rotgold|or rose|oro rosa)\b/, 'rose gold'],
  [/\b(?:pt|plat|platin|platine|platino)\b/, 'platinum'],
  [/\bpd\b/, 'palladium'],
  [/\b(?:silber|argent|plata|argento)\b/, 'silver'],
  // `18K Rose`: only gold has karats and a color.
  [/^(\d{1,2}k) (white|yellow|rose)$/, '$1 $2 gold'],
  [/^(\d{1,2}k) (?:pink|red)$/, '$1 rose gold'],
]

/** Parts of a thousand, as hallmarks state the purity of gold. */
const KARATS = new Map([
  ['333', 8],
  ['375', 9],
  ['416', 10],
  ['417', 10],
  ['583', 14],
  ['585', 14],
  ['750', 18],
  ['916', 22],
  ['917', 22],
  ['999', 24],
])

const GOLD = /^(?:[a-z]+(?:[ -]tone)? )?gold$/
const STERLING = /^(?:925 |sterling |silver )*(?:silver|925|sterling)(?: 925)?$/

/** The colors of gold, as a column of their own has them. */
const GOLD_COLORS = new Map([
  ...['white', 'w', 'wg', 'white gold'].map((text) => [text, 'white'] as const),
  ...['yellow', 'y', 'yg', 'yellow gold'].map((text) => [text, 'yellow'] as const),
  ...['rose', 'r', 'rg', 'rose gold', 'pink', 'pink gold'].map((text) => [text, 'rose'] as const),
])
/** Gold of which the color is not said: `14K`, `Gold`, `585 Gold`, `Gold 750`. */
const UNCOLORED = /^(?:(?:(?:\d{1,2}k|\d{3}) ?)?(?:gold)?|gold (?:\d{1,2}k|\d{3}))$/

/** `Yellow Gold` and `18` are `18k yellow gold`; `Silver` and `925` are `sterling silver`. */
export function readMetal(
  material: string | undefined,
  karat: string | undefined,
  color?: string,
): string | null {
  // `White Gold (18K)`
  const words = (material ?? '').toLowerCase().replaceAll(/[\s()]+/g, ' ')
  const metal = coloredGold(spelled(words.trim()), karat, color)
  if (isBlankWord(metal)) return null
  const purity = /\d+(\.\d+)?/.exec(karat ?? '')?.[0]
  if (STERLING.test(metal) && (purity === undefined || purity === '925')) return 'sterling silver'
  const own = /\b(\d{1,3})k?\b/.exec(metal)
  const bare = metal.replace(/ ?\b\d{1,3}k?\b ?/, ' ').trim()
  if (GOLD.test(bare)) {
    const karats = karatsOf(own?.[1] ?? purity)
    if (karats !== undefined) return `${karats}k ${bare}`
  }
  if (bare === 'platinum' || bare === 'palladium')
    return [bare, own?.[1] ?? purity].join(' ').trim()
  if (purity === undefined || own || /silver/.test(metal)) return metal
  return `${metal} ${purity}`
}

/** Gold has its color in a column of its own: `14K` and `White`. */
function coloredGold(metal: string, karat = '', color = ''): string {
  const hue = GOLD_COLORS.get(color.trim().toLowerCase())
  if (hue === undefined || !UNCOLORED.test(metal)) return metal
  if (metal === '' && !/^\d{1,2} ?k/i.test(karat)) return metal
  return `${metal.replace(/ ?gold ?/, '')} ${hue} gold`.trim()
}

function spelled(metal: string): string {
  return SPELLINGS.reduce((text, [pattern, words]) => text.replace(pattern, words), metal)
}

function karatsOf(purity: string | undefined): number | undefined {
  if (purity === undefined) return undefined
  const known = KARATS.get(purity)
  return known ?? (Number(purity) <= 24 ? Number(purity) : undefined)
}
