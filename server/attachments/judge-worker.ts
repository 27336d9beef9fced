/** A thread that opens the documents that people send, so that nothing in them can hold up or fill the portal. */
import { parentPort } from 'node:worker_threads'

/** More than this no part of a form unpacks to. The thread's own limits do not count such memory. */
const MAX_BYTES = 24 * 1024 * 1024

globalThis.Uint8Array = new Proxy(Uint8Array, {
  construct(target, args: unknown[], made) {
    if (typeof args[0] === 'number' && args[0] > MAX_BYTES) throw new RangeError('a part unpacks to too much')
    return Reflect.construct(target, args, made) as Uint8Array
  },
})

// The libraries take the limit along when they are loaded after it was set.
const { cleanPdf, judgePdf } = await import('./judge-pdf.ts')
const { judgeDocx } = await import('./judge-docx.ts')
parentPort?.on('message', ({ content, to }: { content: Uint8Array; to: 'judge_pdf' | 'clean_pdf' | 'judge_docx' }) => {
  const work = { judge_pdf: judgePdf, clean_pdf: cleanPdf, judge_docx: judgeDocx }[to]
  void Promise.resolve(work(content)).then((answer) => parentPort?.postMessage(answer))
})
