/** The looks of a shared page: light and dark, from a phone to paper. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --back: #f6f5f2; --card: #ffffff; --text: #1c1f26; --quiet: #59606d; --line: #dddad3;
  --accent: #24508f; --state: #8a3b12; --stage: #ffffff;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #14161a; --card: #1d2026; --text: #eceef2; --quiet: #a3abb8; --line: #343942;
    --accent: #9dc1f5; --state: #f0a878; --stage: #f3f2ef;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--back); color: var(--text);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif;
}
.brand, main, footer { max-width: 76rem; margin: 0 auto; padding: 0 1rem; }
.brand {
  padding-top: 1.5rem; padding-bottom: 1rem;
  font: 600 1.25rem/1.3 Georgia, "Times New Roman", serif;
  letter-spacing: 0.02em; overflow-wrap: anywhere;
}
.brand a { color: inherit; text-decoration: none; }
.brand a:hover { text-decoration: underline; }
h1 {
  margin: 0.5rem 0; font: 400 1.75rem/1.25 Georgia, "Times New Roman", serif;
  overflow-wrap: anywhere;
}
h1::first-letter { text-transform: uppercase; }
.note { max-width: 44rem; margin: 0 0 1rem; overflow-wrap: anywhere; }
.stones {
  display: grid; gap: 1rem; margin: 1rem 0;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr));
}
.stone {
  background: var(--card); border: 1px solid var(--line); border-radius: 10px; overflow: hidden;
}
.picture { background: var(--stage); }
.picture img { display: block; width: 100%; height: auto; aspect-ratio: 1; object-fit: contain; }
.is-sold img, .is-withdrawn img { opacity: 0.45; }
.about { padding: 1rem; }
h2 { margin: 0 0 0.25rem; font-size: 1rem; overflow-wrap: anywhere; }
.terms { margin: 0 0 0.75rem; min-height: 2rem; }
.price { font-size: 1.35rem; font-weight: 600; }
.state {
  display: inline-block; padding: 0.1rem 0.6rem;
  border: 1px solid currentcolor; border-radius: 999px; color: var(--state); font-size: 0.875rem;
}
dl { margin: 0; }
dl div {
  display: flex; justify-content: space-between; gap: 1rem; padding: 0.3rem 0;
  border-top: 1px solid var(--line);
}
dt { color: var(--quiet); }
dd { margin: 0; text-align: right; overflow-wrap: break-word; }
.links { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; margin: 0.75rem 0 0; }
.links a { color: var(--accent); padding: 0.25rem 0; }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.is-one { grid-template-columns: 1fr; }
@media (min-width: 48rem) {
  h2 { min-height: 2.75em; }
  .is-one .stone { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
  .is-one .picture { display: flex; align-items: center; }
  .is-one .about { padding: 1.5rem; }
}
footer a { color: var(--accent); }
footer { padding-top: 0.5rem; padding-bottom: 2rem; color: var(--quiet); font-size: 0.875rem; }
.missing { max-width: 36rem; padding-top: 15vh; }
.missing a { color: var(--accent); }
@media print {
  :root {
    --back: #ffffff; --card: #ffffff; --text: #000000; --quiet: #444444; --line: #bbbbbb;
    --accent: #000000; --state: #000000; --stage: #ffffff;
  }
  @page { margin: 14mm; }
  body { font-size: 10pt; }
  .brand, main, footer { max-width: none; padding-left: 0; padding-right: 0; }
  .brand { padding-top: 0; border-bottom: 1px solid var(--line); }
  .stones { grid-template-columns: repeat(3, 1fr); }
  .is-one { grid-template-columns: 1fr; }
  .stone { break-inside: avoid; }
  .is-one .stone { display: grid; grid-template-columns: 2fr 3fr; }
  .links, footer a { display: none; }
}
`
