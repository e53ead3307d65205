import { useState } from 'preact/hooks'
import { t } from '../../language/language.ts'
import { go, useLocation, withParams } from '../../lib/router.ts'

/** A list is searched by a text, which is kept in the address. */
export function TextSearch({ label }: { label: string }) {
  const { params } = useLocation()
  const given = params.get('q') ?? ''
  return <SearchForm key={given} given={given} label={label} />
}

function SearchForm({ given, label }: { given: string; label: string }) {
  const [text, setText] = useState(given)
  const submit = (event: Event) => {
    event.preventDefault()
    go(withParams({ q: text.trim() || undefined, offset: undefined }))
  }
  return (
    <form class="row panel text-search" onSubmit={submit}>
      <label class="field" style={{ flex: '1 1 220px' }}>
        <span class="visually-hidden">{label}</span>
        <input
          class="input"
          type="search"
          placeholder={label}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="button">
        {t('Search')}
      </button>
    </form>
  )
}
