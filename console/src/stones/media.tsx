import { useState } from 'preact/hooks'
import type { MediaView } from '../../../src/reference/media.ts'
import type { Gem } from '../api/gems.ts'
import { showsMedia } from '../api/media.ts'
import { t } from '../language/language.ts'
import { sameOriginPath } from '../lib/format.ts'
import { Dialog } from '../parts/dialog.tsx'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { SuppliedPicture, useMedium } from '../parts/supplied-picture.tsx'
import { StoneDrawing } from './drawing.tsx'
import { gemName } from './labels.ts'
import { FrameTable, frameCount, SuppliedTurn } from './turntable.tsx'

/** A picture or a viewer of this server, or what it fetches from the supplier. */
type Medium =
  | { label: string; kind: 'picture'; url: string }
  | { label: string; kind: 'viewer'; url: string }
  | { label: string; kind: 'supplied'; view: MediaView }
  | { label: string; kind: 'frames'; count: number }

/** The pictures of a stone, and always a drawing from its proportions. */
export function StoneMedia({ gem }: { gem: Gem }) {
  const media = mediaOf(gem)
  const [chosen, setChosen] = useState(media.length > 0 ? 0 : -1)
  return (
    <section class="stone-media" aria-label={t('Pictures')}>
      <div class="stone-stage">
        <Stage gem={gem} medium={media[chosen]} />
      </div>
      <fieldset class="row">
        <legend class="visually-hidden">{t('View')}</legend>
        {[...media.map(({ label }) => label), t('Drawing')].map((label, index) => {
          const value = index === media.length ? -1 : index
          return (
            <label key={label} class="chip">
              <input
                type="radio"
                name="medium"
                checked={chosen === value}
                onChange={() => setChosen(value)}
              />
              <span>{label}</span>
            </label>
          )
        })}
      </fieldset>
      <ExternalLinks gem={gem} />
    </section>
  )
}

function Stage({ gem, medium }: { gem: Gem; medium: Medium | undefined }) {
  const name = gemName(gem)
  if (!medium) return <StoneDrawing gem={gem} />
  if (medium.kind === 'viewer') {
    return <iframe src={medium.url} title={t('{name}, 360° view', { name })} />
  }
  const alt = `${name}: ${medium.label}`
  if (medium.kind === 'frames') {
    return (
      <FrameTable sku={gem.sku} count={medium.count} alt={alt}>
        <NotShown gem={gem} link={gem.ux_url} label={t('Open the 360° view')} />
      </FrameTable>
    )
  }
  if (medium.kind === 'picture') {
    return <Zoomed alt={alt} picture={<img src={medium.url} alt={alt} />} />
  }
  if (medium.view === 'certificate') return <Certificate gem={gem} alt={alt} />
  if (medium.view === 'turn') {
    return (
      <SuppliedTurn sku={gem.sku} alt={alt}>
        <NotShown gem={gem} link={gem.ux_url} label={t('Open the 360° view')} />
      </SuppliedTurn>
    )
  }
  const isVideo = medium.view === 'video'
  const picture = (
    <SuppliedPicture
      sku={gem.sku}
      view={medium.view}
      alt={alt}
      missing={isVideo && <Outside link={gem.video_url} label={t('Open the video')} />}
    >
      <StoneDrawing gem={gem} />
    </SuppliedPicture>
  )
  return isVideo ? picture : <Zoomed alt={alt} picture={picture} />
}

/** Stands for what this server cannot show, such as a page of the supplier, which is not framed. */
function NotShown({ gem, link, label }: { gem: Gem; link: string | null; label: string }) {
  return (
    <>
      <StoneDrawing gem={gem} />
      <Outside link={link} label={label} />
    </>
  )
}

function Outside({ link, label }: { link: string | null; label: string }) {
  if (!link) return null
  return (
    <a class="button is-small" href={link} target="_blank" rel="noreferrer noopener">
      {label}
    </a>
  )
}

/** A picture that a click shows in its full size. */
function Zoomed({ alt, picture }: { alt: string; picture: preact.JSX.Element }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      {picture}
      <button type="button" class="button is-small zoom" onClick={() => setOpen(true)}>
        {t('Enlarge')}
      </button>
      {isOpen && (
        <Dialog title={alt} class="is-wide" onClose={() => setOpen(false)}>
          <ScrollArea class="zoomed" label={alt}>
            {picture}
          </ScrollArea>
          <div class="dialog-foot">
            <button type="button" class="button" onClick={() => setOpen(false)}>
              {t('Close')}
            </button>
          </div>
        </Dialog>
      )}
    </>
  )
}

/** A certificate is a picture, or a PDF, which the browser shows by itself. */
function Certificate({ gem, alt }: { gem: Gem; alt: string }) {
  const { place, medium, isMissing } = useMedium(gem.sku, 'certificate')
  return (
    <div ref={place} class="supplied-picture">
      {isMissing && <p class="muted">{t('The certificate cannot be shown at the moment.')}</p>}
      {medium?.type === 'application/pdf' && (
        <a class="button" href={medium.url} target="_blank" rel="noreferrer noopener">
          {t('Open the certificate')}
        </a>
      )}
      {medium?.type.startsWith('image/') && (
        <Zoomed alt={alt} picture={<img src={medium.url} alt={alt} />} />
      )}
    </div>
  )
}

function mediaOf(gem: Gem): Medium[] {
  const own: [string, string | null, 'picture' | 'viewer', MediaView?][] = [
    [t('Top'), gem.image_top_url, 'picture', 'top'],
    [t('Bottom'), gem.image_bottom_url, 'picture', 'bottom'],
    [t('Video'), gem.video_url, 'picture', 'video'],
    ['360°', gem.ux_url, 'viewer', 'turn'],
    [t('Certificate'), gem.cert_url, 'picture', 'certificate'],
  ]
  return own.flatMap(([label, url, kind, view]): Medium[] => {
    const path = sameOriginPath(url)
    const frames = view === 'turn' && !path && showsMedia() ? frameCount(gem) : undefined
    if (frames) return [{ label, kind: 'frames', count: frames }]
    const fits = path && (kind === 'viewer' || /\.(svg|png|jpe?g|webp|avif|gif)$/i.test(path))
    if (fits) return [{ label, url: path, kind }]
    return url && !path && view && showsMedia() ? [{ label, kind: 'supplied', view }] : []
  })
}

/** Media that this server does not fetch open in a tab of their own. */
function ExternalLinks({ gem }: { gem: Gem }) {
  const links: [string, string | null, boolean][] = [
    [t('Open the picture'), gem.image_top_url, showsMedia()],
    [t('Open the picture from below'), gem.image_bottom_url, showsMedia()],
    [t('Open the video'), gem.video_url, showsMedia()],
    [t('Open the 360° view'), gem.ux_url, showsMedia()],
  ]
  const external = links.filter(([, url, isShown]) => url && !isShown && !sameOriginPath(url))
  if (external.length === 0) return null
  return (
    <ul class="small">
      {external.map(([label, url]) => (
        <li key={label}>
          <a href={url ?? ''} target="_blank" rel="noreferrer noopener">
            {label}
          </a>
        </li>
      ))}
    </ul>
  )
}
