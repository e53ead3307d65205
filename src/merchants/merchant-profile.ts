import { type FieldError, Refusal } from '../lib/refusal.ts'

/** A business that vouches for a merchant. */
export interface MerchantReference {
  business_phone: string
  company_name: string
  email: string
  first_name: string
  last_name: string
  position: number
  upload_urls: string[]
}

/** What the operator notes about a merchant, beside its name and addresses. */
export interface MerchantProfile {
  approval_status?: string | null
  /** Addresses separated by commas. */
  cc_emails?: string | null
  url?: string | null
  references?: readonly Partial<MerchantReference>[]
}

const EMAIL = /^[^\s@,;]+@[^\s@,;]+$/
const WEB_ADDRESS = /^https?:\/\/[^\s/]+(\/\S*)?$/i

/** The profile as columns of the table. Refuses it with everything that is wrong. */
export function profileColumns(profile: MerchantProfile) {
  const errors: FieldError[] = []
  const { approval_status, url } = profile
  const cc_emails = checkedEmails(profile.cc_emails, errors)
  if (url != null && !WEB_ADDRESS.test(url)) {
    const message = `must be an address such as https://shop.example, not ${JSON.stringify(url)}`
    errors.push({ field: 'url', message })
  }
  const references = profile.references?.map(referenceFrom)
  if (errors.length > 0) {
    const [{ field, message }] = errors
    throw new Refusal('invalid_request', `${field} ${message}.`, { errors })
  }
  return {
    ...(approval_status !== undefined && { approval_status }),
    ...(cc_emails !== undefined && { cc_emails }),
    ...(url !== undefined && { url }),
    ...(references !== undefined && { references: JSON.stringify(references) }),
  }
}

function checkedEmails(
  text: string | null | undefined,
  errors: FieldError[],
): string | null | undefined {
  if (text == null) return text
  const addresses = text.split(',').map((address) => address.trim())
  const wrong = addresses.find((address) => !EMAIL.test(address))
  if (wrong === undefined) return addresses.join(', ')
  const message = `must be e-mail addresses separated by commas, not ${JSON.stringify(wrong)}`
  errors.push({ field: 'cc_emails', message })
  return undefined
}

/** What is not given is empty; without a position they keep their order. */
function referenceFrom(
  { upload_urls = [], ...given }: Partial<MerchantReference>,
  position: number,
): MerchantReference {
  const empty = { business_phone: '', company_name: '', email: '', first_name: '', last_name: '' }
  return { ...empty, position, ...given, upload_urls }
}
