/** Every page has the title of its heading, also while that changes, and a name behind it. */
export function startTitles(nameOf: () => string): void {
  const write = () => {
    const name = nameOf()
    const heading = document.querySelector('main h1')?.textContent?.trim()
    const title = heading && heading !== name ? `${heading} · ${name}` : name
    if (document.title !== title) document.title = title
  }
  const watched = { childList: true, subtree: true, characterData: true }
  new MutationObserver(write).observe(document.body, watched)
  write()
}
