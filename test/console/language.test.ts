import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { GERMAN, GERMAN_AREAS } from '../../console/src/language/german/index.ts'
import { VALUES } from '../../console/src/language/german/values.ts'
import { hasEnglishWord, plain } from './untranslated.ts'

/** A text in quotes, as an argument of one of the functions that translate. */
const TEXT = String.raw`('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")`
const CALLS = [
  new RegExp(String.raw`\bt\(\s*${TEXT}`, 'g'),
  new RegExp(String.raw`\bwithElements\(\s*${TEXT}`, 'g'),
  // The texts of notices.
  new RegExp(String.raw`\bsay\(\s*${TEXT}`, 'g'),
]
const PLURAL = new RegExp(
  String.raw`\b(?:plural|counted)\([^'"\n]*?,\s*${TEXT}(?:,\s*${TEXT})?`,
  'g',
)
const IN_CONTEXT = new RegExp(String.raw`\btIn\(\s*${TEXT},\s*${TEXT}`, 'g')

/** The texts that the sources of the console mention in calls that translate. */
function textsInUse(): Set<string> {
  const texts = new Set<string>()
  for (const source of [...sources('console/src'), ...sources('src/notices/texts')]) {
    for (const call of CALLS) {
      for (const [, text] of source.matchAll(call)) texts.add(unquoted(text))
    }
    for (const [, one, many] of source.matchAll(PLURAL)) {
      texts.add(unquoted(one))
      texts.add(many ? unquoted(many) : `${unquoted(one)}s`)
    }
    for (const [, context, text] of source.matchAll(IN_CONTEXT)) {
      texts.add(`${unquoted(context)}: ${unquoted(text)}`)
    }
  }
  return texts
}

function* sources(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* sources(path)
    else if (/\.tsx?$/.test(path) && !path.endsWith('language/language.ts'))
      yield readFileSync(path, 'utf8')
  }
}

const unquoted = (text: string) => text.slice(1, -1).replaceAll(/\\(.)/g, '$1')

describe('the German dictionary', () => {
  it('has every text that the console translates', () => {
    const missing = [...textsInUse()].filter((text) => !GERMAN.has(text))
    expect(missing).toEqual([])
  })

  it('has each text once, and with the same placeholders', () => {
    const all = GERMAN_AREAS.flatMap((area) => Object.entries(area))
    const twice = all.filter(([text], at) => all.findIndex(([other]) => other === text) !== at)
    expect(twice).toEqual([])
    const names = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort()
    const others = all.filter(([text, german]) => names(text).join() !== names(german).join())
    expect(others).toEqual([])
  })

  it('has no text that the console no longer shows', () => {
    const used = textsInUse()
    const byName = /^(problem|field|reason): |^must |^is required$/
    const unused = [...GERMAN.keys()].filter(
      (text) => !used.has(text) && !Object.hasOwn(VALUES, text) && !byName.test(text),
    )
    expect(unused).toEqual([])
  })

  it('translates sentences of the server as the server writes them', () => {
    const server = [...sources('src')].join('\n')
    const sentences = [...GERMAN.keys()].flatMap(
      (key) => /^problem: (.* .*\.)$/.exec(key)?.[1] ?? [],
    )
    expect(sentences.length).toBeGreaterThan(0)
    expect(sentences.filter((sentence) => !server.includes(sentence))).toEqual([])
  })

  it('recognizes English that was left', () => {
    expect(plain('Ordered with the basket')).toBe(false)
    expect(plain('Mit dem Warenkorb bestellt')).toBe(true)
    expect(['Brazil', 'Length', 'Chain length 16'].every(hasEnglishWord)).toBe(true)
    expect(['Brasilien', 'Länge', 'Sri Lanka, Saphir 1,52 ct'].some(hasEnglishWord)).toBe(false)
  })
})
