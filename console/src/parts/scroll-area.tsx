import type { ComponentChildren } from 'preact'

/** Scrolls sideways what may be wider than the page, such as a table, also with the keyboard. */
export function ScrollArea(props: { label: string; class?: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls only what has the focus
    <section class={props.class ?? 'panel wide-scroll'} tabIndex={0} aria-label={props.label}>
      {props.children}
    </section>
  )
}
