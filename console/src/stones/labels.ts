import { FANCY_INTENSITIES, HUES } from '../../../src/reference/attributes.ts'
import { CODE_WORDS } from '../../../src/reference/stone-words.ts'
import type { Gem, Gemstone } from '../api/gems.ts'
import { t, tIn } from '../language/language.ts'
import { capitalize, carats, humanize, placeName } from '../lib/format.ts'

/**
 * `1.02 ct round F VS1`, with the treatment of a treated diamond; for a gemstone
 * `1.50 ct blue sapphire oval`.
 */
export function gemName(gem: Gem): string {
  const shape = humanize(gem.shape)
  const parts =
    gem.product_type === 'gemstone'
      ? [
          gem.color && humanize(gem.color),
          gem.stone_type ? humanize(gem.stone_type) : t('gemstone'),
          shape,
        ]
      : [shape, colorName(gem), gem.clarity]
  const name = [carats(gem.weight), ...parts].filter(Boolean).join(' ')
  const treatment = gem.product_type === 'gemstone' ? '' : treatmentText(gem)
  return treatment ? `${name}, ${treatment}` : name
}

function colorName(gem: Gem): string | null {
  if (!gem.is_fancy) return gem.color
  return colorText(gem).toLowerCase()
}

/** The color in words: `F`, or `Fancy intense yellow` for the codes INT and YL. */
export function colorText(
  gem: Pick<Gem, 'color' | 'is_fancy' | 'fancy_color_intensity' | 'overtone'>,
) {
  if (!gem.color) return '–'
  if (!gem.is_fancy) return gem.color
  const { fancy_color_intensity: intensity, overtone } = gem
  const words = [intensity ? INTENSITIES[intensity] : INTENSITIES.FAN, overtone, gem.color]
  const text = words.flatMap((word) => (word ? [valueLabel(word)] : [])).join(' ')
  return capitalize(text.toLowerCase())
}

/** Where a gemstone was found, and its treatment in words; empty where it is not known. */
export function gemstoneTexts(gem: Gem): [origin: string, treatment: string] {
  const { origin } = gem as Partial<Gemstone>
  return [origin ? placeName(origin) : '', treatmentText(gem)]
}

/** The treatment in words; empty of an untreated diamond, and where it is not known. */
export function treatmentText({ treatment }: Gem): string {
  if (!treatment) return ''
  return treatment.toLowerCase() === 'none' ? t('untreated') : tIn('treatment', treatment)
}

/** The laboratory: one of the list, or another one as the supplier writes it. */
export function labName({ lab, lab_name }: Gem): string | null {
  return lab ?? lab_name ?? null
}

type Code = keyof typeof CODE_WORDS

/** Codes in words of the reader, with a capital letter. */
function wordsOf(codes: readonly Code[]): Record<string, string> {
  return Object.fromEntries(
    codes.map((code) => [code, capitalize(t(CODE_WORDS[code].toLowerCase()))]),
  )
}

/** The intensities as laboratories write them: the lighter ones are not called fancy. */
const INTENSITIES: Readonly<Record<string, string>> = wordsOf(FANCY_INTENSITIES)

/** The trade's codes in words. */
const VALUE_LABELS: Readonly<Record<string, string>> = {
  mined: t('Mined'),
  'lab grown': t('Lab grown'),
  ...wordsOf([...HUES, 'IDL']),
  ...INTENSITIES,
  FDK: t('Dark'),
  FDP: t('Deep'),
  INT: t('Intense'),
  VIV: t('Vivid'),
}

export function valueLabel(value: string): string {
  return VALUE_LABELS[value] ?? capitalize(humanize(value))
}
