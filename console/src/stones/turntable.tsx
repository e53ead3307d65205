import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Gem } from '../api/gems.ts'
import { readFrame } from '../api/media.ts'
import { t } from '../language/language.ts'
import { useMedium } from '../parts/supplied-picture.tsx'

/** A step for every ten degrees; frames between them are not loaded. */
const STEPS = 36
/** How far the pointer moves for one step. */
const STEP_PX = 12
const LOADED_AT_ONCE = 4

/** How many frames a supplier has of a stone; undefined when there is no sequence. */
export function frameCount({ v360_json_base_url, v360_info }: Gem): number | undefined {
  const count = Number((v360_info as { frame_count?: unknown } | null)?.frame_count)
  return v360_json_base_url && count >= 2 ? Math.floor(count) : undefined
}

/** A sequence of pictures that turns. Children stand for it when it cannot be had. */
export function FrameTable(props: {
  sku: string
  count: number
  alt: string
  children: ComponentChildren
}) {
  const { sku, count, alt } = props
  const steps = Math.min(STEPS, count)
  const { frames, isMissing } = useFrames(sku, count, steps)
  const [step, setStep] = useState(0)
  if (isMissing) return <div class="supplied-picture">{props.children}</div>
  // Until its frame is here, the nearest one before it is shown.
  const shown = frames.slice(0, step + 1).findLast((url) => url !== undefined) ?? frames[0]
  return (
    <Turntable steps={steps} step={step} onStep={setStep}>
      {shown && <img src={shown} alt={alt} draggable={false} />}
    </Turntable>
  )
}

function useFrames(sku: string, count: number, steps: number) {
  const [frames, setFrames] = useState<readonly (string | undefined)[]>([])
  const [isMissing, setMissing] = useState(false)
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const loaded: (string | undefined)[] = Array.from({ length: steps })
    const load = async (step: number) => {
      const blob = await readFrame(sku, Math.floor((step * count) / steps), signal)
      if (signal.aborted) return
      loaded[step] = URL.createObjectURL(blob)
      setFrames([...loaded])
    }
    let next = 1
    const loadOthers = async () => {
      while (next < steps && !signal.aborted) await load(next++).catch(() => undefined)
    }
    load(0).then(
      () => Promise.all(Array.from({ length: LOADED_AT_ONCE }, loadOthers)),
      () => !signal.aborted && setMissing(true),
    )
    return () => {
      controller.abort()
      for (const url of loaded) if (url) URL.revokeObjectURL(url)
    }
  }, [sku, count, steps])
  return { frames, isMissing }
}

/** A 360 degree view that is one file. Children stand for it when it is not, or cannot be had. */
export function SuppliedTurn(props: { sku: string; alt: string; children: ComponentChildren }) {
  const { place, medium, isMissing } = useMedium(props.sku, 'turn')
  return (
    <div ref={place} class="supplied-picture">
      {isMissing && props.children}
      {medium?.type.startsWith('image/') && <img src={medium.url} alt={props.alt} />}
      {medium?.type.startsWith('video/') && <VideoTable url={medium.url} alt={props.alt} />}
    </div>
  )
}

/** A video of one turn, which the pointer and the keyboard turn. */
function VideoTable({ url, alt }: { url: string; alt: string }) {
  const video = useRef<HTMLVideoElement>(null)
  const [step, setStep] = useState(0)
  const turnTo = (next: number) => {
    setStep(next)
    const { current } = video
    if (current && current.duration > 0) current.currentTime = (current.duration * next) / STEPS
  }
  return (
    <Turntable steps={STEPS} step={step} onStep={turnTo}>
      <video ref={video} src={url} aria-label={alt} muted playsInline preload="auto" />
    </Turntable>
  )
}

function Turntable(props: {
  steps: number
  step: number
  onStep: (step: number) => void
  children: ComponentChildren
}) {
  const { steps, step, onStep } = props
  const from = useRef<{ x: number; step: number } | undefined>(undefined)
  const drag = (event: PointerEvent) => {
    if (!from.current) return
    const moved = from.current.step + Math.round((event.clientX - from.current.x) / STEP_PX)
    onStep(((moved % steps) + steps) % steps)
  }
  return (
    <div class="turntable">
      <div
        class="turntable-picture"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          from.current = { x: event.clientX, step }
        }}
        onPointerMove={drag}
        onPointerUp={() => {
          from.current = undefined
        }}
      >
        {props.children}
      </div>
      <input
        type="range"
        aria-label={t('Turn the stone')}
        min={0}
        max={steps - 1}
        value={step}
        onInput={(event) => onStep(Number(event.currentTarget.value))}
      />
    </div>
  )
}
