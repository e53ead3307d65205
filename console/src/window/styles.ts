import card from './styles/card.css?inline'
import controls from './styles/controls.css?inline'
import look from './styles/look.css?inline'
import stone from './styles/stone.css?inline'

let made: CSSStyleSheet[] | undefined

/** The style sheets of every element, made once for all of them. */
export function sheets(): CSSStyleSheet[] {
  made ??= [look, controls, card, stone].map((css) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    return sheet
  })
  return made
}
