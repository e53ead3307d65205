/** The shipping addresses of a merchant. Orders go to the default one unless they name another. */
import type { Command } from 'commander'
import { inTransaction } from '../../database/transaction.ts'
import { addAddress, listAddresses } from '../../merchants/address-store.ts'
import { readLine, readName } from '../arguments.ts'
import { command, commandGroup, MERCHANT, type MerchantOptions, onMerchant } from '../command.ts'
import { tableOf } from '../output/table.ts'

export function addressCommand(): Command {
  const example = 'pavilion address list --merchant buyer@shop.example'
  const list = command('list', "List a merchant's addresses", example)
    .requiredOption(...MERCHANT)
    .action((options: MerchantOptions) =>
      onMerchant(
        options,
        (db, { uuid }) => listAddresses(db, uuid),
        (addresses) =>
          tableOf(
            addresses,
            {
              uuid: 'UUID',
              name: 'Name',
              address_1: 'Address',
              city: 'City',
              postal_code: 'Postal code',
              country_code: 'Country',
              is_default: 'Default',
            },
            'No addresses yet. Add one with "pavilion address add".',
          ),
      ),
    )
  return commandGroup('address', 'List and add shipping addresses', [list, addCommand()])
}

interface AddOptions extends MerchantOptions {
  name: string
  address1: string
  address2?: string
  city: string
  postalCode: string
  region?: string
  country: string
  phone?: string
  default?: boolean
}

function addCommand(): Command {
  const example =
    'pavilion address add --merchant buyer@shop.example --name "Main store" \\\n' +
    '    --address-1 "12 Facet Street" --city "New York" --postal-code 10036 \\\n' +
    '    --region NY --country US'
  return command('add', 'Add a shipping address', example)
    .requiredOption(...MERCHANT)
    .requiredOption('--name <name>', 'Recipient or name of the place', readName)
    .requiredOption('--address-1 <line>', 'Street and number', readName)
    .option('--address-2 <line>', 'Second address line', readLine)
    .requiredOption('--city <city>', 'City', readName)
    .requiredOption('--postal-code <code>', 'Postal code', readLine)
    .option('--region <region>', 'State or region', readLine)
    .requiredOption('--country <code>', 'Country code of two letters')
    .option('--phone <number>', 'Phone number', readLine)
    .option('--default', 'Ship orders here unless they name another address')
    .action((options: AddOptions) =>
      onMerchant(
        options,
        (db, { uuid }) => {
          const address = {
            name: options.name,
            address_1: options.address1,
            address_2: options.address2 ?? '',
            city: options.city,
            postal_code: options.postalCode,
            region: options.region ?? '',
            country_code: options.country,
            phone: options.phone ?? '',
            is_default: options.default ?? false,
          }
          return inTransaction(db, (tx) => addAddress(tx, uuid, address))
        },
        ({ uuid, name }) => `Added the address ${name} (${uuid}).`,
      ),
    )
}
