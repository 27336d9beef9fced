import { parentPort } from 'node:worker_threads'
import { fillForm, readForm } from './acroform.ts'
import { proveForm, sampleForm } from './prove.ts'

export type PdfTask =
  | { read: Parameters<typeof readForm> }
  | { fill: Parameters<typeof fillForm> }
  | { prove: Parameters<typeof proveForm> }
  | { sample: Parameters<typeof sampleForm> }

function runTask(task: PdfTask): Promise<unknown> {
  if ('read' in task) return readForm(...task.read)
  if ('fill' in task) return fillForm(...task.fill)
  return 'prove' in task ? proveForm(...task.prove) : sampleForm(...task.sample)
}

// An error ends the thread and rejects the caller's promise.
parentPort?.on('message', async (task: PdfTask) => {
  parentPort?.postMessage(await runTask(task))
})
