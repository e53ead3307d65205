import { useState } from 'preact/hooks'
import type { Gem } from '../api/gem.ts'
import { gemName } from '../api/gem.ts'
import { carats, hostOf, sameOriginPath } from '../lib/format.ts'
import { StoneDrawing } from './drawing.tsx'

interface Medium {
  label: string
  url: string
  kind: 'picture' | 'viewer'
}

/** Pictures where the stone has any; a drawing from its own proportions always. */
export function StoneMedia({ gem }: { gem: Gem }) {
  const media = mediaOf(gem)
  const [chosen, setChosen] = useState(media.length > 0 ? 0 : -1)
  const medium = media[chosen]
  const name = gemName(gem, carats(gem.weight))
  return (
    <section class="stone-media" aria-label="Pictures">
      <div class="stone-stage">
        {!medium && <StoneDrawing gem={gem} />}
        {medium?.kind === 'picture' && <img src={medium.url} alt={`${name}: ${medium.label}`} />}
        {medium?.kind === 'viewer' && <iframe src={medium.url} title={`${name} from all sides`} />}
      </div>
      <fieldset class="row">
        <legend class="visually-hidden">What to show</legend>
        {[...media.map(({ label }) => label), 'Drawing'].map((label, index) => {
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
      <ForeignLinks gem={gem} />
    </section>
  )
}

function mediaOf(gem: Gem): Medium[] {
  const wanted: [string, string | null, Medium['kind']][] = [
    ['From above', gem.image_top_url, 'picture'],
    ['From below', gem.image_bottom_url, 'picture'],
    ['Turning', gem.video_url, 'picture'],
    ['360°', gem.ux_url, 'viewer'],
  ]
  return wanted.flatMap(([label, url, kind]) => {
    const own = sameOriginPath(url)
    const fits = own && (kind === 'viewer' || /\.(svg|png|jpe?g|webp|avif|gif)$/i.test(own))
    return fits ? [{ label, url: own, kind }] : []
  })
}

/** The console loads nothing from other hosts; what lies there is a link to follow. */
function ForeignLinks({ gem }: { gem: Gem }) {
  const urls = [gem.image_top_url, gem.image_bottom_url, gem.video_url, gem.ux_url]
  const foreign = urls.filter((url): url is string => url !== null && sameOriginPath(url) === null)
  if (foreign.length === 0) return null
  return (
    <ul class="small">
      {foreign.map((url) => (
        <li key={url}>
          <a href={url} target="_blank" rel="noreferrer noopener">
            Open at {hostOf(url)}
          </a>
        </li>
      ))}
    </ul>
  )
}
