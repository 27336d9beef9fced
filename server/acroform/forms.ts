import { say } from '../../shared/messages.ts'
import { FairQueue } from '../fair-queue.ts'
import { ReusableThread } from '../persistent-thread.ts'
import { parseFailures } from '../parse.ts'
import type { fillForm, readForm, ParsedForm } from './acroform.ts'
import type { Proof, proveForm, sampleForm } from './prove.ts'
import type { PdfTask } from './thread.ts'

/**
 * Thread that reads and fills in forms. A malicious form may take a lot of time or memory, so the portal must be able
 * to end the thread.
 */
const thread = new ReusableThread<PdfTask, unknown>(new URL('./thread.ts', import.meta.url), {
  resourceLimits: { maxOldGenerationSizeMb: 384 },
  timeoutMs: 60_000,
})
const turns = new FairQueue(1)

/**
 * Reads the fillable fields of a PDF.
 * @param caller person or IP address that sent the PDF, so that callers take turns
 */
export const readPdfForm = (caller: string, ...of: Parameters<typeof readForm>): Promise<ParsedForm> =>
  turns.run(caller, async () => {
    try {
      return (await thread.run({ read: of })) as ParsedForm
    } catch (err) {
      // The thread failed or reached its limit of time or memory.
      parseFailures.report({ parser: 'readForm', err })
      const message = say`The fields in this PDF could not be read. Save it again in the program that created it, and try again.`
      return { kind: 'refused', message }
    }
  })

/** Returns a flattened copy of a PDF with these answers. */
export const fillPdfForm = (caller: string, ...of: Parameters<typeof fillForm>): Promise<Uint8Array> =>
  turns.run(caller, () => thread.run({ fill: of })) as Promise<Uint8Array>

/** Fills a sample into each field of a PDF, and checks that two programs show the samples. */
export const provePdfForm = (caller: string, ...of: Parameters<typeof proveForm>): Promise<Proof> =>
  turns.run(caller, () => thread.run({ prove: of })) as Promise<Proof>

/** Returns a flattened copy of a PDF with a sample value in each of the named fields. */
export const samplePdfForm = (caller: string, ...of: Parameters<typeof sampleForm>): Promise<Uint8Array> =>
  turns.run(caller, () => thread.run({ sample: of })) as Promise<Uint8Array>
