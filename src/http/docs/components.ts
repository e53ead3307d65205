/** The part of JSON Schema that the documents read. */
export interface JsonSchema {
  type?: string | string[]
  title?: string
  description?: string
  default?: unknown
  examples?: unknown[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, JsonSchema>
  additionalProperties?: boolean | JsonSchema
  items?: JsonSchema
  anyOf?: JsonSchema[]
  required?: string[]
  [keyword: string]: unknown
}

export interface Components {
  /** The schema with every titled object in it replaced by a reference to its component. */
  referTo(schema: JsonSchema): JsonSchema
  schemas(): Record<string, JsonSchema>
}

/** Collects the titled objects of a document as named components. A title names one shape only. */
export function createComponents(): Components {
  const named = new Map<string, { source: JsonSchema; rendered: JsonSchema }>()

  function referTo(schema: JsonSchema): JsonSchema {
    const { title } = schema
    if (title === undefined || schema.properties === undefined) return inner(schema)
    const known = named.get(title)
    if (!known) {
      const entry = { source: schema, rendered: {} }
      named.set(title, entry)
      entry.rendered = inner(schema)
    } else if (known.source !== schema && !sameShape(known.source, schema)) {
      throw new Error(`two different shapes have the title ${title}`)
    }
    const isNullable = Array.isArray(schema.type)
    const reference = { $ref: `#/components/schemas/${title}` }
    return isNullable ? { anyOf: [reference, { type: 'null' }] } : reference
  }

  function inner(schema: JsonSchema): JsonSchema {
    const copy: JsonSchema = { ...schema }
    if (schema.properties) {
      // A field with a default may be left out, even though TypeBox lists it as required.
      const isNeeded = (name: string) => schema.properties?.[name]?.default === undefined
      if (schema.required) copy.required = schema.required.filter(isNeeded)
      if (Array.isArray(schema.type) && schema.title) copy.type = 'object'
      const entries = Object.entries(schema.properties)
      copy.properties = Object.fromEntries(entries.map(([name, child]) => [name, referTo(child)]))
    }
    if (schema.items) copy.items = referTo(schema.items)
    if (schema.anyOf) copy.anyOf = schema.anyOf.map(referTo)
    if (typeof schema.additionalProperties === 'object') {
      copy.additionalProperties = referTo(schema.additionalProperties)
    }
    return copy
  }

  return {
    referTo,
    schemas: () =>
      Object.fromEntries([...named].map(([title, { rendered }]) => [title, rendered] as const)),
  }
}

/** Whether both describe the same shape, nullable or not. */
function sameShape(a: JsonSchema, b: JsonSchema): boolean {
  const plain = (schema: JsonSchema) =>
    JSON.stringify({ ...schema, type: 'object', description: '' })
  return plain(a) === plain(b)
}

/** Returns an example of a shape, made from the examples of its fields. */
export function exampleOf(schema: JsonSchema): unknown {
  if (schema.examples && schema.examples.length > 0) return schema.examples[0]
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return exampleOf(schema.anyOf[0])
  const [type] = [schema.type].flat()
  if (type === 'array') return schema.items ? [exampleOf(schema.items)] : []
  if (type === 'object' || schema.properties) {
    const fields = Object.entries(schema.properties ?? {})
    return Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(field)]))
  }
  if (type === 'boolean') return true
  if (type === 'string') return 'text'
  if (type === 'number' || type === 'integer') return 1
  return null
}
