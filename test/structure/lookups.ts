import { relative, resolve } from 'node:path'
import {
  type Expression,
  isAsExpression,
  isBinaryExpression,
  isElementAccessExpression,
  type Node,
  type SourceFile,
  SyntaxKind,
} from 'typescript/unstable/ast'
import { API, type Checker, type Type, TypeFlags } from 'typescript/unstable/sync'

const COLUMNS = /(^|\.)(numbers|codes|texts|sparse|dictionaries)$/

/**
 * Objects that may be asked for any name: the beginning of the path, the objects, and the reason.
 * All others inherit `constructor`, `toString` and `__proto__`, which a caller or a file may send.
 */
const ALLOWED: readonly [path: string, objects: RegExp, reason: string][] = [
  ['src/index/', COLUMNS, 'columns have the names of the table specification'],
  ['src/gems/', COLUMNS, 'columns have the names of the table specification'],
  ['src/gems/search/fields.ts', /^fields$/, 'the names are its own keys'],
  ['src/gems/search/plan.ts', /^(fields|filters)$/, 'the names are in the table of fields'],
  ['src/gems/gem-rendering.ts', /^CUT_GRADE_WORDS$/, 'the database checks the grade'],
  ['src/gems/parcels.ts', /^(parent|qualities)$/, 'made by newBranch, and inherits nothing'],
  ['src/config.ts', /^settings$/, 'the names are in config.ts'],
  ['src/lib/settings.ts', /^settings$/, 'the names are in config.ts'],
  ['src/cli/merchant/', /^(given|used)$/, 'the names are those of the settings'],
  ['src/cli/token.ts', /^UNIT_MS$/, 'the pattern of a duration has only these letters'],
  ['src/database/migrate.ts', /^migrations$/, 'the names are those of our files'],
  ['src/feeds/reading/markup/xml.ts', /^attributes$/, 'readers ask for attributes that they name'],
  ['src/http/docs/', /^(paths|paths\[path\]|TAGS|schema\.properties)$/, 'routes are our own'],
  ['src/http/request/client-address.ts', /^headers$/, 'the names are in PROXY_HEADERS'],
  ['src/http/request/validation.ts', /^query$/, "inherits nothing: made by Node's parser"],
  ['src/http/request/validation.ts', /^properties$/, 'the names are its own keys'],
  ['src/http/request/validation-errors.ts', /^words$/, 'the names are in our schemas'],
  [
    'src/jewelry/importing/drafting/draft-attributes.ts',
    /^attributes$/,
    'the names are in the function',
  ],
  [
    'src/jewelry/importing/drafting/draft-attributes.ts',
    /^drafted$/,
    'the name is in ATTRIBUTE_LABELS',
  ],
  ['src/jewelry/importing/plan-import.ts', /^known$/, 'the names are columns of a draft'],
]

/** An access `object[key]`, or a test `key in object`. */
interface Lookup {
  node: Node
  object: Expression
  key: Expression
}

/** Where code asks a plain object for a name that may come from outside, as `path:line object`. */
export function lookupsOnPlainObjects(folder: string): string[] {
  const api = new API({ cwd: resolve('.') })
  try {
    const snapshot = api.updateSnapshot({ openProjects: [resolve('tsconfig.json')] })
    const [{ program, checker }] = snapshot.getProjects()
    return program
      .getSourceFileNames()
      .filter((name) => name.startsWith(`${resolve(folder)}/`))
      .flatMap((name) => {
        const file = program.getSourceFile(name)
        return file ? lookupsIn(file, checker) : []
      })
  } finally {
    api.close()
  }
}

function lookupsIn(file: SourceFile, checker: Checker): string[] {
  const path = relative('.', file.fileName)
  const lookups = collectLookups(file)
  if (lookups.length === 0) return []
  const keys = checker.getTypeAtLocation(lookups.map(({ key }) => withoutCast(key)))
  return lookups.flatMap(({ node, object, key }, i) => {
    const asked = textOf(file, object)
    const isSafe =
      !mayBeAnyName(keys[i], checker) ||
      isChecked(file, node, `Object.hasOwn(${asked},`) ||
      ALLOWED.some(([where, objects]) => path.startsWith(where) && objects.test(asked))
    const line = file.text.slice(0, key.end).split('\n').length
    return isSafe ? [] : [`${path}:${line} ${asked}`]
  })
}

function textOf(file: SourceFile, { pos, end }: Node): string {
  return file.text.slice(pos, end).trim()
}

function collectLookups(file: SourceFile): Lookup[] {
  const lookups: Lookup[] = []
  const visit = (node: Node): void => {
    if (isElementAccessExpression(node)) {
      lookups.push({ node, object: node.expression, key: node.argumentExpression })
    } else if (isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.InKeyword) {
      lookups.push({ node, object: node.right, key: node.left })
    }
    node.forEachChild(visit)
  }
  visit(file)
  return lookups
}

/** `color as Hue` only claims that the text is one of the names. */
function withoutCast(key: Expression): Expression {
  return isAsExpression(key) ? withoutCast(key.expression) : key
}

/** A union of literals or a number is a name of our own. */
function mayBeAnyName(type: Type | undefined, checker: Checker): boolean {
  if (type === undefined) return true
  if (type.isUnionType()) return type.getTypes().some((each) => mayBeAnyName(each, checker))
  if (type.isTypeParameter()) return mayBeAnyName(checker.getBaseConstraintOfType(type), checker)
  return (type.flags & (TypeFlags.String | TypeFlags.Any | TypeFlags.Unknown)) !== 0
}

/** Whether the top-level function around the node has the call in it. */
function isChecked(file: SourceFile, node: Node, call: string): boolean {
  let around = node
  while (around.parent !== file) around = around.parent
  return textOf(file, around).includes(call)
}
