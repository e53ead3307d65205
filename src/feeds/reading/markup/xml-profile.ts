import { countHeaderNames } from '../header/find-header.ts'
import { columnOfElement } from '../header/named-columns.ts'
import type { TableOptions } from '../stone-list.ts'
import { type Attributes, createXmlParser } from './xml.ts'

/** What is known of all elements with the same path from the root. */
interface ElementKind {
  /** Whether one parent has several of them. */
  isRepeated: boolean
  /** Names of its attributes, and of children that hold only text. */
  names: Set<string>
}

const KINDS_MAX = 2_000
const NAMES_MAX = 500
/** A row of a list names at least this many fields itself. */
const NAMES_NEEDED = 3

/**
 * Finds the element that is a stone, as its path from the root such as `Envelope/Body/Diamond`,
 * from the first texts of the file: the one that names the most fields by its attributes and its
 * plain children. Where it occurs once in each of several like parents, the parent is the stone.
 */
export function findStonePath(texts: Iterable<string>, options: TableOptions): string | undefined {
  const kinds = profile(texts)
  let best: string | undefined
  let bestCount = NAMES_NEEDED - 1
  for (const [path, kind] of kinds) {
    const isAny = options.isExplained && kind.isRepeated
    // Known names count more than unknown ones.
    const known = countHeaderNames([...kind.names], options)
    const count = isAny ? Math.max(known, kind.names.size / NAMES_MAX + NAMES_NEEDED - 1) : known
    if (count > bestCount) {
      best = path
      bestCount = count
    }
  }
  while (best !== undefined) {
    const parent: string = best.slice(0, Math.max(0, best.lastIndexOf('/')))
    const [inner, outer] = [kinds.get(best), kinds.get(parent)]
    if (!inner || !outer || inner.isRepeated || !outer.isRepeated) break
    best = parent
  }
  return best
}

interface OpenElement {
  path: string
  children: Set<string>
}

function profile(texts: Iterable<string>): Map<string, ElementKind> {
  const kinds = new Map<string, ElementKind>()
  const stack: OpenElement[] = []
  const parse = createXmlParser(
    {
      onOpen(tag, attributes) {
        const name = localName(tag)
        const parent = stack.at(-1)
        const path = parent ? `${parent.path}/${name}` : name
        const kind = kindAt(kinds, path)
        if (kind) {
          if (parent?.children.has(name)) kind.isRepeated = true
          for (const named of ownAttributes(attributes)) addName(kind, named)
          const column = columnOfElement(name, attributes)
          const outer = parent && column && kinds.get(parent.path)
          if (outer) addName(outer, column.name)
        }
        if (parent && parent.children.size < NAMES_MAX) parent.children.add(name)
        stack.push({ path, children: new Set() })
      },
      onClose(tag) {
        const closed = stack.pop()
        const parent = stack.at(-1)
        if (!closed || !parent || closed.children.size > 0) return
        const kind = kinds.get(parent.path)
        if (kind) addName(kind, localName(tag))
      },
    },
    'XML file',
  )
  for (const text of texts) parse(text)
  return kinds
}

function kindAt(kinds: Map<string, ElementKind>, path: string): ElementKind | undefined {
  const known = kinds.get(path)
  if (known || kinds.size >= KINDS_MAX || path.length > 1_000) return known
  const kind = { isRepeated: false, names: new Set<string>() }
  kinds.set(path, kind)
  return kind
}

function addName(kind: ElementKind, name: string): void {
  if (kind.names.size < NAMES_MAX) kind.names.add(name)
}

/** No name of a column is longer; a longer one of an element must not fill the memory. */
const NAME_CHARS_MAX = 200

/** The name without its namespace. */
export function localName(name: string): string {
  const at = name.indexOf(':') + 1
  return name.slice(at, at + NAME_CHARS_MAX)
}

/** Attributes with a prefix, such as `diffgr:id` and `xsi:nil`, are the transport's. */
export function ownAttributes(attributes: Attributes): string[] {
  return Object.keys(attributes).filter((name) => name !== 'xmlns' && !name.includes(':'))
}
