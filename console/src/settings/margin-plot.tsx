import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { MarginDraft } from '../api/settings.ts'
import { t } from '../language/language.ts'
import { useStore } from '../lib/store.ts'
import { theme } from '../lib/theme.ts'
import { percentAt } from './margin-tiers.ts'

const POINTS = 240
const HEIGHT = 260

/** The margins before a change (dashed) and after it (solid), over weight or price. */
export function MarginPlot(props: {
  before: MarginDraft | undefined
  after: MarginDraft | undefined
  mode: MarginDraft['mode']
}) {
  const { before, after, mode } = props
  const frame = useRef<HTMLDivElement>(null)
  const colors = useStore(theme)
  const key = JSON.stringify([before, after, mode, colors])
  // The key stands for what is drawn.
  useEffect(() => {
    const element = frame.current
    if (!element || !after) return
    const plot = draw(element, before, after, mode)
    // The frame is watched, not the window: panels beside it change its width, too.
    const observer = new ResizeObserver(() =>
      plot.setSize({ width: element.clientWidth, height: HEIGHT }),
    )
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [key])
  return (
    <div
      class="plot"
      ref={frame}
      role="img"
      aria-label={t('Margins of mined and lab grown stones before and after the change')}
    />
  )
}

function draw(
  element: HTMLElement,
  before: MarginDraft | undefined,
  after: MarginDraft,
  mode: MarginDraft['mode'],
): uPlot {
  const ends = [...after.tiers, ...(before?.mode === mode ? before.tiers : [])].map(
    ({ max }) => max,
  )
  const usual = mode === 'weight' ? 4 : 20_000
  const end = Math.min(Math.max(1, ...ends), usual)
  const xs = Array.from({ length: POINTS }, (_, index) => (index / (POINTS - 1)) * end)
  const line = (draft: MarginDraft | undefined, type: 'mined_percent' | 'lab_percent') =>
    draft && draft.mode === mode ? xs.map((x) => percentAt(draft, x, type)) : xs.map(() => null)
  const ink = (name: string) => getComputedStyle(element).getPropertyValue(name).trim()
  const resolved = (name: string) => resolveColor(element, ink(name))
  const [mined, grown] = [resolved('--accent'), resolved('--good')]
  const axis = { stroke: resolved('--muted'), grid: { stroke: resolved('--line'), width: 1 } }
  const options: uPlot.Options = {
    width: element.clientWidth,
    height: HEIGHT,
    scales: {
      x: { time: false },
      y: { range: (_plot, _min, max) => [0, Math.max(10, max * 1.15)] },
    },
    axes: [
      { ...axis, label: mode === 'weight' ? t('Carat') : t('Wholesale price (USD)') },
      { ...axis, label: t('Margin %') },
    ],
    series: [
      {},
      { label: t('mined, before'), stroke: mined, width: 1.5, dash: [5, 5] },
      { label: t('lab grown, before'), stroke: grown, width: 1.5, dash: [5, 5] },
      { label: t('mined'), stroke: mined, width: 2.5 },
      { label: t('lab grown'), stroke: grown, width: 2.5 },
    ],
    legend: { live: false },
    cursor: { show: false },
  }
  const rows = [
    xs,
    line(before, 'mined_percent'),
    line(before, 'lab_percent'),
    line(after, 'mined_percent'),
    line(after, 'lab_percent'),
  ]
  return new uPlot(options, rows as uPlot.AlignedData, element)
}

/** A canvas does not understand light-dark(), so the browser computes the color. */
function resolveColor(element: HTMLElement, color: string): string {
  const probe = document.createElement('span')
  probe.style.color = color
  element.append(probe)
  const computed = getComputedStyle(probe).color
  probe.remove()
  return computed
}
