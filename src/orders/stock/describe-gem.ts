import type { Gem } from '../../gems/gem.ts'
import { isTreated } from '../../gems/gem-life.ts'

/**
 * `1.52 ct round brilliant cut, lab grown, F VS1, GIA 2201234567`. A treated diamond is sold as
 * such: its treatment stands before the certificate.
 */
export function describeGem(gem: Gem): string {
  const cut = `${gem.shape} ${gem.cut_code}`.replaceAll('_', ' ')
  const color = gem.color_max === null ? gem.color : `${gem.color_max}-${gem.color}`
  const clarity = gem.clarity_max === null ? gem.clarity : `${gem.clarity_max}-${gem.clarity}`
  const grade = [gem.species, color, clarity].filter((word) => word !== null).join(' ')
  const certificate = [gem.lab ?? gem.lab_name, gem.cert_num]
    .filter((word) => word !== null)
    .join(' ')
  // A pair has the numbers of both stones.
  const pair = gem.cert_num?.includes(' / ') ? 'pair of ' : ''
  return [
    `${Number(gem.weight)} ct ${pair}${cut}`,
    gem.type,
    grade,
    isTreated(gem) ? (gem.treatment ?? '') : '',
    gem.cert_num ? certificate : '',
  ]
    .filter((part) => part !== '')
    .join(', ')
}

/** Printed with at least two decimals, so that `1.5`, `1.50` and `1` all find 1.5 ct. */
export function weightWord(weight: string): string {
  const [whole, fraction = ''] = weight.split('.')
  return `${whole}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`
}
