/** Every page has the title of its heading, also while that changes. */
export function startTitles(): void {
  const write = () => {
    const heading = document.querySelector('main h1')?.textContent?.trim()
    const title = heading && heading !== 'Pavilion' ? `${heading} · Pavilion` : 'Pavilion'
    if (document.title !== title) document.title = title
  }
  const watched = { childList: true, subtree: true, characterData: true }
  new MutationObserver(write).observe(document.body, watched)
  write()
}
