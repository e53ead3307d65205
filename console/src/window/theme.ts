/**
 * Whether the elements are light or dark: as the attribute `theme` says, otherwise as the page
 * around them is. A page that is always white stays white for a visitor whose system is dark.
 */
export function lookOf(element: Element): Look {
  const theme = element.getAttribute('theme')
  if (theme === 'light' || theme === 'dark') return { isDark: theme === 'dark', isPainted: false }
  for (let each: Element | null = element; each; each = parentOf(each)) {
    const background = readColor(getComputedStyle(each).backgroundColor)
    if (background) return { isDark: isDarkColor(background), isPainted: true }
  }
  // Nothing paints a background, so the browser does, in the color scheme of the page.
  const { colorScheme } = getComputedStyle(document.documentElement)
  const meta = document.querySelector('meta[name="color-scheme"]')?.getAttribute('content') ?? ''
  const schemes = colorScheme === 'normal' ? meta : colorScheme
  const isDark = schemes.includes('dark') && (!schemes.includes('light') || SYSTEM_DARK.matches)
  return { isDark, isPainted: false }
}

interface Look {
  isDark: boolean
  /** Whether the page paints what is behind the element; otherwise the element does. */
  isPainted: boolean
}

/** Changes when the visitor's system does. */
export const SYSTEM_DARK = matchMedia('(prefers-color-scheme: dark)')

function parentOf(element: Element): Element | null {
  const parent = element.assignedSlot ?? element.parentNode
  return parent instanceof ShadowRoot ? parent.host : parent instanceof Element ? parent : null
}

type Rgb = readonly [red: number, green: number, blue: number]

/** Undefined for a color that lets most of what is behind it through. */
function readColor(color: string): Rgb | undefined {
  const [red, green, blue, alpha = 1] = (color.match(/[\d.]+/g) ?? []).map(Number)
  if (!color.startsWith('rgb') || alpha < 0.5) return undefined
  return [red, green, blue]
}

/** By the luma of the color: below half it needs light text. */
function isDarkColor([red, green, blue]: Rgb): boolean {
  return 0.299 * red + 0.587 * green + 0.114 * blue < 128
}
