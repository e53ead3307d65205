import { render } from 'preact'
import { watchConnection } from './api/client.ts'
import { startRouter } from './lib/router.ts'
import { startTheme } from './lib/theme.ts'
import { App } from './shell/app.tsx'

startTheme()
startRouter()
watchConnection()
const root = document.getElementById('app')
if (root) render(<App />, root)
