import { signOut } from '../api/session.ts'
import type { Session } from '../api/session-store.ts'
import { t } from '../language/language.ts'
import { go } from '../lib/router.ts'
import { nextTheme } from '../lib/theme.ts'
import { FURTHER_PAGES, MENUS } from '../shell/links.ts'
import type { PageAction } from './page-actions.ts'
import type { RecentSearch } from './recent-store.ts'
import { runSearch } from './run-search.ts'

export interface Command {
  id: string
  label: string
  key?: string
  run: () => void
}

export interface Group {
  name: string
  commands: Command[]
}

const RECENT_SHOWN = 5
/** So many of each group, until something is typed. */
const SHOWN_AT_FIRST = 10

/** Everything that somebody can do from the keyboard, whatever page is open. */
export function commandsFor(
  session: Session,
  text: string,
  recent: readonly RecentSearch[],
  actions: readonly PageAction[],
): Group[] {
  const { role } = session
  const pages = [...MENUS[role], ...FURTHER_PAGES[role]]
  const typed = text.trim()
  return [
    {
      name: t('Pages'),
      commands: pages.map(([path, label]) => ({ id: path, label, run: () => go(path) })),
    },
    {
      name: t('Recent searches'),
      commands: recent.slice(0, RECENT_SHOWN).map(({ text: label, to }) => ({
        id: `recent ${to}`,
        label,
        run: () => go(to),
      })),
    },
    {
      name: t('On this page'),
      commands: actions.map((action) => ({ id: `do ${action.label}`, ...action })),
    },
    {
      name: t('Console'),
      commands: [
        { id: 'theme', label: t('Change the theme: light, dark, system'), run: nextTheme },
        { id: 'sign-out', label: t('Sign out'), run: () => void signOut() },
      ],
    },
    {
      name: t('Search'),
      commands:
        typed === ''
          ? []
          : [
              {
                id: 'search',
                label: t('Search: {text}', { text: typed }),
                run: () => runSearch(role, typed),
              },
            ],
    },
  ]
}

/** The commands that have every typed word, in any order; a search always remains possible. */
export function matchCommands(groups: Group[], text: string): Group[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const most = words.length === 0 ? SHOWN_AT_FIRST : Number.POSITIVE_INFINITY
  return groups
    .map(({ name, commands }) => ({
      name,
      commands: commands
        .filter(
          ({ id, label }) =>
            id === 'search' || words.every((word) => label.toLowerCase().includes(word)),
        )
        .slice(0, most),
    }))
    .filter(({ commands }) => commands.length > 0)
}
