/** Templates describe the stones that a curated search finds for a merchant. */
import { type Command, Option } from 'commander'
import { inTransaction } from '../../database/transaction.ts'
import { addTemplate, changeTemplate, listTemplates } from '../../merchants/template-store.ts'
import { CLARITIES, COLORS } from '../../reference/attributes.ts'
import { GRADE_NAMES, type GradeName } from '../../reference/defaults.ts'
import { readLine, readName, readWholeNumber } from '../arguments.ts'
import { command, commandGroup, MERCHANT, type MerchantOptions, onMerchant } from '../command.ts'
import { tableOf } from '../output/table.ts'

export function templateCommand(): Command {
  const example = 'pavilion template list --merchant buyer@shop.example'
  const list = command('list', "List a merchant's templates", example)
    .requiredOption(...MERCHANT)
    .action((options: MerchantOptions) =>
      onMerchant(
        options,
        (db, { uuid }) => listTemplates(db, uuid),
        (templates) =>
          tableOf(
            templates,
            {
              uuid: 'UUID',
              group: 'Group',
              position: 'Position',
              label: 'Label',
              color: 'Color',
              clarity: 'Clarity',
              grade_name: 'Grade',
              order: 'Order',
            },
            'No templates.',
          ),
      ),
    )
  const description = 'List, add and change templates for curated search'
  return commandGroup('template', description, [list, addCommand(), setCommand()])
}

interface AddOptions extends MerchantOptions {
  group: string
  label: string
  color: string
  clarity: string
  grade: GradeName
  position?: number
  order?: string
}

function addCommand(): Command {
  const example =
    'pavilion template add --merchant buyer@shop.example --group BRIDAL --label SIGNATURE \\\n' +
    '    --color F --clarity VS1 --grade ideal'
  return command('add', 'Add a template', example)
    .requiredOption(...MERCHANT)
    .requiredOption(
      '--group <name>',
      'Group; a curated search uses all templates of one group',
      readName,
    )
    .requiredOption('--label <name>', "The merchant's name for the template", readName)
    .addOption(gradeOption('--color <grade>', 'Lowest color', COLORS))
    .addOption(gradeOption('--clarity <grade>', 'Lowest clarity', CLARITIES))
    .addOption(gradeOption('--grade <name>', 'Quality of the cut', GRADE_NAMES))
    .option('--position <number>', 'Position within the group', readWholeNumber(1, 10_000))
    .option(
      '--order <text>',
      "A word for the merchant's own use, such as a key to sort by",
      readLine,
    )
    .action((options: AddOptions) =>
      onMerchant(
        options,
        (db, { uuid }) => {
          const { group, label, color, clarity, grade, position, order } = options
          const template = { group, label, color, clarity, grade_name: grade, order }
          return inTransaction(db, (tx) =>
            addTemplate(tx, uuid, { ...template, ...(position && { position }) }),
          )
        },
        ({ uuid, label, position }) => `Added ${label} at position ${position} (${uuid}).`,
      ),
    )
}

interface SetOptions extends MerchantOptions, Partial<Omit<AddOptions, keyof MerchantOptions>> {}

function setCommand(): Command {
  const example = 'pavilion template set <uuid> --merchant buyer@shop.example --order A1'
  return command('set', 'Change a template', example)
    .argument('<uuid>', "The merchant's own template")
    .requiredOption(...MERCHANT)
    .option('--group <name>', 'Group; a curated search uses all templates of one group', readName)
    .option('--label <name>', "The merchant's name for the template", readName)
    .addOption(new Option('--color <grade>', 'Lowest color').choices(COLORS))
    .addOption(new Option('--clarity <grade>', 'Lowest clarity').choices(CLARITIES))
    .addOption(new Option('--grade <name>', 'Quality of the cut').choices(GRADE_NAMES))
    .option('--position <number>', 'Position within the group', readWholeNumber(1, 10_000))
    .option('--order <text>', 'A word for the merchant\'s own use; "none" removes it', readLine)
    .action((template: string, options: SetOptions, self: Command) => {
      const { group, label, color, clarity, grade: grade_name, position } = options
      const order = options.order === 'none' ? null : options.order
      const settings = { group, label, color, clarity, grade_name, position, order }
      const given = Object.entries(settings).filter(([, value]) => value !== undefined)
      if (given.length === 0) self.error('error: name at least one setting to change')
      const change = Object.fromEntries(given)
      return onMerchant(
        options,
        (db, { uuid }) => inTransaction(db, (tx) => changeTemplate(tx, uuid, template, change)),
        ({ label: name, uuid }) => `Changed ${name} (${uuid}).`,
      )
    })
}

function gradeOption(flags: string, description: string, grades: readonly string[]): Option {
  return new Option(flags, description).choices(grades).makeOptionMandatory()
}
