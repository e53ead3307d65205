/**
 * Some programs write the columns of a stone as a list of names and values: `<attribute
 * name="Color">G</attribute>`, or `{"name": "Color", "value": "G"}` in JSON.
 */
import { type Attributes, attributeOf } from '../markup/xml.ts'

/** Elements that may stand for a column, whose name is in an attribute. */
const COLUMN_TAG = new RegExp(
  '^(?:attribute|attr|field|property|prop|param|parameter|spec|specification|feature|column|col|' +
    'detail|option|characteristic|item|data|value|entry)s?$',
  'i',
)
const NAMES = ['name', 'Name', 'key', 'Key', 'label', 'Label', 'code', 'Code', 'NAME', 'field']
const VALUES = ['value', 'Value', 'VALUE', 'val', 'text']
const NAME_CHARS_MAX = 200

/** The column that an element names, and its value where that is an attribute as well. */
export function columnOfElement(
  tag: string,
  attributes: Attributes,
): { name: string; value: string | undefined } | undefined {
  if (!COLUMN_TAG.test(tag)) return undefined
  const name = NAMES.map((key) => attributeOf(attributes, key).trim()).find((text) => text !== '')
  if (name === undefined || name.length > NAME_CHARS_MAX || !/\p{L}/u.test(name)) return undefined
  const key = VALUES.find((each) => Object.hasOwn(attributes, each))
  return { name, value: key === undefined ? undefined : attributeOf(attributes, key) }
}

const JSON_NAMES = ['name', 'key', 'label', 'attribute', 'attribute_code', 'code', 'title', 'field']
const JSON_VALUES = ['value', 'options', 'text', 'content']
/** A stone has no more columns in such a list. */
const ELEMENTS_MAX = 300

/** Returns the names and values of a list in JSON; undefined where it is a list of others. */
export function columnsOfList(list: readonly unknown[]): [string, unknown][] | undefined {
  if (list.length === 0 || list.length > ELEMENTS_MAX) return undefined
  const columns: [string, unknown][] = []
  for (const element of list) {
    if (typeof element !== 'object' || element === null || Array.isArray(element)) return undefined
    const members = element as Record<string, unknown>
    const nameKey = JSON_NAMES.find((key) => typeof members[key] === 'string')
    const valueKey = JSON_VALUES.find((key) => Object.hasOwn(members, key))
    const name = nameKey === undefined ? '' : String(members[nameKey]).trim()
    if (valueKey === undefined || !/\p{L}/u.test(name) || name.length > NAME_CHARS_MAX) {
      return undefined
    }
    const given = members[valueKey]
    const value: unknown = Array.isArray(given) && given.length === 1 ? given[0] : given
    // Of several values it is not said which one is that of the stone.
    if (typeof value === 'object' && value !== null) return undefined
    columns.push([name, value])
  }
  return columns
}
