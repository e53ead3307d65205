type Tint = [number, number, number]

/** How a colour looks: fancy hues by their code, gemstones by the name of the colour. */
const TINTS = new Map<string, Tint>([
  ['BK', [70, 72, 78]],
  ['BL', [96, 142, 222]],
  ['BN', [156, 112, 76]],
  ['CH', [178, 134, 84]],
  ['CM', [150, 160, 140]],
  ['CG', [206, 174, 96]],
  ['GY', [160, 166, 174]],
  ['GR', [104, 184, 126]],
  ['OR', [238, 152, 70]],
  ['PN', [240, 160, 188]],
  ['PL', [164, 118, 204]],
  ['RD', [214, 70, 84]],
  ['VL', [140, 120, 214]],
  ['YL', [244, 208, 84]],
  ['WH', [240, 242, 246]],
  ['OT', [190, 196, 206]],
  ['red', [204, 48, 72]],
  ['pink', [236, 128, 168]],
  ['blue', [70, 108, 208]],
  ['green', [54, 156, 102]],
  ['yellow', [240, 202, 80]],
  ['orange', [236, 138, 60]],
  ['purple', [142, 84, 186]],
  ['violet', [126, 102, 206]],
  ['teal', [52, 150, 160]],
  ['brown', [152, 104, 68]],
  ['black', [62, 64, 70]],
  ['white', [238, 241, 246]],
  ['gray', [158, 164, 172]],
  ['grey', [158, 164, 172]],
  ['padparadscha', [246, 160, 130]],
  ['colorless', [232, 239, 248]],
  ['aqua', [120, 200, 214]],
  ['peach', [246, 178, 146]],
])

const ICY: Tint = [228, 238, 250]
const WARM: Tint = [246, 226, 168]
const GRADES = 'DEFGHIJKLMNOPQRSTUVWXYZ'

/** Grades from D to Z run from icy to warm; other texts are searched for a known colour. */
export function tintOf(color: string): Tint {
  const known = TINTS.get(color)
  if (known) return known
  const grade = GRADES.indexOf(color[0])
  if (/^[D-Z]{1,2}$/.test(color) && grade >= 0) {
    const part = Math.max(0, grade - 2) / (GRADES.length - 3)
    const mix = (index: 0 | 1 | 2) => Math.round(ICY[index] + (WARM[index] - ICY[index]) * part)
    return [mix(0), mix(1), mix(2)]
  }
  const lower = color.toLowerCase()
  return [...TINTS].find(([name]) => lower.includes(name))?.[1] ?? ICY
}
