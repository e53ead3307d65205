import { readVersion } from '../../version.ts'
import type { ToolResult } from './run-tool.ts'
import { INSTRUCTIONS, TOOLS } from './tools.ts'

/** What the protocol needs of an HTTP request. */
interface Message {
  /** The parsed body: one JSON-RPC message. */
  body: unknown
  headers: Record<string, string>
  callTool: (name: string, args: unknown) => Promise<ToolResult>
}

interface Answered {
  status: number
  contentType: string | null
  text: string
}

type Sdk = Awaited<ReturnType<typeof loadSdk>>

/**
 * Returns what answers messages of the Model Context Protocol, by the official SDK. No message
 * needs another one before it: nothing is kept between them, so that any node can answer any of
 * them and a client can use nothing up.
 */
export function createProtocol(): (message: Message) => Promise<Answered> {
  let sdk: Promise<Sdk> | undefined
  return async (message) => {
    // Loaded by the first message: its schemas take longer to load than most of the server.
    sdk ??= loadSdk()
    return answer(await sdk, message)
  }
}

async function loadSdk() {
  const [{ Server }, { WebStandardStreamableHTTPServerTransport }, types] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/index.js'),
    import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ])
  const { CallToolRequestSchema, ListToolsRequestSchema } = types
  const serverInfo = { name: 'pavilion', version: readVersion() }
  return {
    Server,
    Transport: WebStandardStreamableHTTPServerTransport,
    CallToolRequestSchema,
    ListToolsRequestSchema,
    serverInfo,
    tools: TOOLS.map(({ listed }) => listed),
  }
}

/** Without questions to the client there are no answers of it to validate. */
const NO_VALIDATION = { getValidator: () => noQuestions }

function noQuestions(): never {
  throw new Error('the server asks its clients nothing')
}

async function answer(sdk: Sdk, { body, headers, callTool }: Message): Promise<Answered> {
  const server = new sdk.Server(sdk.serverInfo, {
    capabilities: { tools: {} },
    instructions: INSTRUCTIONS,
    jsonSchemaValidator: NO_VALIDATION,
  })
  server.setRequestHandler(sdk.ListToolsRequestSchema, () => ({ tools: sdk.tools }))
  server.setRequestHandler(sdk.CallToolRequestSchema, ({ params }) =>
    callTool(params.name, params.arguments ?? {}),
  )
  // Without a session id the transport is used for one message only.
  const transport = new sdk.Transport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    const request = new Request('http://localhost/mcp', { method: 'POST', headers })
    const response = await transport.handleRequest(request, { parsedBody: body })
    const contentType = response.headers.get('content-type')
    return { status: response.status, contentType, text: await response.text() }
  } finally {
    await server.close()
  }
}
