import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { readConfig } from '../../src/config.ts'

const read = (path: string) => readFileSync(join('deploy', path), 'utf8')
const defaults = readConfig({}, '/nowhere')

/** Runs the tool that a file is written for, and returns its exit code and what it printed. */
function check(tool: string, ...args: string[]) {
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` }
  const { status, stdout, stderr } = spawnSync(tool, args, { encoding: 'utf8', env })
  return { status, printed: `${stdout}${stderr}` }
}

/** A tool that is not installed skips its test, which the report says; `.ci/run` installs them. */
function isMissing(tool: string): boolean {
  return !['/usr/bin', '/usr/sbin', '/usr/local/bin', '/bin'].some((folder) =>
    existsSync(join(folder, tool)),
  )
}

describe('every way to start', () => {
  it('gives Node the same space for objects that live for one request', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
    const commands = [
      scripts.start,
      /^ExecStart=(.+)$/m.exec(read('systemd/pavilion.service'))?.[1],
      /^ENTRYPOINT (.+)$/m.exec(read('container/Containerfile'))?.[1],
    ]
    const sizes = commands.map((command) => /--max-semi-space-size=(\d+)/.exec(command)?.[1])
    expect(sizes).toEqual(['32', '32', '32'])
  })
})

describe('systemd units', () => {
  const units = readdirSync('deploy/systemd')

  it.skipIf(isMissing('systemd-analyze'))('are valid', () => {
    const paths = units.map((name) => join('deploy/systemd', name))
    const { status, printed } = check('systemd-analyze', 'verify', '--man=no', ...paths)
    expect([status, printed.trim()]).toEqual([0, ''])
  })

  it.each(units)('%s runs a command of Pavilion with settings that it has', (name) => {
    const unit = read(`systemd/${name}`)
    expect(unit).toMatch(
      /^ExecStart=\/usr\/bin\/env node (--\S+ )?\S+\/bin\/pavilion (start|backup)/m,
    )
    expectSettings([...unit.matchAll(/^Environment=([A-Z_]+)=/gm)].map(([, setting]) => setting))
  })
})

describe('the container', () => {
  const file = read('container/Containerfile')
  const compose = parse(read('container/compose.yaml')).services

  it('has what the package publishes, on a version of Node that is supported', () => {
    const { files, engines } = JSON.parse(readFileSync('package.json', 'utf8'))
    const copied = [...file.matchAll(/^COPY --from=build (.+) \S+$/gm)].flatMap(([, words]) =>
      words.split(' ').map((path) => path.replace('/src/', '')),
    )
    for (const name of [...files, 'package.json', 'node_modules']) expect(copied).toContain(name)
    for (const name of files) expect(existsSync(name)).toBe(true)
    const [, major] = /^FROM node:(\d+)-/m.exec(file) ?? []
    expect(Number(major)).toBeGreaterThanOrEqual(Number.parseInt(engines.node.slice(2), 10))
  })

  it('opens the ports that are served, and is healthy when the process is', () => {
    const [, ports] = /^EXPOSE (.+)$/m.exec(file) ?? []
    const [, metrics] = /METRICS_PORT=(\d+)/.exec(file) ?? []
    expect(ports.split(' ')).toEqual([`${defaults.port}`, `${defaults.sandboxPort}`, metrics])
    expect(file).toContain(`http://127.0.0.1:${defaults.port}/healthz`)
    const published = compose.pavilion.ports.map((port: string) => port.split(':').at(-1))
    expect(published).toEqual(ports.split(' '))
  })

  it('is given settings that Pavilion has, and databases that exist', () => {
    const own = /^ENV (.+)$/m.exec(file)?.[1].split(' ') ?? []
    expectSettings(own.map((pair) => pair.split('=')[0]))
    const { environment, depends_on } = compose.pavilion
    expectSettings(Object.keys(environment))
    expect(depends_on.postgres.condition).toBe('service_healthy')
    const filled = (url: string) => url.replace(/\$\{[^}]+\}/g, 'x')
    expect(new URL(filled(environment.DATABASE_URL)).pathname).toBe(
      `/${compose.postgres.environment.POSTGRES_DB}`,
    )
    const sandbox = new URL(filled(environment.SANDBOX_DATABASE_URL)).pathname.slice(1)
    expect(read('container/create-sandbox.sql')).toContain(`create database ${sandbox};`)
  })
})

describe('the Kubernetes manifests', () => {
  const documents = parseAllDocuments(read('kubernetes/pavilion.yaml')).map((each) => each.toJS())
  const byKind = (kind: string) => documents.find((each) => each.kind === kind)
  const { template, selector } = byKind('Deployment').spec
  const [container] = template.spec.containers

  it('probe what each probe is for, and select the pods', () => {
    const probes = ['startupProbe', 'livenessProbe', 'readinessProbe'].map(
      (name) => container[name].httpGet.path,
    )
    expect(probes).toEqual(['/healthz', '/healthz', '/readyz'])
    for (const kind of ['Service', 'PodDisruptionBudget', 'NetworkPolicy']) {
      const { spec } = byKind(kind)
      const chosen = (spec.podSelector ?? spec.selector).matchLabels ?? spec.selector
      expect(chosen).toEqual(template.metadata.labels)
    }
    expect(selector.matchLabels).toEqual(template.metadata.labels)
  })

  it('use the ports and settings of Pavilion, and give it time to stop', () => {
    const value = (name: string) =>
      container.env.find((each: { name: string }) => each.name === name)?.value
    expectSettings(container.env.map(({ name }: { name: string }) => name))
    expect(container.ports).toEqual([
      { name: 'http', containerPort: defaults.port },
      { name: 'metrics', containerPort: Number(value('METRICS_PORT')) },
    ])
    expect(template.metadata.annotations['prometheus.io/port']).toBe(value('METRICS_PORT'))
    const running = 20
    expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThan(
      Number(value('DRAIN_SECONDS')) + running,
    )
  })
})

describe('the cluster', () => {
  const config = read('cluster/haproxy.cfg')
  const patroni = parse(read('cluster/patroni.yaml'))

  it.skipIf(isMissing('haproxy'))('has a haproxy without warnings', () => {
    const { status, printed } = check('haproxy', '-c', '-f', 'deploy/cluster/haproxy.cfg')
    expect([status, /WARNING|ALERT/.exec(printed)]).toEqual([0, null])
  })

  it('sends reads to nodes that can read, and writes to nodes that can write', () => {
    const uriOf = (backend: string) =>
      new RegExp(`backend ${backend}\n(?: .*\n)*?.*uri (\\S+)`).exec(config)?.[1]
    expect([uriOf('readers'), uriOf('writers')]).toEqual(['/readyz', '/readyz/write'])
    for (const port of config.matchAll(/server (?:node|any)-\d \S+:(\d+)/g)) {
      expect(Number(port[1])).toBe(defaults.port)
    }
  })

  it('asks Patroni who leads, and loses nothing that was acknowledged', () => {
    const port = patroni.restapi.listen.split(':')[1]
    expect(config).toContain(`${patroni.postgresql.connect_address} check port ${port}`)
    expect(config).toContain('uri /primary')
    expect(patroni.bootstrap.dcs).toMatchObject({ synchronous_mode: true, failsafe_mode: true })
  })

  it('brings a former leader back without anybody, even if it cannot be rewound', () => {
    expect(patroni.bootstrap.dcs.postgresql).toMatchObject({
      use_pg_rewind: true,
      remove_data_directory_on_rewind_failure: true,
    })
  })
})

describe('monitoring', () => {
  const known = readFileSync('docs/metrics.md', 'utf8')
  const dashboard = JSON.parse(read('monitoring/grafana-dashboard.json'))
  const rules = parse(read('monitoring/alerts.yaml')).groups[0].rules as { expr: string }[]
  const expressions = [
    ...rules.map(({ expr }) => expr),
    ...dashboard.panels.flatMap((panel: { targets: { expr: string }[] }) =>
      panel.targets.map(({ expr }) => expr),
    ),
  ]

  it.skipIf(isMissing('promtool'))('has rules and a configuration that Prometheus accepts', () => {
    const { status, printed } = check(
      'promtool',
      'check',
      'config',
      'deploy/monitoring/prometheus.yaml',
    )
    expect([status, printed]).toEqual([0, expect.stringContaining(`${rules.length} rules found`)])
  })

  it.skipIf(isMissing('promtool'))('fires the alerts of its cases, and no others', () => {
    const { status, printed } = check('promtool', 'test', 'rules', 'test/deploy/alerts.yaml')
    expect([status, printed]).toEqual([0, expect.stringContaining('SUCCESS')])
  })

  it('uses metrics that are documented', () => {
    const names = expressions.flatMap(
      (text) => text.match(/\b(pavilion|process|nodejs)_[a-z_]+/g) ?? [],
    )
    expect(names.length).toBeGreaterThan(30)
    for (const name of names)
      expect(known).toContain(`\`${name.replace(/_(bucket|count|sum)$/, '')}\``)
  })
})

function expectSettings(names: readonly string[]): void {
  const readme = readFileSync('README.md', 'utf8')
  const settings = new Set(readme.match(/`[A-Z][A-Z_]+`/g))
  expect(names.length).toBeGreaterThan(0)
  for (const name of names) {
    if (name !== 'NODE_ENV') expect(settings).toContain(`\`${name}\``)
  }
}
