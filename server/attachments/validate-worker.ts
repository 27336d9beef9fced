/** Thread that opens uploaded documents, so that no content can block the portal or exhaust its memory. */
import { parentPort } from 'node:worker_threads'

/**
 * Limit for each unpacked part of a document, in bytes. The memory limits of the thread do not include unpacked parts.
 */
const MAX_BYTES = 24 * 1024 * 1024

globalThis.Uint8Array = new Proxy(Uint8Array, {
  construct(target, args: unknown[], made) {
    if (typeof args[0] === 'number' && args[0] > MAX_BYTES) throw new RangeError('a part unpacks to too much')
    return Reflect.construct(target, args, made) as Uint8Array
  },
})

// Imports the libraries after the limit is set, so that they use the limit.
const { cleanPdf, validatePdf } = await import('./validate-pdf.ts')
const { validateDocx } = await import('./validate-docx.ts')
parentPort?.on(
  'message',
  ({ content, to }: { content: Uint8Array; to: 'validate_pdf' | 'clean_pdf' | 'validate_docx' }) => {
    const work = { validate_pdf: validatePdf, clean_pdf: cleanPdf, validate_docx: validateDocx }[to]
    void Promise.resolve(work(content)).then((response) => parentPort?.postMessage(response))
  },
)
