import { readCountry } from './country.ts'
import { cached, isBlankWord, lastName, readFlag } from './spelling.ts'

/** A plain no: in a second column it may answer another question than whether it is on offer. */
const PLAIN_NO = wordsOf(`
  N|No|False|0|Nein|Non|Nee|Não|Нет|לא|否|无|無|いいえ
`)

const OFF_MARKET = wordsOf(`
  NA|Not available|Unavailable|Temporarily unavailable|Sold|Sold out|Out of stock|M|Memo|On memo
  Out on memo|Memo out|H|Hold|On hold|Reserved|Blocked|Inactive|Busy|Business process|BP
  Not in stock|Confirmed|Deleted|Offline|In memo|Issue|Held|Reserve|Booked|Ordered|Invoiced
  Consigned|On consignment|Withdrawn|Disabled|Not for sale|Lost|Expired|Is memo|In process
  Transit|In transit|Upcoming|Coming soon|Not ready|Sale pending|On loan|On approval
  Discontinued|Backorder|On backorder|Preorder|Draft|Archived|Unlisted

  Verkauft|Ausverkauft|Reserviert|Vorgemerkt|Zurückgelegt|Zurueckgelegt|Nicht verfügbar
  Nicht verfuegbar|Nicht lieferbar|Nicht auf Lager|Nicht vorrätig|Nicht vorraetig|Vergriffen
  Kommission|In Kommission|Auf Memo|Gesperrt|Geblockt|Blockiert|Inaktiv|Unterwegs
  Vorübergehend nicht verfügbar|Nicht zu verkaufen

  Vendu|Vendue|Vendus|Vendues|Réservé|Réservée|Réservés|En attente|Indisponible
  Non disponible|Pas disponible|Plus disponible|Épuisé|Épuisée|En rupture|Rupture de stock
  Bloqué|Bloquée|En consignation|Confié|Confiée|En confié|En prêt|En option|Inactif|En memo
  En transit|Retiré

  Vendido|Vendida|Vendidos|Reservado|Reservada|Apartado|Apartada|No disponible|Agotado|Agotada
  Bloqueado|Bloqueada|En consignación|Sin stock|Sin existencias|En espera|Prestado|Retenido
  Inactivo|En tránsito

  Indisponível|Não disponível|Esgotado|Esgotada|Consignado|Em consignação|Em espera|Em memo
  Sem estoque|Inativo|Em trânsito

  Venduto|Venduta|Venduti|Prenotato|Prenotata|Riservato|Riservata|Impegnato|Impegnata|Opzionato
  Non disponibile|Indisponibile|Esaurito|Esaurita|Bloccato|Bloccata|In conto vendita
  Conto deposito|In visione|In attesa|In memo|In transito

  Verkocht|Uitverkocht|Gereserveerd|In optie|Niet beschikbaar|Niet op voorraad|Niet leverbaar
  Onbeschikbaar|Geblokkeerd|In consignatie|Op zicht|Inactief

  Bik gaya|Uplabdh nahi|Uplabdh nahin

  Продано|Продан|Продана|Проданы|Резерв|В резерве|Зарезервировано|Зарезервирован
  Зарезервирована|Забронировано|Забронирован|Бронь|Отложено|Отложен|Отложена|На реализации
  На консигнации|Мемо|На мемо|Нет в наличии|Недоступно|Недоступен|Не доступен|Не доступно
  Отсутствует|Снято с продажи|Снят с продажи|В пути|Заблокирован|Заблокировано

  售出|已售|已售出|售罄|已售罄|卖出|已卖|已卖出|賣出|已賣|已賣出|缺货|缺貨|无货|無貨|没货|沒貨
  保留|已保留|预留|預留|已预留|已預留|预订|預訂|已预订|已預訂|预定|預定|已预定|已預定|锁定|鎖定
  已锁定|已鎖定|借出|已借出|不可售|不可用|下架|已下架|在途

  売約|売約済|売約済み|売却済|売却済み|販売済|販売済み|売り切れ|売切れ|売切|完売|品切れ|在庫切れ
  在庫なし|在庫無し|在庫無|予約|予約済|予約済み|予約中|取り置き|取置き|取置|取り置き中|商談中
  保留中|貸出中|委託中|販売不可

  נמכר|נמכרה|נמכרו|שמור|שמורה|משוריין|שוריין|מוזמן|תפוס|תפוסה|מושאל|לא זמין|לא זמינה|לא במלאי
  אזל|אזל מהמלאי|אין במלאי|בממו
`)
const ON_MARKET = wordsOf(`
  G|GA|Guaranteed|Guaranteed available|Guaranteed availability|A|AV|AVL|Avail|Available|Y|Yes
  True|1|New|STPS|Subject to prior sale|In stock|Stock|Active|Not specified|On hand|Office
  In hand|Web|Live|Online|For sale|Ready|Unsold|Not sold|Free|Available now|On stock|Not on hold
  Not on memo|No hold|Publish|Published|Not reserved|Fresh|Fresh stock|Ready stock
  Stone available|Available stock

  Ja|Verfügbar|Verfuegbar|Sofort verfügbar|Auf Lager|Lieferbar|Sofort lieferbar|Vorrätig
  Vorraetig|Lagernd|Frei|Aktiv|Unverkauft|Nicht verkauft|Nicht reserviert
  Oui|Disponible|Disponibles|En stock|Actif|Libre|Non vendu|En vente
  Sí|Activo|En existencia|En venta|No vendido
  Sim|Disponível|Em estoque|Em stock|Ativo|Livre|À venda|Não vendido
  Sì|Disponibile|Disponibili|In magazzino|A magazzino|Attivo|Libero|In vendita|Non venduto
  Beschikbaar|Op voorraad|Leverbaar|Voorradig|Vrij|Actief|Onverkocht|Niet verkocht
  Uplabdh
  Да|В наличии|Есть|Есть в наличии|Доступно|Доступен|Доступна|Свободно|Свободен|Свободна
  В продаже|На складе|Не продано|Не продан|Активно|Активен
  是|有|可售|在售|现货|現貨|有货|有貨|库存|庫存|有库存|有庫存|在库|可用|未售|未售出|上架|已上架
  はい|あり|有り|可|在庫|在庫あり|在庫有り|在庫有|販売中|販売可|販売可能
  כן|זמין|זמינה|במלאי|פנוי|פנויה
`)
/** `On hold for a client`, `SOLD 12/3`, `Memo out`: first words that can mean nothing else. */
const OFF_START = new RegExp(
  '^(?:SOLD|HOLD|ONHOLD|ONMEMO|OUTONMEMO|MEMOOUT|RESERVED|NOTAVAIL|VERKAUFT|RESERVIERT|' +
    'NICHTVERF|VENDUTO|VENDIDO|RESERVADO|VERKOCHT|GERESERVEERD|' +
    'ПРОДАН|РЕЗЕРВ|已售|売約済|נמכר)',
)
/** What suppliers write instead of leaving the cell empty. */
const EMPTY = /^[\s.*_/–—-]*$/

/** Returns whether the stone is on offer; undefined for an unknown word. */
export const readAvailability = cached((text: string): boolean | undefined => {
  const code = foldLetters(text)
  if (ON_MARKET.has(code) || EMPTY.test(text)) return true
  if (OFF_MARKET.has(code) || PLAIN_NO.has(code)) return false
  return OFF_START.test(code) ? false : readCodeAndWord(text)
})

/** `A - Available`, `Guaranteed (G)`, `H: On hold`: a code and its word, which agree. */
function readCodeAndWord(text: string): boolean | undefined {
  if (isAvailableIn(text)) return true
  const parts = text.split(/\s+[-–]\s+|\s*[:=()]\s*/).map(foldLetters)
  const [one, other, more] = parts.filter((part) => part !== '')
  if (one === undefined || other === undefined || more !== undefined) return undefined
  if (ON_MARKET.has(one) && ON_MARKET.has(other)) return true
  return OFF_MARKET.has(one) && OFF_MARKET.has(other) ? false : undefined
}

/** `Available (India)`, `AVAILABLE-HK`, `In stock - New York`: the word and a place. */
function isAvailableIn(text: string): boolean {
  // The time of the expression grows with the square of the spaces.
  const place = text.length > PLACE_CHARS_MAX ? undefined : AVAILABLE_WORD.exec(text.trim())?.[1]
  return place !== undefined && readCountry(place) !== undefined
}

const PLACE_CHARS_MAX = 60
const AVAILABLE_WORD =
  /^(?:available|in ?stock)(?:\s*[-–:,/(]\s*|\s+(?:(?:in|at)\s+)?)([^()]+)\)?$/i

/**
 * Whether a cell takes the stone off in a column that may be about something else: a code or a
 * plain no is not enough.
 */
export function isCertainlyOff(text: string): boolean {
  if (readAvailability(text) !== false) return false
  const code = foldLetters(text)
  return !PLAIN_NO.has(code) && !SHORT_CODE.test(code)
}

const SHORT_CODE = /^[A-Z0-9]{1,2}$/

/** Returns whether a column about sales, such as `Is Sold Out` or `Hold`, takes the stone off. */
export const isTaken = cached((text: string): boolean => {
  if (isBlankWord(text)) return false
  const flag = readFlag(text)
  if (flag !== undefined) return flag
  const code = foldLetters(text)
  return !PLAIN_NO.has(code) && !ON_MARKET.has(code)
})

const TAKEN_WORD =
  'sold(?: ?out)?|(?:on )?hold|reserved|(?:on |out on )?memo|memo ?out|out of stock|verkauft|' +
  'reserviert|vendue?|réservée?|vendid[oa]|reservad[oa]|vendut[oa]|verkocht|gereserveerd|' +
  'продан[оа]?|(?:в )?резерве?|已售出?|售出|売約済み?|נמכר'
/** `SOLD`, `Currently on memo`, `The stone is on hold`. */
const TAKEN_WORDS = remarkOf(TAKEN_WORD)
const TAKEN_REMARK = remarkOf(`${TAKEN_WORD}|not available|unavailable`)
/** A sheet, or a file of a ZIP, of stones that are not on offer: `sheet On Memo`. */
const TAKEN_PART = new RegExp(
  `^(?:sheet|table|file) (?:.*/)?\\s*(?:${TAKEN_WORD})` +
    '(?: (?:stones?|diamonds?|goods|stock|items|pieces|jewel(?:le)?ry))?\\s*(?:\\.\\w+)*$',
  'iu',
)

function remarkOf(words: string): RegExp {
  return new RegExp(
    '^(?:(?:the |this )?(?:stone|diamond|item) )?(?:(?:is|currently|presently|now|already) )*' +
      `(?:(?:${words})(?: (?:now|currently|at the moment|at present))?[^\\p{L}\\p{N}]*$|` +
      '(?:sold to|sold(?: on)?[ :(–-]+(?=\\d)|(?:on )?hold (?:for|by|with|since|till?|until)|' +
      'on hold(?= ?[:(–-])|(?:out )?on memo|memo ?out (?:to|with|by|at|since|till?|until)|' +
      'reserved (?:for|by|since|till?|until)|not available (?:till?|until))(?!\\p{L}))',
    'iu',
  )
}

/** Whether a place, a certificate number or a price is replaced by a word such as `SOLD`. */
export function saysTaken(text: string): boolean {
  // Nearly all of them are numbers, and every row has several.
  return !isDigit(text.charCodeAt(0)) && TAKEN_WORDS.test(text)
}

const isDigit = (code: number) => code >= 48 && code <= 57

/** Whether a supplier's own remark says so; there `Not available` is not an empty cell. */
export function remarksTaken(text: string): boolean {
  return TAKEN_REMARK.test(text)
}

/** Whether a sheet or a file is called so that nothing in it is on offer. */
export const isTakenPart = cached((part: string) => TAKEN_PART.test(part))

const NONE_LEFT = /^(?:0+(?:[.,]0+)?|-\s*\d+(?:[.,]\d+)?)$/

/** Whether a quantity says that there is none. */
export function saysNoneLeft(text: string): boolean {
  return NONE_LEFT.test(text)
}

/** Here a yes, a date or a name takes the stone off: `Is Sold Out`, `Hold`, `Reserved For`. */
const TAKEN_COLUMN = new RegExp(
  '^(?:IS|STONE|DIAMOND)?(?:SOLD(?:OUT)?|(?:ON)?HOLD|HELD|RESERVED|ONMEMO|MEMOOUT|OUTONMEMO|' +
    'DELETED|BLOCKED|SOLDTO|(?:(?:ON)?HOLD|HELD|RESERVED|(?:ON)?MEMO|BLOCKED)(?:TO|BY|FOR|WITH)|' +
    '(?:SOLD|HOLD|MEMO)(?:PARTY|CLIENT|CUSTOMER|BUYER))$',
)

/** Whether a yes in a column of this name takes its row off the market. */
export function isTakenColumn(column: string): boolean {
  return TAKEN_COLUMN.test(lastName(column))
}

/** What a heading is about, and how many there are of it: `SOLD STONES (12)`. */
const GOODS = /(?<!\p{L})(?:the|stones?|diamonds?|goods|gems?|items?|list|pcs)(?!\p{L})|[\d\W]+$/giu
/** Shorter words are codes, or the initials of anything. */
const HEADING_LETTERS_MIN = 4

/** Returns whether a heading says that the stones below it are on offer; undefined for others. */
export const readHeading = cached((text: string): boolean | undefined => {
  const words = text.replaceAll(GOODS, ' ').trim()
  return foldLetters(words).length < HEADING_LETTERS_MIN ? undefined : readAvailability(words)
})

/** Upper case letters of any script, without accents, and digits. */
function foldLetters(text: string): string {
  return text
    .normalize('NFKD')
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/** Turns `A|B C` and further lines of the kind into a set of folded words. */
function wordsOf(list: string): ReadonlySet<string> {
  const words = list.split(/[|\n]/).map(foldLetters)
  return new Set(words.filter((word) => word !== ''))
}
