/** The named characters of HTML that occur in stock lists. */
const NAMED = new Map(
  Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: ' ',
    deg: '°',
    euro: '€',
    pound: '£',
    yen: '¥',
    cent: '¢',
    times: '×',
    frac12: '½',
    frac14: '¼',
    frac34: '¾',
    ndash: '–',
    mdash: '—',
    hellip: '…',
    lsquo: '‘',
    rsquo: '’',
    ldquo: '“',
    rdquo: '”',
    copy: '©',
    reg: '®',
    trade: '™',
    plusmn: '±',
    auml: 'ä',
    ouml: 'ö',
    uuml: 'ü',
    Auml: 'Ä',
    Ouml: 'Ö',
    Uuml: 'Ü',
    szlig: 'ß',
    eacute: 'é',
    egrave: 'è',
    agrave: 'à',
    ccedil: 'ç',
    ntilde: 'ñ',
  }),
)

const CODE_POINT_MAX = 0x10ffff

/** Replaces the entities of HTML by their characters; an unknown one stays as it is. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(/&(#x[\da-f]{1,6}|#\d{1,7}|[a-z]\w{1,9});?/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return NAMED.get(name) ?? NAMED.get(name.toLowerCase()) ?? whole
    const isHex = name[1] === 'x' || name[1] === 'X'
    const code = isHex ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code > 0 && code <= CODE_POINT_MAX ? String.fromCodePoint(code) : whole
  })
}
