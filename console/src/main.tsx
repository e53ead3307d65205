import { render } from 'preact'
import { watchConnection } from './api/client.ts'
import { App } from './app.tsx'
import { startRouter } from './lib/router.ts'
import { startTheme } from './lib/theme.ts'

startTheme()
startRouter()
watchConnection()
const root = document.getElementById('app')
if (root) render(<App />, root)
