/** The Model Context Protocol for programs that start a command instead of calling an address. */
import { once } from 'node:events'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import type { Command } from 'commander'
import { readConfig } from '../../config.ts'
import { Refusal } from '../../lib/refusal.ts'
import { addressFor, type CommonOptions, command, runCommand } from '../command.ts'
import { createForwarding } from './mcp-forwarding.ts'

interface McpOptions extends CommonOptions {
  url?: string
  key?: string
}

export function mcpCommand(): Command {
  const example = 'pavilion mcp --url https://gems.example --key pav_live_…'
  return command('mcp', 'Let an agent use a market, over standard input and output', example)
    .option('--url <address>', 'Address of the market (default: PAVILION_URL, or the one here)')
    .option('--key <token>', "A merchant's key (default: PAVILION_KEY)")
    .action((options: McpOptions) => runCommand(options, () => serveStdio(options)))
}

/** Forwards messages until the agent closes the input, and lets the last ones be answered. */
async function serveStdio(options: McpOptions): Promise<void> {
  const config = readConfig()
  const key = options.key ?? config.calls.key
  if (key === undefined) {
    const detail = "A merchant's key is missing; give it as --key or as PAVILION_KEY."
    throw new Refusal('unauthenticated', detail)
  }
  const forward = createForwarding(endpointAt(addressFor(key, options, config)), key)
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js')
  const transport = new StdioServerTransport()
  const running = new Set<Promise<void>>()
  const take = async (message: JSONRPCMessage) => {
    const answer = await forward(message)
    if (answer) await transport.send(answer)
  }
  transport.onmessage = (message) => {
    const task: Promise<void> = take(message).finally(() => running.delete(task))
    running.add(task)
  }
  transport.onerror = ({ message }) => process.stderr.write(`pavilion mcp: ${message}\n`)
  await transport.start()
  await once(process.stdin, 'end')
  await Promise.all(running)
}

/** The address of `/mcp`, which may be given whole. */
function endpointAt(address: string): string {
  if (!/^https?:/i.test(address) || !URL.canParse(address)) {
    const detail = `${address} is not an address; give one such as https://gems.example.`
    throw new Refusal('invalid_request', detail)
  }
  return `${address.replace(/\/+$/, '').replace(/\/mcp$/, '')}/mcp`
}
