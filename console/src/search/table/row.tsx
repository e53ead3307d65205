import type { Gem } from '../../api/gems.ts'
import { t } from '../../language/language.ts'
import { humanize } from '../../lib/format.ts'
import { ShapePicture } from '../../parts/shape-picture.tsx'
import { BasketButton } from '../../stones/buttons.tsx'
import { HoldTag } from '../../stones/hold-tag.tsx'
import { gemName, treatmentText } from '../../stones/labels.ts'
import type { Column } from './columns.ts'

/** One stone of the table; a row whose page is not loaded yet has gray bars. */
export function StoneRow(props: {
  index: number
  gem: Gem | undefined
  columns: readonly Column[]
  isSelected: boolean
  isActive: boolean
  onToggle: (index: number, isRange: boolean) => void
}) {
  const { index, gem, columns, isSelected, isActive, onToggle } = props
  const place = { role: 'row', 'aria-rowindex': index + 2 } as const
  if (!gem) {
    return (
      <div class="stone-row is-waiting" {...place}>
        {['sku', ...columns.map(({ id }) => id), 'tools'].map((id) => (
          <span key={id} role="cell">
            ·
          </span>
        ))}
      </div>
    )
  }
  const states = [isSelected && 'is-selected', isActive && 'is-active'].filter(Boolean).join(' ')
  return (
    <div class={`stone-row ${states}`} {...place}>
      <span role="rowheader" class="is-fixed">
        <input
          type="checkbox"
          aria-label={t('Select {sku}, {name}', { sku: gem.sku, name: gemName(gem) })}
          checked={isSelected}
          onClick={(event) => {
            event.preventDefault()
            onToggle(index, event.shiftKey)
          }}
        />
        <ShapePicture shape={gem.shape} ratio={gem.ratio} />
        <span class="visually-hidden">{humanize(gem.shape)}</span>
        <span class="stone-sku">
          <a href={`/stones/${gem.sku}`}>{gem.sku}</a>
          <HoldTag gem={gem} />
          {gem.treatment && <span class="tag is-warn">{treatmentText(gem)}</span>}
        </span>
      </span>
      {columns.map(({ id, isEnd, show }) => (
        <span key={id} role="cell" class={isEnd ? 'end' : ''}>
          {show(gem)}
        </span>
      ))}
      <span role="cell" class="tools end">
        <BasketButton gem={gem} size="short" />
      </span>
    </div>
  )
}
