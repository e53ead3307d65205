import type { Config } from '../../config.ts'
import { PRIVATE_NETWORKS } from '../../events/webhook-address.ts'
import type { Realm } from '../../merchants/token.ts'

/** The private hosts that webhooks may call: in production those that are listed, and no other. */
export function webhookHostsOf(config: Config, realm: Realm): readonly string[] {
  const hosts = config.webhookAllowedHosts
  return realm === 'test' && config.sandboxWebhooksLocal ? [...hosts, PRIVATE_NETWORKS] : hosts
}
