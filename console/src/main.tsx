import { render } from 'preact'
import { App } from './app.tsx'
import { startRouter } from './lib/router.ts'
import { startTheme } from './lib/theme.ts'

startTheme()
startRouter()
const root = document.getElementById('app')
if (root) render(<App />, root)
