import { DEMO_FRAME_COUNT, DEMO_MEDIA_PATH } from '../../pictures/demo-names.ts'

export const VIEWER_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

/** A page that turns a stone by dragging it, or with a slider. */
export function viewerPage(name: string, shape: string): string {
  const words = shape.replaceAll('_', ' ')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>A ${words} stone from all sides</title>
<style>
html, body { height: 100%; margin: 0; background: #10151f; color: #dfe6f2; font: 15px system-ui }
main { height: 100%; display: grid; place-items: center; align-content: center; gap: 12px }
img { width: min(86vw, 78vh); height: auto; touch-action: none; cursor: grab }
label { display: grid; gap: 4px; width: min(70vw, 320px) }
</style>
</head>
<body>
<main>
<img id="stone" src="${DEMO_MEDIA_PATH}/frames/${name}/0.svg" alt="A ${words} stone"
 draggable="false">
<label>Turn the stone
<input id="turn" type="range" min="0" max="${DEMO_FRAME_COUNT - 1}" value="0"
 data-frames="${DEMO_MEDIA_PATH}/frames/${name}/"></label>
</main>
<script src="${DEMO_MEDIA_PATH}/viewer.js"></script>
</body>
</html>
`
}

export const VIEWER_SCRIPT = `const stone = document.getElementById('stone')
const turn = document.getElementById('turn')
const count = Number(turn.max) + 1
const show = (frame) => {
  const wanted = ((Math.round(frame) % count) + count) % count
  turn.value = String(wanted)
  stone.src = turn.dataset.frames + wanted + '.svg'
}
turn.addEventListener('input', () => show(Number(turn.value)))
let from
stone.addEventListener('pointerdown', (event) => {
  stone.setPointerCapture(event.pointerId)
  from = { x: event.clientX, frame: Number(turn.value) }
})
stone.addEventListener('pointermove', (event) => {
  if (from) show(from.frame + (event.clientX - from.x) / 12)
})
stone.addEventListener('pointerup', () => { from = undefined })
`
