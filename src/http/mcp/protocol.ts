import { readVersion } from '../../version.ts'
import type { ToolResult } from './run-tool.ts'
import { INSTRUCTIONS, TOOLS } from './tools.ts'

/** What the protocol needs of an HTTP request. */
interface Message {
  /** The parsed body: one JSON-RPC message. */
  body: unknown
  headers: Record<string, string>
  callTool: (name: string, args: unknown) => Promise<ToolResult>
  /** Counts a call whose arguments are not even an object. */
  charge: () => Promise<void> | undefined
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
  const { CallToolRequestSchema, InitializeRequestSchema, ListToolsRequestSchema } = types
  const serverInfo = { name: 'pavilion', version: readVersion() }
  return {
    Server,
    Transport: WebStandardStreamableHTTPServerTransport,
    CallToolRequestSchema,
    InitializeRequestSchema,
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

async function answer(sdk: Sdk, message: Message): Promise<Answered> {
  const body = withArguments(message.body)
  const problem = findWrongParams(sdk, body)
  if (problem === undefined) return answerBySdk(sdk, { ...message, body })
  if (isToolCall(body)) await message.charge()
  const { id } = body as { id: unknown }
  const text = JSON.stringify({
    jsonrpc: '2.0',
    id,
    error: { code: INVALID_PARAMS, message: problem },
  })
  return { status: 200, contentType: 'application/json', text }
}

/** The code of JSON-RPC. */
const INVALID_PARAMS = -32_602

export function isToolCall(body: unknown): boolean {
  return (body as { method?: unknown } | null | undefined)?.method === 'tools/call'
}

/** Some clients write null for the arguments of a tool that takes none. */
function withArguments(body: unknown): unknown {
  const { params } = (body ?? {}) as { params?: { arguments?: unknown } | null }
  if (!isToolCall(body) || params?.arguments !== null) return body
  return { ...(body as object), params: { ...params, arguments: {} } }
}

/** In a sentence: the SDK would answer with an internal error and its own list of issues. */
function findWrongParams(sdk: Sdk, body: unknown): string | undefined {
  const { id, method } = (body ?? {}) as { id?: unknown; method?: unknown }
  if (typeof id !== 'string' && typeof id !== 'number') return undefined
  const schema = isToolCall(body)
    ? sdk.CallToolRequestSchema
    : method === 'initialize'
      ? sdk.InitializeRequestSchema
      : undefined
  const [issue] = schema?.safeParse(body).error?.issues ?? []
  return issue && `Invalid params: ${issue.path.join('.')}: ${issue.message}`
}

async function answerBySdk(sdk: Sdk, { body, headers, callTool }: Message): Promise<Answered> {
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
