import { CallError, type Connection, post } from './api.ts'
import { h } from './dom.ts'
import { type TextName, text } from './texts.ts'

export interface Enquiry {
  sku: string
  name: string
  email: string
  message: string
}

interface FormOptions {
  sku: string
  connect: () => Connection
  /** Tells the page; false when the page sends the enquiry itself. */
  tell: (enquiry: Enquiry) => boolean
}

type FieldName = Exclude<keyof Enquiry, 'sku'>
type Field = HTMLInputElement | HTMLTextAreaElement

/** The lengths are those of the interface. */
const LENGTHS: Record<FieldName, number> = { name: 200, email: 254, message: 2_000 }

let forms = 0

/** A form to ask about a stone. What is wrong is said at its field; the first gets the focus. */
export function enquiryForm({ sku, connect, tell }: FormOptions): HTMLFormElement {
  const id = `enquiry-${++forms}`
  const fields: Record<FieldName, Field> = {
    name: h('input', { ...attributesOf(id, 'name'), autocomplete: 'name' }),
    email: h('input', { ...attributesOf(id, 'email'), type: 'email', autocomplete: 'email' }),
    message: h('textarea', { ...attributesOf(id, 'message'), rows: 4 }),
  }
  // Hidden from people: what fills it in is a program.
  const website = h('input', { name: 'website', tabindex: -1, autocomplete: 'off' })
  const button = h('button', { type: 'submit', class: 'button is-main' }, text('send'))
  const status = h('p', { class: 'wrong', role: 'alert' })
  const form = h('form', { class: 'enquiry', novalidate: true, 'aria-labelledby': id })
  form.append(
    h('h3', { id }, text('ask')),
    h(
      'div',
      { class: 'row' },
      labelled(id, 'name', fields.name),
      labelled(id, 'email', fields.email),
    ),
    labelled(id, 'message', fields.message),
    h('label', { class: 'trap', 'aria-hidden': 'true' }, text('website'), website),
    button,
    status,
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (button.disabled || !checkAll(id, fields)) return
    const { name, email, message } = fields
    const enquiry = {
      sku,
      name: name.value.trim(),
      email: email.value.trim(),
      message: message.value.trim(),
    }
    const sent = () => form.replaceChildren(thanks())
    if (!tell(enquiry)) return sent()
    button.disabled = true
    button.textContent = text('sending')
    status.textContent = ''
    post(connect(), '/api/v3/enquiries', {
      ...enquiry,
      ...(website.value && { website: website.value }),
    })
      .then(sent)
      .catch((error: unknown) => {
        button.disabled = false
        button.textContent = text('send')
        showRefusal(id, fields, status, error)
      })
  })
  return form
}

function attributesOf(id: string, name: FieldName) {
  const described = { 'aria-describedby': `${id}-${name}-wrong` }
  return {
    id: `${id}-${name}`,
    class: 'input',
    name,
    required: true,
    maxlength: LENGTHS[name],
    ...described,
  }
}

function labelled(id: string, name: FieldName, field: Field): HTMLElement {
  return h(
    'div',
    {},
    h('label', { class: 'label', for: field.id }, text(name)),
    field,
    h('p', { class: 'wrong', id: `${id}-${name}-wrong` }),
  )
}

/** Says at each field what is wrong with it. Returns whether nothing is. */
function checkAll(id: string, fields: Record<FieldName, Field>): boolean {
  const wrong = (Object.keys(fields) as FieldName[]).filter((name) => {
    const field = fields[name]
    const problem: TextName | undefined =
      field.value.trim() === '' ? 'required' : field.validity.valid ? undefined : 'badEmail'
    mark(id, field, problem && text(problem))
    return problem !== undefined
  })
  if (wrong.length > 0) fields[wrong[0]].focus()
  return wrong.length === 0
}

function mark(id: string, field: Field, problem: string | undefined): void {
  field.setAttribute('aria-invalid', String(problem !== undefined))
  const place = field.parentElement?.querySelector(`#${id}-${field.name}-wrong`)
  if (place) place.textContent = problem ?? ''
}

function showRefusal(
  id: string,
  fields: Record<FieldName, Field>,
  status: HTMLElement,
  error: unknown,
): void {
  console.error(`pavilion: ${error instanceof Error ? error.message : String(error)}`)
  const isRefused = error instanceof CallError
  if (isRefused && error.fields.has('email')) {
    mark(id, fields.email, text('badEmail'))
    fields.email.focus()
  } else status.textContent = text(isRefused && error.status === 429 ? 'tooMany' : 'notSent')
}

function thanks(): HTMLElement {
  const box = h('div', { class: 'note', role: 'status', tabindex: -1 })
  box.append(h('p', { class: 'note-title' }, text('sent')), h('p', {}, text('sentHint')))
  // The button that had the focus is gone.
  queueMicrotask(() => box.focus())
  return box
}
