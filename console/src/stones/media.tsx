import { useState } from 'preact/hooks'
import type { Gem } from '../api/gems.ts'
import { t } from '../language/language.ts'
import { hostOf, sameOriginPath } from '../lib/format.ts'
import { StoneDrawing } from './drawing.tsx'
import { gemName } from './labels.ts'

interface Medium {
  label: string
  url: string
  kind: 'picture' | 'viewer'
}

/** The pictures of a stone, and always a drawing from its proportions. */
export function StoneMedia({ gem }: { gem: Gem }) {
  const media = mediaOf(gem)
  const [chosen, setChosen] = useState(media.length > 0 ? 0 : -1)
  const medium = media[chosen]
  const name = gemName(gem)
  return (
    <section class="stone-media" aria-label={t('Pictures')}>
      <div class="stone-stage">
        {!medium && <StoneDrawing gem={gem} />}
        {medium?.kind === 'picture' && <img src={medium.url} alt={`${name}: ${medium.label}`} />}
        {medium?.kind === 'viewer' && (
          <iframe src={medium.url} title={t('{name}, 360° view', { name })} />
        )}
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

function mediaOf(gem: Gem): Medium[] {
  const known: [string, string | null, Medium['kind']][] = [
    [t('Top'), gem.image_top_url, 'picture'],
    [t('Bottom'), gem.image_bottom_url, 'picture'],
    [t('Video'), gem.video_url, 'picture'],
    ['360°', gem.ux_url, 'viewer'],
  ]
  return known.flatMap(([label, url, kind]) => {
    const own = sameOriginPath(url)
    const fits = own && (kind === 'viewer' || /\.(svg|png|jpe?g|webp|avif|gif)$/i.test(own))
    return fits ? [{ label, url: own, kind }] : []
  })
}

/** The console loads nothing from other hosts, so media on them are shown as links. */
function ExternalLinks({ gem }: { gem: Gem }) {
  const urls = [gem.image_top_url, gem.image_bottom_url, gem.video_url, gem.ux_url]
  const external = urls.filter((url): url is string => url !== null && sameOriginPath(url) === null)
  if (external.length === 0) return null
  return (
    <ul class="small">
      {external.map((url) => (
        <li key={url}>
          <a href={url} target="_blank" rel="noreferrer noopener">
            {t('Open on {host}', { host: hostOf(url) })}
          </a>
        </li>
      ))}
    </ul>
  )
}
