import {
  changeSettings,
  checkSetting,
  isSettingName,
  readSettings,
  type SettingName,
  type SettingValue,
} from '../../orders/documents/settings.ts'
import { write } from '../request/acting.ts'
import { type App, operatorWith } from '../route.ts'
import { SettingsBody, SettingsSchema } from '../schemas/orders/documents.ts'
import type { Services } from '../services.ts'
import { renderSettings } from '../shared/documents.ts'

const tags = ['Settings']

/** What the operator sets for the whole market: who sells, and how documents look. */
export function registerMarketSettings(app: App, { db, renderer }: Services): void {
  app.get(
    '/api/operator/settings',
    {
      config: { access: operatorWith('settings:read'), conditional: true },
      schema: {
        tags: tags,
        summary: 'Returns the settings of the market',
        response: { 200: SettingsSchema },
      },
    },
    async () => renderSettings(await readSettings(db)),
  )

  app.patch(
    '/api/operator/settings',
    {
      config: { access: operatorWith('settings:write') },
      schema: {
        tags: tags,
        summary: 'Changes settings of the market; null clears one',
        description: 'Documents that are issued from now on show them; earlier ones never change.',
        body: SettingsBody,
        response: { 200: SettingsSchema },
      },
    },
    async (request) => {
      const changes = new Map<SettingName, SettingValue>()
      for (const [name, value] of Object.entries(request.body)) {
        if (!isSettingName(name) || value === undefined) continue
        const given = name === 'seller.logo' ? bytesFrom(value) : value
        changes.set(name, await checkSetting(name, given, renderer))
      }
      return renderSettings(await write(db, request, (tx) => changeSettings(tx, changes)))
    },
  )
}

/** The bytes of a data URL. */
function bytesFrom(url: string | null): Buffer | null {
  return url === null ? null : Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')
}
