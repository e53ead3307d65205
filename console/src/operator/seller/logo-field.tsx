import { useId, useState } from 'preact/hooks'
import { mayDo } from '../../api/session-store.ts'
import { t } from '../../language/language.ts'

/** The most that the server takes. */
const BYTES_MAX = 256 * 1024

/** The logo as a data URL, which is how the interface takes it. */
export function LogoField(props: { logo: string | null; onChange: (logo: string | null) => void }) {
  const { logo, onChange } = props
  const [error, setError] = useState<string>()
  const note = useId()
  const choose = async (file: File | undefined) => {
    if (!file) return
    setError(file.size > BYTES_MAX ? t('The picture has more than 256 KiB.') : undefined)
    if (file.size <= BYTES_MAX) onChange(await dataUrlOf(file))
  }
  return (
    <div class="field">
      <label class="field">
        <span>{t('Logo, a PNG or JPEG of at most 256 KiB')}</span>
        <input
          class="input"
          type="file"
          accept="image/png,image/jpeg"
          disabled={!mayDo('settings:write')}
          aria-describedby={error ? note : undefined}
          onChange={(event) => void choose(event.currentTarget.files?.[0])}
        />
      </label>
      {error && (
        <span id={note} class="field-error">
          {error}
        </span>
      )}
      {logo && (
        <div class="row">
          <img class="logo-preview" src={logo} alt={t('The logo')} />
          {mayDo('settings:write') && (
            <button type="button" class="button is-small" onClick={() => onChange(null)}>
              {t('Remove the logo')}
            </button>
          )}
        </div>
      )}
    </div>
  )
}

function dataUrlOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(reader.result as string))
    reader.addEventListener('error', () => reject(reader.error))
    reader.readAsDataURL(file)
  })
}
