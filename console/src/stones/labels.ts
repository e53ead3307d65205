import type { Gem } from '../api/gems.ts'
import { t } from '../language/language.ts'
import { capitalize, carats, humanize } from '../lib/format.ts'

/** `1.02 ct round F VS1`; for a gemstone `1.50 ct blue sapphire oval`. */
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
  const words = [intensity ? INTENSITIES[intensity] : t('Fancy'), overtone, gem.color]
  const text = words.flatMap((word) => (word ? [valueLabel(word)] : [])).join(' ')
  return capitalize(text.toLowerCase())
}

/** The intensities as laboratories write them: the lighter ones are not called fancy. */
const INTENSITIES: Readonly<Record<string, string>> = {
  FAN: t('Fancy'),
  FDK: t('Fancy dark'),
  FDP: t('Fancy deep'),
  FLT: t('Fancy light'),
  FNT: t('Faint'),
  INT: t('Fancy intense'),
  LIT: t('Light'),
  VIV: t('Fancy vivid'),
  VLT: t('Very light'),
}

/** The trade's codes in words. */
export const VALUE_LABELS: Readonly<Record<string, string>> = {
  mined: t('Mined'),
  'lab grown': t('Lab grown'),
  BK: t('Black'),
  BL: t('Blue'),
  BN: t('Brown'),
  CH: t('Champagne'),
  CM: t('Chameleon'),
  CG: t('Cognac'),
  GY: t('Gray'),
  GR: t('Green'),
  OR: t('Orange'),
  PN: t('Pink'),
  PL: t('Purple'),
  RD: t('Red'),
  VL: t('Violet'),
  YL: t('Yellow'),
  WH: t('White'),
  OT: t('Other'),
  IDL: t('Ideal'),
  FAN: t('Fancy'),
  FDK: t('Dark'),
  FDP: t('Deep'),
  FLT: t('Fancy light'),
  FNT: t('Faint'),
  INT: t('Intense'),
  LIT: t('Light'),
  VIV: t('Vivid'),
  VLT: t('Very light'),
}

export function valueLabel(value: string): string {
  return VALUE_LABELS[value] ?? capitalize(humanize(value))
}
