import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'

/** What a tool has answered. */
export interface ToolAnswer {
  isError: boolean
  /** What the model pays for. */
  bytes: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
  body: any
}

export interface Agent {
  client: Client
  call(name: string, args?: object): Promise<ToolAnswer>
}

/** Connects the SDK's own client. */
export async function connectAgent(transport: Transport): Promise<Agent> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(transport)
  return {
    client,
    async call(name, args = {}) {
      const result = await client.callTool({ name, arguments: { ...args } })
      const [content] = result.content as { type: string; text: string }[]
      return {
        isError: result.isError === true,
        bytes: Buffer.byteLength(JSON.stringify(result)),
        body: JSON.parse(content.text),
      }
    },
  }
}

export function overHttp(address: string, key: string): Promise<Agent> {
  const url = new URL('/mcp', address)
  const headers = { authorization: `Bearer ${key}` }
  // The SDK declares its session id in a way that its own interface does not allow.
  return connectAgent(
    new StreamableHTTPClientTransport(url, { requestInit: { headers } }) as unknown as Transport,
  )
}
