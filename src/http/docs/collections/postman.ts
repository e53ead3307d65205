import type { OpenApiDocument } from '../openapi.ts'
import { type CollectionRequest, requestsOf } from './requests.ts'

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

/** A collection in Postman's format 2.1, with the variables `baseUrl` and `key`. */
export function postmanCollection(document: OpenApiDocument, baseUrl: string): object {
  const requests = requestsOf(document)
  const folders = [...new Set(requests.map(({ folder }) => folder))]
  return {
    info: {
      name: document.info.title,
      description: document.info.description,
      version: document.info.version,
      schema: SCHEMA,
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{key}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: baseUrl },
      { key: 'key', value: '' },
    ],
    item: folders.map((name) => ({
      name,
      item: requests.filter(({ folder }) => folder === name).map(itemOf),
    })),
  }
}

function itemOf({ name, description, method, path, query, needsToken, body }: CollectionRequest) {
  const [, ...segments] = path.split('/')
  const required = query.filter((each) => each.required)
  const sent = required.map((each) => `${each.name}=${encodeURIComponent(each.value)}`).join('&')
  return {
    name,
    request: {
      method,
      description,
      ...(!needsToken && { auth: { type: 'noauth' } }),
      header: body ? [{ key: 'Content-Type', value: body.type }] : [],
      url: {
        raw: `{{baseUrl}}${path}${sent && `?${sent}`}`,
        host: ['{{baseUrl}}'],
        path: segments,
        query: query.map((each) => ({
          key: each.name,
          value: each.value,
          ...(!each.required && { disabled: true }),
        })),
      },
      ...(body && { body: { mode: 'raw', raw: body.text } }),
    },
  }
}
