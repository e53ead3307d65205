import { render } from 'preact'
import { watchConnection } from './api/client.ts'
import { startRouter } from './lib/router.ts'
import { startTheme } from './lib/theme.ts'
import { startTitles } from './lib/titles.ts'
import { confirmed } from './parts/confirm.tsx'
import { App } from './shell/app.tsx'

startTheme()
startRouter(askToLeave)
startTitles()
watchConnection()
const root = document.getElementById('app')
if (root) render(<App />, root)

function askToLeave(): Promise<boolean> {
  const text = 'This page has changes that are not saved. Leaving it loses them.'
  return confirmed({ title: 'Leave this page?', text, action: 'Leave', isDanger: true })
}
