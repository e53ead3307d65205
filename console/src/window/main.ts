/**
 * The shop window: elements that show the market on a page of a merchant's own, with a publishable
 * key. The page loads this as a module from the server (`/window.js`) and writes the elements.
 */
import { PavilionCurated } from './curated.ts'
import { PavilionSearch } from './search.ts'
import { PavilionStone } from './stone.ts'

export { setTexts } from './texts.ts'

const ELEMENTS: Record<string, CustomElementConstructor> = {
  'pavilion-search': PavilionSearch,
  'pavilion-stone': PavilionStone,
  'pavilion-curated': PavilionCurated,
}

// A page that loads the script twice, by two addresses, keeps the first.
for (const [name, element] of Object.entries(ELEMENTS)) {
  if (!customElements.get(name)) customElements.define(name, element)
}
