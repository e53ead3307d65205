import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../support/free-port.ts'

const SSHD = '/usr/sbin/sshd'
const SFTP = '/usr/lib/openssh/sftp-server'

/** Tests of SFTP are skipped where Debian's openssh-server is missing. */
export const hasSshd = existsSync(SSHD) && existsSync(SFTP)

export interface SftpServer {
  port: number
  user: string
  /** The private key that may sign in, and one that may not. */
  key: string
  otherKey: string
  /** `SHA256:…` of the server. */
  fingerprint: string
  /** Where the supplier puts files. */
  folder: string
  /** What the server wrote about those who called. */
  log(): Promise<string>
  close(): Promise<void>
}

/** A real OpenSSH server on this machine, with keys and settings of its own. */
export async function openSftpServer(): Promise<SftpServer> {
  const home = await mkdtemp(join(tmpdir(), 'pavilion-sftp-'))
  const path = (name: string) => join(home, name)
  for (const name of ['host', 'user', 'other']) {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', path(name)])
  }
  await writeFile(path('allowed'), await readFile(path('user.pub')), { mode: 0o600 })
  const folder = path('out')
  await mkdir(folder)
  const port = await freePort()
  await writeFile(
    path('config'),
    [
      'ListenAddress 127.0.0.1',
      `Port ${port}`,
      `HostKey ${path('host')}`,
      `AuthorizedKeysFile ${path('allowed')}`,
      `PidFile ${path('pid')}`,
      'StrictModes no',
      'UsePAM no',
      'PasswordAuthentication no',
      'PermitRootLogin prohibit-password',
      `Subsystem sftp ${SFTP}`,
    ].join('\n'),
  )
  // Debian's server wants a folder that its service would create.
  if (userInfo().uid === 0) await mkdir('/run/sshd', { recursive: true })
  const child = spawn(SSHD, ['-D', '-f', path('config'), '-E', path('log')], { stdio: 'ignore' })
  await untilListening(port)
  const printed = execFileSync('ssh-keygen', ['-l', '-f', path('host.pub')], { encoding: 'utf8' })
  return {
    port,
    user: userInfo().username,
    key: await readFile(path('user'), 'utf8'),
    otherKey: await readFile(path('other'), 'utf8'),
    fingerprint: printed.split(' ')[1],
    folder,
    log: () => readFile(path('log'), 'utf8'),
    async close() {
      child.kill()
      await rm(home, { recursive: true, force: true })
    },
  }
}

export async function untilListening(port: number): Promise<void> {
  for (;;) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1')
      socket.once('connect', () => {
        socket.destroy()
        resolve(true)
      })
      socket.once('error', () => resolve(false))
    })
    if (isOpen) return
    await sleep(50)
  }
}
