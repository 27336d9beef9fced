import { parentPort } from 'node:worker_threads'
import { fillForm, readForm } from './acroform.ts'
import { proveForm, sampleForm } from './prove.ts'

export type PdfTask =
  | { read: Parameters<typeof readForm> }
  | { fill: Parameters<typeof fillForm> }
  | { prove: Parameters<typeof proveForm> }
  | { sample: Parameters<typeof sampleForm> }

function answer(asked: PdfTask): Promise<unknown> {
  if ('read' in asked) return readForm(...asked.read)
  if ('fill' in asked) return fillForm(...asked.fill)
  return 'prove' in asked ? proveForm(...asked.prove) : sampleForm(...asked.sample)
}

// An error ends the thread and rejects the caller's promise.
parentPort?.on('message', async (asked: PdfTask) => {
  parentPort?.postMessage(await answer(asked))
})
