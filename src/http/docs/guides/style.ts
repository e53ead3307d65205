/** The style of the guides, and of the bar above the API reference: light and dark, no scripts. */
export const STYLE = `
:root { color-scheme: light dark; --scalar-custom-header-height: 44px;
  --text: light-dark(#1c2430, #e4e8ee); --quiet: light-dark(#566070, #a3adbb);
  --page: light-dark(#ffffff, #12161c); --shade: light-dark(#f3f5f8, #1c222b);
  --line: light-dark(#d9dee6, #313a46); --link: light-dark(#1a56b0, #8ab8ff); }
body.guide { margin: 0; color: var(--text); background: var(--page); line-height: 1.6;
  font: 1rem/1.6 system-ui, sans-serif; display: grid;
  grid-template-columns: 16rem minmax(0, 1fr); grid-template-areas: "top top" "menu text"; }
.guide header { grid-area: top; padding: .8rem 1.5rem; border-bottom: 1px solid var(--line); }
.guide header a { font-weight: 700; text-decoration: none; }
.guide header span { color: var(--quiet); }
.guide nav { grid-area: menu; padding: 1rem 1.5rem; border-right: 1px solid var(--line);
  font-size: .95rem; }
.guide nav ul { list-style: none; margin: .3rem 0 1rem; padding: 0; }
.guide nav li a { display: block; padding: .2rem 0; text-decoration: none; }
.guide nav a[aria-current] { font-weight: 700; color: var(--text); }
.guide nav summary { color: var(--quiet); cursor: pointer; }
.guide main { grid-area: text; padding: 1rem 2rem 4rem; max-width: 52rem; }
.guide a { color: var(--link); }
.guide h1, .guide h2, .guide h3 { line-height: 1.25; margin: 2rem 0 .6rem; }
.guide h1 { margin-top: .5rem; }
.guide h1 a, .guide h2 a, .guide h3 a { color: inherit; text-decoration: none; }
.guide h2 a:hover, .guide h3 a:hover { text-decoration: underline; }
.guide code { font: .88em/1.5 ui-monospace, monospace; background: var(--shade);
  padding: .1em .3em; border-radius: 4px; overflow-wrap: anywhere; }
.guide pre { background: var(--shade); border: 1px solid var(--line); border-radius: 8px;
  padding: .9rem 1.1rem; overflow-x: auto; }
.guide pre code { background: none; padding: 0; overflow-wrap: normal; }
.guide .wide { overflow-x: auto; }
.guide table { border-collapse: collapse; font-size: .95rem; }
.guide th, .guide td { text-align: left; vertical-align: top; padding: .4rem .9rem .4rem 0;
  border-bottom: 1px solid var(--line); }
.guide img, .guide svg { max-width: 100%; height: auto; }
.guide svg { color: var(--text); margin: 1rem 0; }
.guide .skip { position: absolute; left: -100rem; }
.guide .skip:focus { left: 1rem; top: .5rem; background: var(--page); padding: .3rem .6rem; }
@media (max-width: 50rem) {
  body.guide { display: block; }
  .guide nav { border-right: 0; border-bottom: 1px solid var(--line); }
  .guide main { padding: 1rem 1.2rem 3rem; }
}
.guides-bar { position: sticky; top: 0; z-index: 20; height: 43px; display: flex; gap: 1.1rem;
  align-items: center; overflow-x: auto; white-space: nowrap; padding: 0 1rem;
  border-bottom: 1px solid var(--line); background: var(--page); color: var(--quiet);
  font: .9rem system-ui, sans-serif; }
.guides-bar a { color: var(--link); text-decoration: none; }
.guides-bar a:hover { text-decoration: underline; }
`
