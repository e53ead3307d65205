import { render } from 'preact'
import { watchConnection } from './api/client.ts'
import { brandName } from './api/session-store.ts'
import { t } from './language/language.ts'
import { startRouter } from './lib/router.ts'
import { startTheme } from './lib/theme.ts'
import { startTitles } from './lib/titles.ts'
import { confirmed } from './parts/confirm.tsx'
import { App } from './shell/app.tsx'

startTheme()
startRouter(askToLeave)
startTitles(brandName)
watchConnection()
const root = document.getElementById('app')
if (root) render(<App />, root)

function askToLeave(): Promise<boolean> {
  const text = t('This page has changes that are not saved. Leaving it loses them.')
  return confirmed({ title: t('Leave this page?'), text, action: t('Leave'), isDanger: true })
}
