import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { explainErrors } from '../../src/http/request/validation-errors.ts'
import {
  NOT_BLANK,
  ONE_LINE,
  ONE_LINE_NOT_BLANK,
  SEVERAL_LINES,
  WITHOUT_NULL,
} from '../../src/http/schemas/fields.ts'

function explain(schema: object, value: unknown) {
  const validate = new Ajv({ allErrors: true, verbose: true, strict: false }).compile(schema)
  expect(validate(value)).toBe(false)
  return explainErrors(validate.errors ?? [], 'body')
}

describe('the errors of a union with null', () => {
  const text = { type: 'string', minLength: 3 }
  const nothing = { type: 'null' }

  it.each([
    ['first', [nothing, text]],
    ['last', [text, nothing]],
  ])('never say "must be null" when the null branch comes %s', (_place, anyOf) => {
    const schema = { type: 'object', properties: { name: { anyOf } } }
    expect(explain(schema, { name: 'x' })).toEqual([
      { field: 'name', message: 'must have at least 3 characters' },
    ])
    expect(explain(schema, { name: 5 })).toEqual([{ field: 'name', message: 'must be a string' }])
  })

  it('say it when nothing else is allowed', () => {
    const schema = { type: 'object', properties: { name: nothing } }
    expect(explain(schema, { name: 'x' })).toEqual([{ field: 'name', message: 'must be null' }])
  })
})

describe('the errors of a request', () => {
  it('name each field once, by its path', () => {
    const schema = {
      type: 'object',
      required: ['color'],
      properties: {
        tiers: { type: 'array', items: { type: 'object', properties: { max: { minimum: 1 } } } },
        sku: { type: 'string', minLength: 2, pattern: '^A', examples: ['A1'] },
      },
    }
    expect(explain(schema, { tiers: [{ max: 2 }, { max: 0 }], sku: 'x' })).toEqual([
      { field: 'color', message: 'is required' },
      { field: 'tiers[1].max', message: 'must be at least 1' },
      { field: 'sku', message: 'must have at least 2 characters' },
    ])
    expect(explain(schema, { color: 'D', sku: 'xx' })).toEqual([
      { field: 'sku', message: 'does not have the right format; a valid value is "A1"' },
    ])
  })

  it('say of what a number must be a multiple', () => {
    const schema = { type: 'object', properties: { price: { type: 'number', multipleOf: 0.01 } } }
    expect(explain(schema, { price: 1.005 })).toEqual([
      { field: 'price', message: 'must be a multiple of 0.01' },
    ])
  })

  it.each([
    [ONE_LINE, 'must not contain control characters, such as tabs and line breaks'],
    [
      ONE_LINE_NOT_BLANK,
      'must not be blank, and must not contain control characters, such as tabs and line breaks',
    ],
    [SEVERAL_LINES, 'must not contain control characters other than line breaks'],
    [WITHOUT_NULL, 'must not contain null characters'],
  ])('say which characters a text of the pattern %s must not contain', (pattern, message) => {
    const schema = { properties: { name: { type: 'string', pattern, examples: ['Ring 17'] } } }
    expect(explain(schema, { name: 'Ring\t\0' })).toEqual([{ field: 'name', message }])
  })

  it('say that a text of spaces is blank', () => {
    const schema = { properties: { name: { type: 'string', pattern: NOT_BLANK } } }
    expect(explain(schema, { name: '  ' })).toEqual([
      { field: 'name', message: 'must not be blank' },
    ])
  })

  it('are about the body when no field is wrong', () => {
    expect(explain({ type: 'object' }, 5)).toEqual([
      { field: 'body', message: 'must be an object' },
    ])
  })
})
