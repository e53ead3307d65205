/** Templates describe the stones that a curated search finds for a merchant. */
import { type Command, Option } from 'commander'
import { inTransaction } from '../database/transaction.ts'
import { addTemplate, listTemplates } from '../merchants/template-store.ts'
import { CLARITIES, COLORS } from '../reference/attributes.ts'
import { GRADE_NAMES, type GradeName } from '../reference/defaults.ts'
import { readWholeNumber } from './arguments.ts'
import { command, commandGroup, MERCHANT, type MerchantOptions, onMerchant } from './command.ts'
import { tableOf } from './output/table.ts'

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
            },
            'No templates.',
          ),
      ),
    )
  const description = 'List and add templates for curated search'
  return commandGroup('template', description, [list, addCommand()])
}

interface AddOptions extends MerchantOptions {
  group: string
  label: string
  color: string
  clarity: string
  grade: GradeName
  position?: number
}

function addCommand(): Command {
  const example =
    'pavilion template add --merchant buyer@shop.example --group BRIDAL --label SIGNATURE \\\n' +
    '    --color F --clarity VS1 --grade ideal'
  return command('add', 'Add a template', example)
    .requiredOption(...MERCHANT)
    .requiredOption('--group <name>', 'Group; a curated search uses all templates of one group')
    .requiredOption('--label <name>', "The merchant's name for the template")
    .addOption(gradeOption('--color <grade>', 'Lowest color', COLORS))
    .addOption(gradeOption('--clarity <grade>', 'Lowest clarity', CLARITIES))
    .addOption(gradeOption('--grade <name>', 'Quality of the cut', GRADE_NAMES))
    .option('--position <number>', 'Position within the group', readWholeNumber(1, 9_999))
    .action((options: AddOptions) =>
      onMerchant(
        options,
        (db, { uuid }) => {
          const { group, label, color, clarity, grade, position } = options
          const template = { group, label, color, clarity, grade_name: grade }
          return inTransaction(db, (tx) =>
            addTemplate(tx, uuid, { ...template, ...(position && { position }) }),
          )
        },
        ({ uuid, label, position }) => `Added ${label} at position ${position} (${uuid}).`,
      ),
    )
}

function gradeOption(flags: string, description: string, grades: readonly string[]): Option {
  return new Option(flags, description).choices(grades).makeOptionMandatory()
}
