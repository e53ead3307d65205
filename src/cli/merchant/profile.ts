/** What the operator notes about a merchant: options of `merchant set`, part of `merchant show`. */
import { readFile } from 'node:fs/promises'
import { Option } from 'commander'
import { Refusal } from '../../lib/refusal.ts'
import type { MerchantProfile, MerchantReference } from '../../merchants/merchant-profile.ts'
import { readLine, readLineUpTo } from '../arguments.ts'

/** As long as over HTTP: `http/schemas/merchant.ts`. */
const readAddress = readLineUpTo(2048)

/** Removes what was set. */
const NONE = 'none'

export function profileOptions(): Option[] {
  return [
    new Option('--approval-status <text|none>', 'Approval status').argParser(readLine),
    new Option(
      '--cc-emails <addresses|none>',
      'Further recipients of emails, with commas',
    ).argParser(readAddress),
    new Option('--url <address|none>', 'Website').argParser(readAddress),
    new Option('--references <file|none>', 'Business references, as a JSON file with a list'),
  ]
}

export async function readProfile(given: Record<string, unknown>): Promise<MerchantProfile> {
  const profile: MerchantProfile = {}
  const said = (option: string) => given[option] as string | undefined
  const orNull = (text: string) => (text === NONE ? null : text)
  const [status, emails, url] = [said('approvalStatus'), said('ccEmails'), said('url')]
  if (status !== undefined) profile.approval_status = orNull(status)
  if (emails !== undefined) profile.cc_emails = orNull(emails)
  if (url !== undefined) profile.url = orNull(url)
  const file = said('references')
  if (file !== undefined) profile.references = file === NONE ? [] : await readReferences(file)
  return profile
}

/** Reads a file such as `[{"company_name": "Girdle & Sons", "email": "office@girdle.example"}]`. */
async function readReferences(path: string): Promise<Partial<MerchantReference>[]> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    throw new Refusal('not_found', `Cannot read ${path}: ${(error as Error).message}.`)
  }
  let json: unknown
  try {
    json = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    throw new Refusal('invalid_request', `${path} is not valid JSON: ${(error as Error).message}.`)
  }
  if (!Array.isArray(json)) {
    throw new Refusal('invalid_request', `${path} must be a list of references, in brackets.`)
  }
  const references: unknown[] = json
  for (const [position, reference] of references.entries()) {
    const fault = faultOf(reference)
    if (fault === undefined) continue
    throw new Refusal('invalid_request', `Reference ${position + 1} of ${path} ${fault}.`)
  }
  return references as Partial<MerchantReference>[]
}

const TEXTS = ['business_phone', 'company_name', 'email', 'first_name', 'last_name']

function faultOf(reference: unknown): string | undefined {
  if (reference === null || typeof reference !== 'object') return 'is not an object'
  for (const [name, value] of Object.entries(reference)) {
    if (name === 'position' && Number.isInteger(value)) continue
    if (name === 'upload_urls' && isTexts(value)) continue
    if (TEXTS.includes(name) && typeof value === 'string') continue
    const known = [...TEXTS, 'position (a whole number)', 'upload_urls (a list of texts)']
    return `has a wrong ${JSON.stringify(name)}: it may have ${known.join(', ')}`
  }
  return undefined
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

/** The details of a merchant that are set, for people. */
export function profileLines(merchant: {
  approval_status: string | null
  cc_emails: string | null
  url: string | null
  references: readonly unknown[]
}): string[] {
  const { approval_status, cc_emails, url, references } = merchant
  return [
    ...(approval_status === null ? [] : [`Approval: ${approval_status}`]),
    ...(cc_emails === null ? [] : [`Copies to: ${cc_emails}`]),
    ...(url === null ? [] : [`Website: ${url}`]),
    ...(references.length === 0 ? [] : [`References: ${references.length}`]),
  ]
}
