import { parentPort } from 'node:worker_threads'
import { fillForm, readForm } from './acroform.ts'

export type Asked = { read: Parameters<typeof readForm> } | { fill: Parameters<typeof fillForm> }

parentPort?.on('message', (asked: Asked) => {
  const work = 'read' in asked ? readForm(...asked.read) : fillForm(...asked.fill)
  // What it fails with ends the thread, and whoever asked is told.
  void work.then((done) => parentPort?.postMessage(done))
})
