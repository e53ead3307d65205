import type { JsonSchema } from './components.ts'

/** An example of a shape, put together from the examples of its fields. */
export function exampleOf(schema: JsonSchema): unknown {
  if (schema.examples && schema.examples.length > 0) return schema.examples[0]
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return exampleOf(schema.anyOf[0])
  const [type] = [schema.type].flat()
  if (type === 'array') return schema.items ? [exampleOf(schema.items)] : []
  if (type === 'object' || schema.properties) return exampleObject(schema)
  if (type === 'boolean') return true
  if (type === 'string') return 'text'
  if (type === 'number' || type === 'integer') return 1
  return null
}

function exampleObject(schema: JsonSchema): Record<string, unknown> {
  const fields = Object.entries(schema.properties ?? {})
  return Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(field)]))
}
