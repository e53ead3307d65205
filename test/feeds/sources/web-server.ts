import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface WebServer {
  url: string
  port: number
  /** What was asked for: the path, the headers, and the status of the answer. */
  requests: { path: string; headers: IncomingMessage['headers']; status: number }[]
  /** Decides the answer; the file with an ETag unless set. */
  respond: (request: IncomingMessage, response: ServerResponse) => void
  file: string
  close(): Promise<void>
}

/** A web server of a supplier, on this machine. */
export async function openWebServer(file = ''): Promise<WebServer> {
  const server = createServer((request, response) => {
    response.once('close', () => {
      const { url = '', headers } = request
      web.requests.push({ path: url, headers, status: response.statusCode })
    })
    web.respond(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const web: WebServer = {
    url: `http://127.0.0.1:${port}`,
    port,
    requests: [],
    file,
    respond(request, response) {
      const etag = `"${web.file.length}-${web.file.slice(-20).trim()}"`
      const isSame = request.headers['if-none-match'] === etag
      response.writeHead(isSame ? 304 : 200, { etag })
      response.end(isSame ? undefined : web.file)
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return web
}
