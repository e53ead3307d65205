import { drawLines } from '../../../src/pictures/line-drawing.ts'
import { SHAPES, type Shape } from '../../../src/reference/attributes.ts'
import type { Stone } from './api.ts'
import { type DrawnPath, drawing } from './dom.ts'
import { text } from './texts.ts'

/** What a stone is, in words and in a picture. */

/** A list formats a hundred numbers in few ways, and making a format takes longer than using it. */
const formats = new Map<string, Intl.NumberFormat>()

/** Numbers are written as the page's language writes them. */
function numbers(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const lang = document.documentElement.lang || navigator.language
  const name = `${lang} ${JSON.stringify(options)}`
  const format = formats.get(name) ?? formatOf(lang, options)
  formats.set(name, format)
  return format
}

function formatOf(lang: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  try {
    return new Intl.NumberFormat(lang, options)
  } catch {
    return new Intl.NumberFormat('en', options)
  }
}

/** The first format of a page takes 50 ms to make. */
export function prepareNumbers(): void {
  numbers({})
}

export function count(value: number): string {
  return numbers({}).format(value)
}

/** Without cents from a hundred on, where they are noise. */
export function money(amount: number, currency: string): string {
  const maximumFractionDigits = amount >= 100 ? 0 : 2
  const options = { style: 'currency', currency, maximumFractionDigits } as const
  return numbers({ ...options, minimumFractionDigits: maximumFractionDigits }).format(amount)
}

export function carats(weight: number): string {
  return `${numbers({ minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(weight)} ct`
}

function decimal(value: number): string {
  return numbers({ maximumFractionDigits: 2 }).format(value)
}

export function words(name: string): string {
  const spaced = name.replaceAll('_', ' ')
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}

/** `1.02 ct Round`; of a gemstone `1.50 ct Oval Sapphire`. */
export function nameOf({ weight, shape, stone_type }: Stone): string {
  return [carats(weight), words(shape), stone_type && words(stone_type)].filter(Boolean).join(' ')
}

/** The line below the name: `F · VS1 · Ideal`. */
export function gradesOf(stone: Stone): string {
  const { is_fancy, color, fancy_color_intensity, clarity, cut_grade_description } = stone
  const hue = is_fancy
    ? [FANCY.get(fancy_color_intensity ?? '') ?? 'Fancy', HUES.get(color ?? '')]
    : [color]
  const grades = [hue.filter(Boolean).join(' '), clarity, cut_grade_description]
  return grades.filter(Boolean).join(' · ')
}

const HUES = new Map([
  ...[
    ['BK', 'black'],
    ['BL', 'blue'],
    ['BN', 'brown'],
    ['CH', 'champagne'],
    ['CM', 'chameleon'],
  ],
  ...[
    ['CG', 'cognac'],
    ['GY', 'gray'],
    ['GR', 'green'],
    ['OR', 'orange'],
    ['PN', 'pink'],
  ],
  ...[
    ['PL', 'purple'],
    ['RD', 'red'],
    ['VL', 'violet'],
    ['YL', 'yellow'],
    ['WH', 'white'],
  ],
] as [string, string][])
const FANCY = new Map([
  ...[
    ['FDK', 'Fancy dark'],
    ['FDP', 'Fancy deep'],
    ['FLT', 'Fancy light'],
    ['FNT', 'Faint'],
  ],
  ...[
    ['INT', 'Fancy intense'],
    ['LIT', 'Light'],
    ['VIV', 'Fancy vivid'],
    ['VLT', 'Very light'],
  ],
] as [string, string][])

const FINISH = new Map([
  ...[
    ['EX', 'Excellent'],
    ['VG', 'Very Good'],
    ['G', 'Good'],
    ['F', 'Fair'],
    ['P', 'Poor'],
  ],
] as [string, string][])

/** The rows of the table of facts, without those that are not known. */
export function factsOf(stone: Stone): [label: string, value: string][] {
  const { length, width, depth, delivery_days_min, delivery_days_max } = stone
  const finish = (grade: string | null) => grade && (FINISH.get(grade) ?? grade)
  const percent = (value: number | null) => value && `${decimal(value)} %`
  const size = [length, width, depth].filter((each) => each !== null).map(decimal)
  const days = [...new Set([delivery_days_min, delivery_days_max])].filter((day) => day !== null)
  const rows: [string, string | number | null | undefined][] = [
    [text('kind'), text(stone.type === 'mined' ? 'mined' : 'labGrown')],
    [
      text('color'),
      stone.is_fancy
        ? gradesOf({ ...stone, clarity: null, cut_grade_description: null })
        : stone.color,
    ],
    [text('clarity'), stone.clarity],
    [text('cut'), stone.cut_grade_description],
    [text('polish'), finish(stone.polish_grade)],
    [text('symmetry'), finish(stone.symmetry_grade)],
    [text('fluorescence'), stone.fluorescence],
    [text('origin'), stone.origin],
    [text('treatment'), stone.treatment],
    [text('measurements'), size.length > 0 && `${size.join(' × ')} mm`],
    [text('ratio'), stone.ratio && decimal(stone.ratio)],
    [text('depth'), percent(stone.depth_percentage)],
    [text('table'), percent(stone.table_percentage)],
    [text('delivery'), days.length > 0 && text('days', { days: days.join('–') })],
    [text('number'), stone.sku],
  ].map(([label, value]) => [String(label), value || null])
  return rows.filter((row): row is [string, string] => row[1] !== null)
}

const SIZE = 60

/** The outline of a shape with its facets, in the color of the text. */
export function shapeDrawing(shape: string): SVGElement | null {
  if (!isShape(shape)) return null
  const paths = drawings.get(shape) ?? pathsOf(shape)
  drawings.set(shape, paths)
  return drawing(SIZE, paths)
}

/** As large as a drawing that takes its place later. */
export function emptyDrawing(): SVGElement {
  return drawing(SIZE, [])
}

/** Many stones of a list have the same shape. */
const drawings = new Map<Shape, readonly DrawnPath[]>()

function pathsOf(shape: Shape): readonly DrawnPath[] {
  const lines = drawLines(shape, SIZE).polygons.map(({ points }) => {
    const d = points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')
    return `M${d}Z`
  })
  const outline = lines.pop() ?? ''
  return [
    { d: lines.join(''), width: 0.8 },
    { d: outline, width: 1.6 },
  ]
}

function isShape(shape: string): shape is Shape {
  return (SHAPES as readonly string[]).includes(shape)
}
