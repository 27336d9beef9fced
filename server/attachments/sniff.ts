/**
 * Detects the type of a file by its content. `validate.ts` runs this in a worker, because offsets in a hostile file
 * control the parser.
 */
import { fileTypeFromBuffer } from 'file-type'

/** Returns the MIME type, or '' if unknown. */
export const mimeOf = async (content: Uint8Array): Promise<string> =>
  (await fileTypeFromBuffer(content).catch(() => undefined))?.mime ?? ''
