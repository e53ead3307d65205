import { constants, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { type Drawing, draw } from './drawing.ts'

// On Linux a thread has its own priority, so pictures get only what other requests leave.
if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL)

/** Draws pictures in a thread, one after the other, so that no request waits for a drawing. */
parentPort?.on('message', (drawing: Drawing) => parentPort?.postMessage(draw(drawing)))
