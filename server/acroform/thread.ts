import { parentPort } from 'node:worker_threads'
import { fillForm, readForm } from './acroform.ts'
import { proveForm } from './prove.ts'

export type Asked =
  | { read: Parameters<typeof readForm> }
  | { fill: Parameters<typeof fillForm> }
  | { prove: Parameters<typeof proveForm> }

const answer = (asked: Asked) =>
  'read' in asked ? readForm(...asked.read) : 'fill' in asked ? fillForm(...asked.fill) : proveForm(...asked.prove)

// What it fails with ends the thread, and whoever asked is told.
parentPort?.on('message', async (asked: Asked) => {
  parentPort?.postMessage(await answer(asked))
})
