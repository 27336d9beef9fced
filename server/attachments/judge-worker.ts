/** Thread that opens uploaded documents, so that no content can block the portal or exhaust its memory. */
import { parentPort } from 'node:worker_threads'

/** Limit for each unpacked part of a document, in bytes. The thread's own memory limits do not include this memory. */
const MAX_BYTES = 24 * 1024 * 1024

globalThis.Uint8Array = new Proxy(Uint8Array, {
  construct(target, args: unknown[], made) {
    if (typeof args[0] === 'number' && args[0] > MAX_BYTES) throw new RangeError('a part unpacks to too much')
    return Reflect.construct(target, args, made) as Uint8Array
  },
})

// Imported after the limit is set, so that the libraries use the limit.
const { cleanPdf, judgePdf } = await import('./judge-pdf.ts')
const { judgeDocx } = await import('./judge-docx.ts')
parentPort?.on('message', ({ content, to }: { content: Uint8Array; to: 'judge_pdf' | 'clean_pdf' | 'judge_docx' }) => {
  const work = { judge_pdf: judgePdf, clean_pdf: cleanPdf, judge_docx: judgeDocx }[to]
  void Promise.resolve(work(content)).then((answer) => parentPort?.postMessage(answer))
})
