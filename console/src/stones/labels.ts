import type { Gem } from '../api/gems.ts'
import { capitalize, carats, humanize } from '../lib/format.ts'

/** `1.02 ct round F VS1`; for a gemstone `1.50 ct blue sapphire oval`. */
export function gemName(gem: Gem): string {
  const shape = humanize(gem.shape)
  const parts =
    gem.product_type === 'gemstone'
      ? [gem.color, gem.stone_type ?? 'gemstone', shape]
      : [shape, colorName(gem), gem.clarity]
  return [carats(gem.weight), ...parts].filter(Boolean).join(' ')
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
  const words = [intensity ? INTENSITIES[intensity] : 'Fancy', overtone, gem.color]
  const text = words.flatMap((word) => (word ? [valueLabel(word)] : [])).join(' ')
  return capitalize(text.toLowerCase())
}

/** The intensities as laboratories write them: the lighter ones are not called fancy. */
const INTENSITIES: Readonly<Record<string, string>> = {
  FAN: 'Fancy',
  FDK: 'Fancy dark',
  FDP: 'Fancy deep',
  FLT: 'Fancy light',
  FNT: 'Faint',
  INT: 'Fancy intense',
  LIT: 'Light',
  VIV: 'Fancy vivid',
  VLT: 'Very light',
}

/** The trade's codes in words. */
export const VALUE_LABELS: Readonly<Record<string, string>> = {
  mined: 'Mined',
  'lab grown': 'Lab grown',
  BK: 'Black',
  BL: 'Blue',
  BN: 'Brown',
  CH: 'Champagne',
  CM: 'Chameleon',
  CG: 'Cognac',
  GY: 'Gray',
  GR: 'Green',
  OR: 'Orange',
  PN: 'Pink',
  PL: 'Purple',
  RD: 'Red',
  VL: 'Violet',
  YL: 'Yellow',
  WH: 'White',
  OT: 'Other',
  IDL: 'Ideal',
  FAN: 'Fancy',
  FDK: 'Dark',
  FDP: 'Deep',
  FLT: 'Fancy light',
  FNT: 'Faint',
  INT: 'Intense',
  LIT: 'Light',
  VIV: 'Vivid',
  VLT: 'Very light',
}

export function valueLabel(value: string): string {
  return VALUE_LABELS[value] ?? capitalize(humanize(value))
}
