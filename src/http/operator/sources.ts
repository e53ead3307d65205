import type { Static } from 'typebox'
import { priceMeaningOf } from '../../feeds/mapping/mapping.ts'
import { listRuns, renderRun } from '../../feeds/sources/run-history.ts'
import { type RunOptions, runSourceNow } from '../../feeds/sources/run-source.ts'
import { renderSource } from '../../feeds/sources/source.ts'
import {
  addSource,
  getSource,
  listSources,
  pauseSource,
  removeSource,
  resumeSource,
  setSource,
} from '../../feeds/sources/source-store.ts'
import { callerDb, forCaller, write } from '../request/acting.ts'
import { writeOnce } from '../request/idempotency.ts'
import { type App, operatorWith } from '../route.ts'
import { inlineObject, uuid } from '../schemas/fields.ts'
import { pageFrom, pageOf, Removed } from '../schemas/page.ts'
import {
  SourceBody,
  SourceDetailSchema,
  SourceListQuery,
  SourcePatch,
  SourceRunQuery,
  SourceRunSchema,
  SourceRunsQuery,
  SourceSchema,
} from '../schemas/stock/sources.ts'
import type { Services } from '../services.ts'

const reading = { access: operatorWith('inventory:read') } as const
const writing = { access: operatorWith('inventory') } as const
const tags = ['Sources']
const params = inlineObject({ uuid: uuid('UUID of the source') })

/** Where suppliers' files are fetched from. The schedule itself runs in the background. */
export function registerSources(app: App, services: Services): void {
  registerReading(app, services)
  registerChanges(app, services)
  registerSwitches(app, services)
  registerRun(app, services)
}

function registerReading(app: App, { db }: Services): void {
  app.get(
    '/api/operator/sources',
    {
      config: { ...reading, conditional: true },
      schema: {
        tags,
        summary: 'Lists the feed sources by supplier, without their secrets',
        querystring: SourceListQuery,
        response: { 200: pageOf('SourcePage', 'sources', SourceSchema) },
      },
    },
    async ({ query }) =>
      pageFrom('sources', (await listSources(db, query)).map(renderSource), query),
  )

  app.get(
    '/api/operator/sources/:uuid',
    {
      config: { ...reading, conditional: true },
      schema: {
        tags,
        summary: 'Returns one source with its runs, newest first unless sorted otherwise',
        params,
        querystring: SourceRunsQuery,
        response: { 200: SourceDetailSchema },
      },
    },
    async ({ params: { uuid: sourceUuid }, query }) => {
      const source = renderSource(await getSource(db, sourceUuid))
      const { runs, total } = await listRuns(db, sourceUuid, query)
      const { limit, offset } = query
      return { ...source, runs: runs.map(renderRun), total, limit, offset }
    },
  )
}

function registerChanges(app: App, { db, secrets }: Services): void {
  const options = { secrets, isFileAllowed: false }
  app.post(
    '/api/operator/sources',
    {
      config: writing,
      schema: {
        tags,
        summary: "Adds a source of a supplier's file, which is due at once",
        description:
          'Files of the server itself (`file:`) can be added on the command line only. Addresses ' +
          'in a private network are refused when they are fetched, redirects included, unless ' +
          'SOURCE_ALLOWED_HOSTS or WEBHOOK_ALLOWED_HOSTS has their host.',
        body: SourceBody,
        response: { 201: SourceSchema },
      },
    },
    (request, reply) =>
      writeOnce(db, request, reply, 201, async (tx) =>
        renderSource(await addSource(tx, request.body, options)),
      ),
  )

  app.patch(
    '/api/operator/sources/:uuid',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Changes a source; it is due at once',
        params,
        body: SourcePatch,
        response: { 200: SourceSchema },
      },
    },
    async (request) => {
      const { params: source, body } = request
      const change = await write(db, request, (tx) => setSource(tx, source.uuid, body, options))
      return renderSource(change)
    },
  )

  app.delete(
    '/api/operator/sources/:uuid',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Removes a source and its runs; what it imported stays',
        params,
        response: { 204: Removed },
      },
    },
    async (request, reply) => {
      await write(db, request, (tx) => removeSource(tx, request.params.uuid))
      return reply.code(204).send(null)
    },
  )
}

function registerSwitches(app: App, { db }: Services): void {
  app.post(
    '/api/operator/sources/:uuid/pause',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Pauses a source; a run that has begun is finished',
        params,
        response: { 200: SourceSchema },
      },
    },
    (request, reply) =>
      writeOnce(db, request, reply, 200, async (tx) =>
        renderSource(await pauseSource(tx, request.params.uuid)),
      ),
  )

  app.post(
    '/api/operator/sources/:uuid/resume',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Resumes a source; what was due in the meantime is due now, once',
        params,
        response: { 200: SourceSchema },
      },
    },
    (request, reply) =>
      writeOnce(db, request, reply, 200, async (tx) =>
        renderSource(await resumeSource(tx, request.params.uuid)),
      ),
  )
}

function registerRun(app: App, { sourceRunner, runOnce, catchUp }: Services): void {
  app.post(
    '/api/operator/sources/:uuid/run',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Runs a source now, paused or not, and returns the run when it has finished',
        description:
          'A run that failed is returned as well, with `outcome` "failed" and the reason. The ' +
          'parameters settle an import that was refused, for this run. When the source is ' +
          'running already, that run is waited for and returned, or followed by one with the ' +
          'parameters.',
        params,
        querystring: SourceRunQuery,
        response: { 200: SourceRunSchema },
      },
    },
    (request, reply) =>
      runOnce(request, reply, async () => {
        const { params: target, query } = request
        const runner = {
          ...sourceRunner,
          db: callerDb(sourceRunner.db, request),
          imports: forCaller(sourceRunner.imports, request),
        }
        const run = await runSourceNow(runner, target.uuid, optionsOf(query))
        if (run.outcome === 'done') await catchUp()
        return renderRun(run)
      }),
  )
}

function optionsOf(query: Static<typeof SourceRunQuery>): RunOptions {
  const { max_removed, max_jumps, price, accept_prices, ...options } = query
  return {
    ...options,
    ...(max_removed !== undefined && { maxRemovedShare: max_removed / 100 }),
    ...(max_jumps !== undefined && { maxJumpsShare: max_jumps / 100 }),
    ...(price !== undefined && { price: priceMeaningOf(price) }),
    acceptPrices: accept_prices,
  }
}
