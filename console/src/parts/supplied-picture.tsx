import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { MediaView } from '../../../src/reference/media.ts'
import { readMedium } from '../api/media.ts'

interface Loaded {
  url: string
  type: string
}

/** A medium of a supplier by way of this server, once it comes into view; undefined until then. */
export function useMedium(sku: string, view: MediaView) {
  const place = useRef<HTMLDivElement>(null)
  const [medium, setMedium] = useState<Loaded>()
  const [isMissing, setMissing] = useState(false)
  useEffect(() => {
    const element = place.current
    if (!element) return
    const controller = new AbortController()
    let url: string | undefined
    const load = async () => {
      const blob = await readMedium(sku, view, controller.signal)
      if (controller.signal.aborted) return
      url = URL.createObjectURL(blob)
      setMedium({ url, type: blob.type })
    }
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      observer.disconnect()
      load().catch(() => !controller.signal.aborted && setMissing(true))
    })
    observer.observe(element)
    return () => {
      controller.abort()
      observer.disconnect()
      if (url) URL.revokeObjectURL(url)
    }
  }, [sku, view])
  return { place, medium, isMissing }
}

/** A supplier's picture or video, and what stands for it until it is here or when there is none. */
export function SuppliedPicture(props: {
  sku: string
  view: MediaView
  alt: string
  children: ComponentChildren
  /** Below it, when there is none. */
  missing?: ComponentChildren
}) {
  const { place, medium, isMissing } = useMedium(props.sku, props.view)
  return (
    <div ref={place} class="supplied-picture">
      {!medium && props.children}
      {isMissing && props.missing}
      {medium?.type.startsWith('image/') && <img src={medium.url} alt={props.alt} />}
      {medium?.type.startsWith('video/') && (
        <video src={medium.url} aria-label={props.alt} autoplay loop muted playsInline controls />
      )}
    </div>
  )
}
