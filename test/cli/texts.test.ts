import { describe, expect, it } from 'vitest'
import { buildProgram } from '../../src/cli/main.ts'

/** Commands that are complete but for the value of one option. */
const COMMANDS: Record<string, string[]> = {
  '--legal-dba': ['merchant', 'create', '--email', 'buyer@shop.example', '--country', 'US'],
  '--name': ['user', 'invite', 'buyer@shop.example', '--merchant', 'buyer@shop.example'],
  '--city': ['address', 'add', '--merchant', 'M', '--name', 'N', '--address-1', 'A'],
  '--group': ['template', 'add', '--merchant', 'buyer@shop.example', '--label', 'L'],
  '--label': ['charge-rule', 'add', '--kind', 'fee', '--amount', '4'],
  '--method': ['order', 'pay', 'PO-1', '--amount', '500'],
  '--tracking-company': ['order', 'fulfill', 'PO-1', '--tracking-number', '1'],
  '--description': ['webhook', 'add', '--merchant', 'M', '--url', 'https://shop.example'],
}

/** A name, which says something. */
const NAMES = ['--legal-dba', '--city', '--group', '--label']

async function refusalOf(args: string[]): Promise<unknown> {
  const program = await buildProgram(args)
  for (const group of program.commands) {
    for (const each of [group, ...group.commands]) each.configureOutput({ writeErr: () => {} })
  }
  return program.parseAsync(args, { from: 'user' }).catch((error: unknown) => error)
}

describe('a text on the command line', () => {
  it.each(Object.keys(COMMANDS))('is one line of at most 200 characters in %s', async (option) => {
    const wrong = ['x'.repeat(201), 'two\nlines', ...(NAMES.includes(option) ? ['', '  '] : [])]
    for (const text of wrong) {
      expect(await refusalOf([...COMMANDS[option], option, text])).toMatchObject({
        code: 'commander.invalidArgument',
        message: expect.stringContaining(`'${option} `),
      })
    }
  })

  it('is as long as over HTTP where that takes longer ones', async () => {
    const longest: [string, string[], number][] = [
      ['--url', ['webhook', 'add', '--merchant', 'M'], 2_000],
      ['--url', ['merchant', 'set', 'M'], 2_048],
      ['--contact', ['supplier', 'set', 'Surat Gems'], 500],
    ]
    for (const [option, command, lengthMax] of longest) {
      expect(await refusalOf([...command, option, 'x'.repeat(lengthMax + 1)])).toMatchObject({
        code: 'commander.invalidArgument',
        message: expect.stringContaining(`one line of at most ${lengthMax} characters`),
      })
    }
  })
})

describe('the address that pavilion listen forwards to', () => {
  it('is one of HTTP', async () => {
    const refusal = await refusalOf(['listen', '--forward', 'ftp://localhost/hook'])
    expect(refusal).toMatchObject({ code: 'commander.invalidArgument' })
  })
})

describe('a percentage of a margin on the command line', () => {
  it.each(['10000.01', '30.125'])('is not %s', async (percent) => {
    const tier = `0-10:${percent}/50`
    expect(await refusalOf(['margin', 'set', '--merchant', 'M', '--tier', tier])).toMatchObject({
      code: 'commander.invalidArgument',
    })
  })
})
