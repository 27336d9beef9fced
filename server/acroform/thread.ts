import { parentPort } from 'node:worker_threads'
import { fillForm, readForm } from './acroform.ts'

export type Asked = { read: Parameters<typeof readForm> } | { fill: Parameters<typeof fillForm> }

// What it fails with ends the thread, and whoever asked is told.
parentPort?.on('message', async (asked: Asked) => {
  parentPort?.postMessage('read' in asked ? await readForm(...asked.read) : await fillForm(...asked.fill))
})
