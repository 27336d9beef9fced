/** Finds out what a file is by its content, in a thread: its readers follow whatever the file says of its parts. */
import { fileTypeFromBuffer } from 'file-type'

/** The MIME type; '' if nobody knows. */
export const mimeOf = async (content: Uint8Array): Promise<string> =>
  (await fileTypeFromBuffer(content).catch(() => undefined))?.mime ?? ''
