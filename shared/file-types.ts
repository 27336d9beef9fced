import { say } from './words.ts'
/** The kinds of files that the portal takes, told apart by what is in them. */
export const fileTypes = {
  'application/pdf': { label: 'PDF', extension: 'pdf', picked: '.pdf' },
  // By extension, since not every system knows a .docx by its type.
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': {
    label: 'Word',
    extension: 'docx',
    picked: '.docx',
  },
  // A phone turns its own kind of picture into JPEG where JPEG is asked for by type.
  'image/png': { label: 'PNG', extension: 'png', picked: 'image/png' },
  'image/jpeg': { label: 'JPG', extension: 'jpg', picked: 'image/jpeg' },
} as const
export type FileType = keyof typeof fileTypes

export const PDF = 'application/pdf'
export const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
export const JPEG = 'image/jpeg'
export const PNG = 'image/png'

/** What one use of files takes. */
export interface FileRules {
  /** Names the use: in the database, in addresses, and in the browser's memory of what it has begun to send. */
  kind: string
  accepts: readonly FileType[]
  mostBytes: number
  /** How many files one subject may have. */
  mostFiles: number
  /** Says what to send instead of something else. */
  wrongType: string
  /** What a file is called that has no name. */
  unnamed: string
  /** Of a PDF, what makes it do something is taken out, where it would else be refused: forms of others have scripts that format a date. */
  withoutScripts?: boolean
}

/** What most uses of pictures take. */
export const pictures = {
  accepts: [JPEG, PNG],
  mostBytes: 5 * 1024 * 1024,
  wrongType: 'Send a PNG or JPG picture.',
} as const

/** A town's map, or its addresses: the largest that is taken, kept on disk while it is worked on. */
export const LARGE_FILE_BYTES = 100 * 1024 * 1024

export const typeLabel = (contentType: string): string =>
  contentType in fileTypes ? fileTypes[contentType as FileType].label : contentType

/** What a picker offers. */
export const pickedTypes = ({ accepts }: Pick<FileRules, 'accepts'>): string =>
  accepts.map((type) => fileTypes[type].picked).join()

export const tooLarge = ({ mostBytes }: Pick<FileRules, 'mostBytes'>): string =>
  say`The file is larger than ${sizeLabel(mostBytes)}. Choose a smaller one.`

/** '84 KB', '1.2 MB', '5 MB' */
export function sizeLabel(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const kilobytes = bytes / 1024
  if (kilobytes < 1024) return `${Math.round(kilobytes)} KB`
  return `${(kilobytes / 1024).toFixed(1).replace(/\.0$/, '')} MB`
}
