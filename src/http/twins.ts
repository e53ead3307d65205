import type { RouteOptions } from 'fastify'
import type { App } from './route.ts'

const TWIN = 'The same as in v3.'

/**
 * Serves the v3 routes that ask for it under v2 as well: a merchant's software speaks one version
 * and need not know which resources were specified in the other only. Must come before the hooks
 * that add to a route, so that each of the two gets its own.
 */
export function registerTwins(app: App): void {
  app.addHook('onRoute', (route) => {
    const { method, url, config, schema, handler, preValidation } = route
    // HEAD is Fastify's own twin of each GET.
    if (!config?.hasTwin || method === 'HEAD' || url.startsWith('/api/v2/')) return
    const description = [TWIN, schema?.description ?? ''].join(' ').trim()
    const twin: RouteOptions = {
      method,
      url: url.replace('/api/v3/', '/api/v2/'),
      config: { ...config },
      schema: { ...schema, description },
      handler: handler as RouteOptions['handler'],
      ...(preValidation && { preValidation: preValidation as RouteOptions['preValidation'] }),
    }
    app.route(twin)
  })
}
