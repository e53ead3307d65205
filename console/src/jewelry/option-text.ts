import { isTranslated, t } from '../language/language.ts'
import { capitalize, decimal, humanize } from '../lib/format.ts'

/** `necklace_sub_type` as people say it. Shops also write `Chain Length`. */
export function attributeLabel(name: string): string {
  const label = capitalize(name.replace('_sub_type', '_type').replaceAll('_', ' '))
  const plain = capitalize(label.toLowerCase())
  return isTranslated(plain) ? t(plain) : label
}

const INCHES = /^(\d+(?:\.\d+)?) ?(?:in|inch|inches|″|")$/

/** The value of an attribute or of an option in words. */
export function optionText(value: string): string {
  const inches = INCHES.exec(value)?.[1]
  return inches === undefined ? humanize(value) : t('{n} in', { n: decimal(Number(inches)) })
}
