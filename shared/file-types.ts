import { say } from './messages.ts'
/** File types that the portal accepts, detected by content. */
export const fileTypes = {
  'application/pdf': { label: 'PDF', extension: 'pdf', picked: '.pdf' },
  // `picked` is a file extension here, because some systems do not know the MIME type of .docx files.
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': {
    label: 'Word',
    extension: 'docx',
    picked: '.docx',
  },
  // `picked` is a MIME type here. A phone converts photos from its own format to JPEG only if the file input lists JPEG
  // by MIME type.
  'image/png': { label: 'PNG', extension: 'png', picked: 'image/png' },
  'image/jpeg': { label: 'JPG', extension: 'jpg', picked: 'image/jpeg' },
} as const
export type FileType = keyof typeof fileTypes

export const PDF = 'application/pdf'
export const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
export const JPEG = 'image/jpeg'
export const PNG = 'image/png'

/** Rules for the files that one type of upload accepts. */
export interface FileRules {
  /** Name of the upload type, used in the database, in paths and in the browser's record of started uploads. */
  kind: string
  accepts: readonly FileType[]
  maxBytes: number
  maxFiles: number
  /** Error message that names the accepted file types. */
  unsupportedType: string
  /** File name to use if the browser sends no file name. */
  unnamed: string
  /**
   * True if the portal removes scripts from a PDF instead of refusing it. Forms from third parties often contain
   * scripts that format dates.
   */
  withoutScripts?: boolean
  /** Maximum size of a field that is sent with the file. The default is 2,000 bytes. */
  fieldBytes?: number
}

/** Rules that most image uploads use. */
export const images = {
  accepts: [JPEG, PNG],
  maxBytes: 5 * 1024 * 1024,
  unsupportedType: 'Upload a PNG or JPG image.',
} as const

/**
 * Size limit for a company's map or address file, in bytes. The server stores such a file on disk while it processes
 * it.
 */
export const LARGE_FILE_BYTES = 100 * 1024 * 1024

export const typeLabel = (contentType: string): string =>
  contentType in fileTypes ? fileTypes[contentType as FileType].label : contentType

/** Returns the value of a file input's `accept` attribute. */
export const pickedTypes = ({ accepts }: Pick<FileRules, 'accepts'>): string =>
  accepts.map((type) => fileTypes[type].picked).join()

export const tooLarge = ({ maxBytes }: Pick<FileRules, 'maxBytes'>): string =>
  say`The file is larger than ${sizeLabel(maxBytes)}. Choose a smaller one.`

/** Formats a file size: '84 KB', '1.2 MB', '5 MB'. */
export function sizeLabel(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const kilobytes = bytes / 1024
  if (kilobytes < 1024) return `${Math.round(kilobytes)} KB`
  return `${(kilobytes / 1024).toFixed(1).replace(/\.0$/, '')} MB`
}
