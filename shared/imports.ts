import * as z from 'zod/mini'
import { type Attachments, type AttachmentsInput, defineAttachments } from './attachments.ts'
import { LARGE_FILE_BYTES } from './file-types.ts'

/**
 * Declares the rules of files that are read once and not stored, such as an imported list. The upload call checks the
 * content.
 */
export const defineImportedFiles = (
  use: Pick<AttachmentsInput, 'kind' | 'unnamed' | 'access'> & Partial<AttachmentsInput>,
): Attachments =>
  defineAttachments({
    subject: 'company',
    accepts: [],
    maxBytes: LARGE_FILE_BYTES,
    maxFiles: 1,
    unsupportedType: 'Upload a CSV file.',
    ...use,
  })

/** Fields sent with an imported file. In the mode `preview`, the import only reports its effect and changes nothing. */
export const importFields = {
  mode: z._default(z.enum(['preview', 'import']), 'preview'),
  rowErrors: z._default(z.enum(['refuse', 'leave out']), 'refuse'),
}

export const importReport = z.object({
  /** True if the import changed data. False after a preview, or if rows with errors stopped the import. */
  imported: z.boolean(),
  read: z.int(),
  created: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  errorCount: z.int(),
  /** First rows with errors. Each has its position in the file and an explanation of how to correct it. */
  invalidRows: z.array(z.object({ where: z.string(), reason: z.string() })),
  /** Characters of the file that generated documents can't print. */
  unprintable: z.array(z.string()),
})
export type ImportReport = z.output<typeof importReport>
