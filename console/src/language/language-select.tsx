import { chooseLanguage, LANGUAGES, type Language, language, t } from './language.ts'

/** Changes the language of the console, which loads the page again. */
export function LanguageSelect() {
  return (
    <select
      class="language-select"
      aria-label={t('Language')}
      value={language}
      onChange={(event) => chooseLanguage(event.currentTarget.value as Language)}
    >
      {Object.entries(LANGUAGES).map(([code, name]) => (
        <option key={code} value={code} lang={code}>
          {name}
        </option>
      ))}
    </select>
  )
}
