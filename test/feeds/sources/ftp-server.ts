import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../support/free-port.ts'
import { untilListening } from './sftp-server.ts'

/** Debian's own Python, for which the package python3-pyftpdlib is. */
const PYTHON = '/usr/bin/python3'
const VSFTPD = '/usr/sbin/vsftpd'

/** Tests of FTP are skipped where the server is missing. */
export const hasPyftpdlib =
  existsSync(PYTHON) && spawnSync(PYTHON, ['-c', 'import pyftpdlib']).status === 0
/** It serves anonymous users as another account, which only root may start. */
export const hasVsftpd = existsSync(VSFTPD) && process.getuid?.() === 0

export interface FtpServer {
  port: number
  user: string
  password: string
  folder: string
  close(): Promise<void>
}

/** A real FTP server on this machine, which lists exact times (MLSD). */
export async function openFtpServer(): Promise<FtpServer> {
  const home = await mkdtemp(join(tmpdir(), 'pavilion-ftp-'))
  const folder = join(home, 'files')
  await mkdir(folder)
  const port = await freePort()
  const [user, password] = ['supplier', 'a password of FTP']
  const args = ['test/feeds/sources/ftp-server.py', String(port), folder, user, password]
  const child = spawn(PYTHON, args, { stdio: 'ignore' })
  await untilListening(port)
  return {
    port,
    user,
    password,
    folder,
    async close() {
      child.kill()
      await rm(home, { recursive: true, force: true })
    },
  }
}

interface Vsftpd extends Omit<FtpServer, 'user' | 'password'> {
  /** `SHA256:…` of the certificate; empty without TLS. */
  fingerprint: string
}

/**
 * Debian's vsftpd for anonymous users. It has no MLSD, so times are asked for one by one. With TLS it
 * has a certificate that nobody signed, and data connections must resume the session of TLS.
 */
export async function openVsftpd({ isSecure }: { isSecure: boolean }): Promise<Vsftpd> {
  const home = await mkdtemp(join(tmpdir(), 'pavilion-vsftpd-'))
  const folder = join(home, 'pub')
  await mkdir(folder)
  execFileSync('chmod', ['755', home, folder])
  await mkdir(join(home, 'empty'))
  const port = await freePort()
  const config = join(home, 'vsftpd.conf')
  const secure = [
    'ssl_enable=YES',
    'allow_anon_ssl=YES',
    'force_anon_data_ssl=YES',
    'force_anon_logins_ssl=YES',
    `rsa_cert_file=${join(home, 'certificate.pem')}`,
    `rsa_private_key_file=${join(home, 'key.pem')}`,
  ]
  await writeFile(
    config,
    [
      'listen=YES',
      'listen_address=127.0.0.1',
      `listen_port=${port}`,
      'anonymous_enable=YES',
      'local_enable=NO',
      `anon_root=${folder}`,
      `secure_chroot_dir=${join(home, 'empty')}`,
      'background=NO',
      'seccomp_sandbox=NO',
      ...(isSecure ? secure : []),
      '',
    ].join('\n'),
  )
  const fingerprint = isSecure ? makeCertificate(home) : ''
  const child = spawn(VSFTPD, [config], { stdio: 'ignore' })
  await untilListening(port)
  return {
    port,
    folder,
    fingerprint,
    async close() {
      child.kill()
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** Makes `certificate.pem` and `key.pem` in the folder, and returns the fingerprint. */
export function makeCertificate(folder: string): string {
  const path = join(folder, 'certificate.pem')
  const options = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=supplier']
  const files = ['-keyout', join(folder, 'key.pem'), '-out', path]
  execFileSync('openssl', ['req', ...options, ...files], { stdio: 'pipe' })
  const der = execFileSync('openssl', ['x509', '-in', path, '-outform', 'der'])
  return `SHA256:${createHash('sha256').update(der).digest('base64').replace(/=+$/, '')}`
}
