import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CommandResult, runPavilion } from '../../support/command-line.ts'

const folder = mkdtempSync(join(tmpdir(), 'pavilion-collections-'))
/** No server runs on this port, so that the examples are those of the program. */
const settings = {
  PAVILION_DATA: join(folder, 'data'),
  PUBLIC_URL: 'http://market.example',
  PORT: '1',
}
const at = (name: string) => join(folder, name)

let written: CommandResult
beforeAll(async () => {
  const files = ['--output', at('v3.json'), '--postman', at('v3.postman.json'), '--bruno', at('v3')]
  written = await runPavilion(['openapi', ...files, '--json'], settings)
})
afterAll(() => rmSync(folder, { recursive: true }))

interface PostmanItem {
  name: string
  item?: PostmanItem[]
  request?: { method: string; url: { raw: string }; auth?: { type: string } }
}

const document = () => JSON.parse(readFileSync(at('v3.json'), 'utf8'))
const operations = () =>
  Object.values(document().paths).flatMap((each) => Object.keys(each as object))

describe('pavilion openapi', () => {
  it('writes the document that the server serves, without a database', () => {
    expect(written).toMatchObject({ code: 0, stderr: '' })
    const paths = [at('v3.json'), at('v3.postman.json'), at('v3')]
    expect(JSON.parse(written.stdout)).toEqual({ document: 'v3', written: paths })
    expect(document()).toMatchObject({
      openapi: '3.1.0',
      servers: [{ url: 'http://market.example' }, { url: 'http://127.0.0.1:8081' }],
    })
    expect(readdirSync(folder)).not.toContain('data')
  })

  it('makes a Postman collection with a request for every operation', () => {
    const collection = JSON.parse(readFileSync(at('v3.postman.json'), 'utf8'))
    const requests = collection.item.flatMap((each: PostmanItem) => each.item ?? [])
    expect(requests).toHaveLength(operations().length)
    for (const { name, request } of requests as PostmanItem[]) {
      expect(name).not.toBe('')
      expect(request?.url.raw).toMatch(/^\{\{baseUrl\}\}\/api\/v3\/[^{}]+$/)
    }
    expect(collection.variable[0]).toEqual({ key: 'baseUrl', value: 'http://market.example' })
  })

  it('makes a Bruno collection with a file for every operation', () => {
    const names = readdirSync(at('v3'), { recursive: true, encoding: 'utf8' })
    const files = names.filter((name) => statSync(at(join('v3', name))).isFile())
    // The settings of the collection, and an environment.
    expect(files).toHaveLength(operations().length + 2)
    const texts = files.map((name) => readFileSync(at(join('v3', name)), 'utf8'))
    const url = 'url: {{baseUrl}}/api/v3/diamonds/merchant_search\n'
    const [search] = texts.filter((text) => text.includes(url))
    expect(search).toContain('token: {{key}}')
  })
})
