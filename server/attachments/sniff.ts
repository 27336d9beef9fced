/** Detects a file's type by its content, in a thread. Its parsers follow the offsets in the file. */
import { fileTypeFromBuffer } from 'file-type'

/** Returns the MIME type, or '' if unknown. */
export const mimeOf = async (content: Uint8Array): Promise<string> =>
  (await fileTypeFromBuffer(content).catch(() => undefined))?.mime ?? ''
