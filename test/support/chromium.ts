/** Debian's Chromium and how it is started, for tests and measurements. */
import { existsSync } from 'node:fs'

/** The same browser without windows needs a quarter less processor time. */
const WITHOUT_WINDOWS = '/usr/bin/chromium-headless-shell'
export const CHROMIUM = existsSync(WITHOUT_WINDOWS) ? WITHOUT_WINDOWS : '/usr/bin/chromium'

// biome-ignore format: a list of names
const DISABLED = [
  // The list of an address bar that nobody sees: 1.3 s of processor time for every window.
  'WebUIOmniboxPopup', 'WebUIOmniboxAimPopup',
  // Those that Playwright disables: this list takes the place of its own.
  'AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable', 'LensOverlay', 'MediaRouter', 'PaintHolding',
  'ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints',
  'NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch',
]

// biome-ignore format: a list of flags
export const FLAGS = [
  '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  // Otherwise it calls hosts of its maker.
  '--disable-background-networking', '--disable-component-update', '--disable-sync',
  `--disable-features=${DISABLED.join(',')}`,
]
