/** Reads which gemstone a text names, and whether it names a diamond. */
import { GEM_SPECIES, type GemSpecies } from '../../reference/attributes.ts'
import { readShape } from './shape.ts'
import { cached, fold, isBlankWord, spellings, wordSet } from './spelling.ts'

/** A gemstone that a text names. */
export interface GemName {
  species: string
  /** The color that stands beside the name: `royal blue` of `Royal Blue Sapphire`. */
  hue: string | undefined
  /** A color follows, so that it may be the name of a color: `sapphire blue`. */
  mayBeColor: boolean
}

/** What a text says about the kind of stone. */
export interface StoneWords {
  /** The gemstone; undefined where none is named, or several are. */
  gem: GemName | undefined
  /** Several different gemstones, or a word such as `gemstone`. */
  isAnyGem: boolean
  isDiamond: boolean
  /** Other words stand beside the names, such as those of a firm. */
  hasOthers: boolean
}

/** Other names of the species: in further languages, of varieties, and as they are misspelled. */
const OTHER_NAMES: Partial<Record<GemSpecies, string>> = {
  alexandrite: 'alexandrit|alejandrita|alessandrite|александрит',
  amber: 'bernstein|ambre|янтарь',
  amethyst: 'amethist|améthyste|amatista|ametista|аметист',
  aquamarine: 'aquamarin|aigue marine|aguamarina|acquamarina|аквамарин|海蓝宝',
  beryl: 'heliodor|goshenite|bixbite|red beryl|golden beryl|green beryl|berilo|berillo|берилл',
  chalcedony: 'chrysoprase|carnelian|agate|jasper|chalzedon|calcedonia',
  chrysoberyl: 'cats eye|cat s eye|chrysoberyll|crisoberilo|хризоберилл',
  citrine: 'citrin|citrino|цитрин',
  diopside: 'chrome diopside|diopsid',
  emerald: 'emer|emrld|smaragd|émeraude|esmeralda|smeraldo|изумруд|祖母绿|エメラルド',
  feldspar: 'labradorite|amazonite|orthoclase',
  garnet: `tsavorite|tsavolite|tsavorit|spessartite|spessartine|mandarin garnet|demantoid|rhodolite|
    almandine|pyrope|hessonite|grossular|mali garnet|granat|grenat|granate|granato|гранат|цаворит`,
  iolite: 'iolith|cordierite',
  jade: 'jadeite|nephrite|翡翠',
  kunzite: 'kunzit|spodumene|hiddenite|кунцит',
  kyanite: 'kyanit|cyanite',
  'lapis lazuli': 'lapis|lapislazuli',
  moonstone: 'mondstein|pierre de lune',
  morganite: 'morganit|морганит',
  opal: 'opale|ópalo|опал',
  pearl: 'perle|perla|жемчуг|珍珠',
  peridot: 'olivine|chrysolite|olivin|перидот|хризолит',
  quartz: 'rose quartz|smoky quartz|prasiolite|quarz|cuarzo|quarzo|кварц',
  ruby: 'rub|rby|rubies|rubin|rubine|rubis|rubí|rubino|рубин|红宝石|紅寶石|ルビー',
  sapphire: `sap|saph|sapp|saphir|saphire|sapphir|saphyr|zafiro|zaffiro|safira|saffier|
    padparadscha|padparadsha|padparadja|padparascha|сапфир|蓝宝石|藍寶石|サファイア`,
  sphene: 'titanite|sphen',
  spinel: 'spinell|spinelle|espinela|spinello|шпинель|尖晶石',
  tanzanite: 'tansanit|tanzanit|tanzanita|танзанит|zoisite',
  topaz: 'topas|topaze|topacio|topazio|топаз',
  tourmaline: `turmalin|tourmalin|turmalina|tormalina|турмалин|paraiba|rubellite|indicolite|
    indigolite|verdelite|碧玺`,
  turquoise: 'türkis|turquesa|бирюза',
  zircon: 'zirkon|circón|циркон',
}

/** Varieties that are the name of a color, or have one only. */
const VARIETY_HUES = spellings({
  padparadscha: 'PADPARADSCHA PADPARADSHA PADPARADJA PADPARASCHA',
  paraiba: 'PARAIBA',
  green: 'TSAVORITE TSAVORIT TSAVOLITE DEMANTOID VERDELITE',
  red: 'RUBELLITE',
  blue: 'INDICOLITE INDIGOLITE',
})

/** Words of a color, with those of other languages in English. */
const HUES = new Map([
  ...english(`BLUE RED GREEN PINK YELLOW ORANGE PURPLE VIOLET WHITE BLACK BROWN GREY GRAY TEAL PEACH
    GOLDEN LAVENDER MAGENTA MINT BICOLOR MULTICOLOR COLORLESS ROYAL CORNFLOWER LIGHT DARK DEEP
    VIVID INTENSE PASTEL NEON HOT BLUISH GREENISH PURPLISH PINKISH REDDISH YELLOWISH VIOLETISH
    ORANGISH BROWNISH GREYISH GRAYISH`),
  ...spellings({
    blue: 'BLAU BLAUER BLAUE BLEU AZUL BLU',
    red: 'ROT ROTER ROUGE ROJO ROSSO',
    green: 'GRUN GRUNER VERT VERDE',
    pink: 'ROSA ROSE',
    yellow: 'GELB GELBER JAUNE AMARILLO',
  }),
])

const DIAMOND = wordSet(`
  DIAMOND DIAMONDS DIAMANT DIAMANTE DIAMANTEN DIAMANTS DIAMANTI DIAMANTES BRILLANT BRILLANTEN
  MELEE MELLEE БРИЛЛИАНТ БРИЛЛИАНТЫ АЛМАЗ 钻石 鑽石
`)
const ANY_GEM = new Set(
  [
    ...['GEMSTONE', 'COLORED STONE', 'COLOURED STONE', 'COLOR STONE', 'COLOUR STONE', 'COLORSTONE'],
    ...['PRECIOUS STONE', 'SEMI PRECIOUS', 'SEMIPRECIOUS', 'EDELSTEIN', 'EDELSTEINE', 'FARBSTEIN'],
    ...['FARBSTEINE', 'PIERRE DE COULEUR', 'PIERRES DE COULEUR', 'CORUNDUM', 'KORUND'],
  ].flatMap((name) => [name, `${name}S`]),
)
/** After a name: `emerald cut` is a shape, and `ruby lot` is where a diamond comes from. */
const AFTER_OTHERS = wordSet('CUT CUTS SHAPE SHAPED LOT LOTS BOX BATCH SERIES COLLECTION STEP')
/** Words that say nothing about a firm; see `hasOthers`. */
const PLAIN = wordSet(`
  SHEET TABLE FILE CSV XLS XLSX JSON XML TXT THE OUR OF AND FOR IN ON NATURAL LOOSE FINE CERTIFIED
  STOCK LIST INVENTORY PRICE PRICES CURRENT AVAILABLE NEW HEATED UNHEATED TREATED UNTREATED LAB
  GROWN CREATED PARCEL PARCELS SINGLE SINGLES STONE STONES CALIBRATED FACETED CABOCHON MIXED
  JANUARY FEBRUARY MARCH APRIL MAY JUNE JULY AUGUST SEPTEMBER OCTOBER NOVEMBER DECEMBER DATE USD
  EUR TYPE KIND CATEGORY TITLE SPECIES PRODUCT CT CTS CARAT CARATS OVAL ROUND CUSHION PEAR
`)

const NAMES = indexNames()
const NAME_WORDS_MAX = 3

function indexNames(): ReadonlyMap<string, GemSpecies> {
  const names = new Map<string, GemSpecies>()
  for (const species of GEM_SPECIES) {
    const others = (OTHER_NAMES[species] ?? '').split('|')
    for (const name of [species, ...others]) {
      const words = wordsIn(name).join(' ')
      if (words === '') continue
      names.set(words, species)
      if (!names.has(`${words}S`)) names.set(`${words}S`, species)
    }
  }
  return names
}

/** The words of a text in upper case, without accents. */
function wordsIn(text: string): string[] {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toUpperCase()
  return plain.split(/[^\p{L}]+/u).filter(Boolean)
}

/** The words of a list, each with itself in lower case. */
function english(list: string): (readonly [string, string])[] {
  return list.split(/\s+/).map((word) => [word, word.toLowerCase()] as const)
}

/** Returns what a text says about the kind of stone; undefined when it says nothing. */
export const readStoneWords = cached((text: string): StoneWords | undefined => {
  const words = wordsIn(text)
  const gems: GemName[] = []
  const said = { isAnyGem: false, isDiamond: false, hasOthers: false }
  for (let at = 0; at < words.length; ) {
    const length = nameLength(words, at)
    const name = words.slice(at, at + Math.max(1, length)).join(' ')
    const species = NAMES.get(name)
    if (species !== undefined && !AFTER_OTHERS.has(words[at + length] ?? '')) {
      gems.push(gemAt(words, at, length, species))
    } else if (ANY_GEM.has(name)) said.isAnyGem = true
    else if (DIAMOND.has(name)) said.isDiamond = true
    else if (!PLAIN.has(name) && !HUES.has(name)) said.hasOthers = true
    at += Math.max(1, length)
  }
  const named = withoutShape(gems)
  const isOne = new Set(named.map(({ species }) => species)).size === 1
  if (named.length === 0 && !said.isAnyGem && !said.isDiamond) return undefined
  const hue = named.find((each) => each.hue !== undefined)?.hue
  const gem = isOne ? { ...named[0], hue } : undefined
  return { ...said, gem, isAnyGem: said.isAnyGem || (named.length > 0 && !isOne) }
})

/** Returns how many words from here on are one name; 0 where none begins. */
function nameLength(words: readonly string[], at: number): number {
  for (let length = NAME_WORDS_MAX; length > 0; length--) {
    const name = words.slice(at, at + length).join(' ')
    if (at + length <= words.length && (NAMES.has(name) || ANY_GEM.has(name))) return length
  }
  return 0
}

function gemAt(words: readonly string[], at: number, length: number, species: string): GemName {
  const name = words.slice(at, at + length).join(' ')
  let from = at
  while (from > 0 && HUES.has(words[from - 1])) from--
  let end = at + length
  while (end < words.length && HUES.has(words[end])) end++
  const [before, after] = [words.slice(from, at), words.slice(at + length, end)]
  const beside = (before.length > 0 ? before : after).map((word) => HUES.get(word)).join(' ')
  const hue = VARIETY_HUES.get(name) ?? (beside === '' ? undefined : beside)
  return { species, hue, mayBeColor: after.length > 0 }
}

/** `Emerald Sapphire` is a sapphire with the shape of an emerald. */
function withoutShape(gems: GemName[]): GemName[] {
  const others = gems.filter(({ species }) => species !== 'emerald')
  return others.length > 0 ? others : gems
}

/** Species that are called by the mineral, too: an aquamarine is a beryl. */
const OF_MINERAL = new Map<string, readonly string[]>([
  ['beryl', ['emerald', 'aquamarine', 'morganite']],
  ['chrysoberyl', ['alexandrite']],
  ['quartz', ['amethyst', 'citrine']],
  ['feldspar', ['moonstone']],
])

/** Returns whether one name is the mineral of the other species. */
export function isMineralOf(mineral: string, species: string): boolean {
  return OF_MINERAL.get(mineral)?.includes(species) === true
}

const NO_SPECIES = wordSet(`
  SINGLE LOOSE NATURAL LAB LABGROWN LABCREATED MINED LG NAT CERTIFIED NONCERTIFIED CVD HPHT
  POLISHED ROUGH PARCEL OTHER D N Y 0 1
`)

/** Returns whether a cell of a column of species names none, and need not. */
export function saysNoSpecies(text: string): boolean {
  return isBlankWord(text) || NO_SPECIES.has(fold(text))
}

/** What stands for several gemstones, or for one that is not said. */
const SEVERAL =
  /^(?:mix(?:ed)?|assorted|various|several|multi|misc|miscellaneous|others?)(?![a-z])/i
/** Shorter words are codes, of which only these are names. */
const CODE = /^(?!onyx|jet|sard)\p{L}{1,4}$/iu

/** Reads a cell of a column of species; a gemstone that is not in our list keeps its name. */
export function readSpecies(text: string): StoneWords | undefined {
  const known = readStoneWords(text)
  if (known || saysNoSpecies(text)) return known
  const word = text.trim().toLowerCase()
  if (!/^\p{L}[\p{L} '(),/.-]{2,40}$/u.test(word) || readShape(text)) return undefined
  if (SEVERAL.test(word) || CODE.test(word)) return undefined
  const gem = { species: word, hue: undefined, mayBeColor: false }
  return { gem, isAnyGem: false, isDiamond: false, hasOthers: false }
}
