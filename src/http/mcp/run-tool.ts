import { findNearestName } from '../../lib/nearest-name.ts'
import { Refusal } from '../../lib/refusal.ts'
import { type Problem, refusalProblem } from '../response/problems.ts'
import { type MarketCalls, RefusedCall } from './market-calls.ts'
import { substituteOf } from './orders.ts'
import type { Tool } from './tool.ts'
import { TOOLS } from './tools.ts'

/** What a model gets. An answer is JSON in one text, as compact as it can be. */
export interface ToolResult {
  content: { type: 'text'; text: string }[]
  isError?: true
  [more: string]: unknown
}

const TOOL_OF: ReadonlyMap<string, Tool> = new Map(TOOLS.map((each) => [each.name, each]))

/**
 * Runs a tool. A refusal is an answer, too: the model reads what is wrong and tries again. `charge`
 * counts a call that was refused before it reached an operation.
 */
export async function runTool(
  name: string,
  args: unknown,
  market: MarketCalls,
  charge: () => Promise<void> | undefined,
): Promise<ToolResult> {
  try {
    const tool = findTool(name)
    tool.check(args)
    return resultOf(await tool.run(args, market))
  } catch (error) {
    if (error instanceof RefusedCall) return refused(error.problem)
    if (!(error instanceof Refusal)) throw error
    if (market.hasCalled()) return refused(refusalProblem(error))
    return refused(refusalProblem(await countedOr(error, charge)))
  }
}

/** The rate limit comes first, as over HTTP. */
async function countedOr(
  refusal: Refusal,
  charge: () => Promise<void> | undefined,
): Promise<Refusal> {
  try {
    await charge()
    return refusal
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

function findTool(name: string): Tool {
  const tool = TOOL_OF.get(name)
  if (tool) return tool
  const names = [...TOOL_OF.keys()]
  const nearest = findNearestName(name, names)
  const hint = nearest ? `did you mean ${nearest}?` : `the tools are ${names.join(', ')}.`
  throw new Refusal('not_found', `There is no tool ${name.slice(0, 100)}; ${hint}`)
}

function resultOf(answer: object): ToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(answer) }] }
}

/** How many of the wrong fields, and of the lines that have substitutes, a model is told about. */
const LISTED_MAX = 10
/** The nearest ones; a search finds more. */
const SUBSTITUTES_MAX = 3

interface RefusedLine {
  sku: string
  stones: Record<string, unknown>[]
}

/** The problem without what a model cannot use, and with the nearest stones in few bytes. */
function refused({ type: _, title, status, request_id, ...problem }: Problem): ToolResult {
  const { code, detail, errors, substitutes, ...more } = problem
  const body = {
    code,
    detail,
    ...(errors && errors.length > 1 && { errors: errors.slice(0, LISTED_MAX) }),
    ...(Array.isArray(substitutes) && { substitutes: nearest(substitutes as RefusedLine[]) }),
    ...more,
    // Support asks for it.
    ...(status >= 500 && { request_id }),
  }
  return { ...resultOf(body), isError: true }
}

function nearest(lines: readonly RefusedLine[]): object[] {
  return lines.slice(0, LISTED_MAX).map(({ sku, stones }) => ({
    sku,
    stones: stones.slice(0, SUBSTITUTES_MAX).map(substituteOf),
  }))
}
