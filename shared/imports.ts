import * as z from 'zod/mini'
import { type Attachments, type AttachmentsInput, defineAttachments } from './attachments.ts'
import { LARGE_FILE_BYTES } from './file-types.ts'

/**
 * A use of files that are read once and not kept, such as a list that is imported. The call that takes one judges what is
 * in it.
 */
export const defineImportedFiles = (
  use: Pick<AttachmentsInput, 'kind' | 'unnamed' | 'access'> & Partial<AttachmentsInput>,
): Attachments =>
  defineAttachments({
    subject: 'company',
    accepts: [],
    mostBytes: LARGE_FILE_BYTES,
    mostFiles: 1,
    wrongType: 'Send a CSV file.',
    ...use,
  })

/** What comes beside an imported file. A rehearsal says what the import would do, and changes nothing. */
export const importFields = {
  mode: z._default(z.enum(['rehearse', 'import']), 'rehearse'),
  wrongRows: z._default(z.enum(['refuse', 'leave out']), 'refuse'),
}

export const importReport = z.object({
  /** False after a rehearsal, and where wrong rows kept the file out: then nothing changed. */
  imported: z.boolean(),
  read: z.int(),
  created: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  wrongCount: z.int(),
  /** The first of the wrong rows: where each stands in the file, and what has to be mended. */
  wrong: z.array(z.object({ where: z.string(), reason: z.string() })),
  /** Letters of the file that no generated document can print. */
  unprintable: z.array(z.string()),
})
export type ImportReport = z.output<typeof importReport>
