import sharp from 'sharp'
import type { Attachments } from '../../shared/attachments.ts'
import { type FileRules, fileTypes, type FileType, JPEG, PDF, PNG, tooLarge, WORD } from '../../shared/file-types.ts'
import type { Upload } from '../call.ts'
import { Refusal } from '../errors.ts'
import { FairQueue } from '../fair-queue.ts'
import { FileRefused } from '../file-refused.ts'
import { ReusableThread } from '../persistent-thread.ts'
import { parserOf } from '../parse.ts'
import type { Fault } from './validate-pdf.ts'
import type { TakenAt } from './position.ts'

export interface CheckedFile {
  content: Buffer
  contentType: FileType
  /** Name as sent, without unsafe characters. The extension matches the real file type. */
  name: string
  /** Thumbnail. Null if the file is not an image. */
  preview: Buffer | null
  /** Location of the photo, for uses that store it. The stored file itself never contains the location. */
  takenAt: TakenAt | null
}

const refused = (message: string) => new Refusal(415, 'wrong_type', message)

const LOCKED = 'This file has a password or uses an older Office format. Save it without a password as .docx or PDF.'
const PDF_ACTIVE =
  'This PDF runs scripts, starts programs or contains other files. Print it to a new PDF and upload the new file.'
const PDF_UNREADABLE = 'This PDF could not be read. Print it to a new PDF and upload the new file.'
const PDF_MESSAGES: Record<Fault, string> = {
  locked: 'This PDF has a password. Save it without a password and upload the new file.',
  'locked-xfa':
    'This PDF is protected and is an Adobe LifeCycle form (XFA). Ask its author for an unprotected AcroForm version.',
  active: PDF_ACTIVE,
  macros: PDF_ACTIVE,
  'holds others': PDF_ACTIVE,
  fetches: PDF_ACTIVE,
  unreadable: PDF_UNREADABLE,
}
const WORD_MESSAGES: Record<Fault, string> = {
  locked: LOCKED,
  'locked-xfa': LOCKED,
  active: 'This Word document starts programs. Save it as a PDF and upload the PDF.',
  macros: 'This Word document contains macros. Save it as a plain .docx without macros and upload the new file.',
  'holds others':
    'This Word document contains other files or programs. Remove them or save it as a PDF, then upload the new file.',
  fetches:
    'This Word document loads a template, an image or other content from another location. Save it as a PDF and upload the PDF.',
  unreadable: 'This Word document could not be read. Save it again as .docx or PDF and upload the new file.',
}
const UNREADABLE = 'This image could not be read. Save it again as PNG or JPG and upload the new file.'

/**
 * Queue that limits parallel image conversions, because they run outside the event loop and no thread limit covers
 * their memory.
 */
const drawing = new FairQueue(2)

/** Maximum number of pixels of an image. No scanned page has so many, so a larger image counts as an attack. */
const MAX_PIXELS = 40_000_000
const JPEG_QUALITY = 88
const NAME_LENGTH = 150

const PREVIEW_SIZE = 240
const PREVIEW_QUALITY = 70

/**
 * Options of a check: accepted files, image size, consent to store the location, and the caller. Callers take turns.
 */
type CheckOptions = FileRules & Pick<Attachments, 'renderedAs'> & { keepsPosition?: boolean; caller?: string }

const mimeOf = parserOf<[content: Uint8Array], string>(new URL('sniff.ts', import.meta.url), 'mimeOf')
const takenAt = parserOf<[photo: Uint8Array], TakenAt | null>(new URL('position.ts', import.meta.url), 'takenAt')

function refuseUnreadable(error: unknown): never {
  throw error instanceof FileRefused ? refused(error.message) : error
}

/**
 * Checks a file by its content, whatever its name claims. Re-encodes images, which removes all camera metadata.
 * Searches PDFs and Word documents for macros, passwords, scripts and embedded files.
 * @throws 415 with advice about accepted files. 413 if it is too large
 */
export async function validateFile(options: CheckOptions, { name: sent, content }: Upload): Promise<CheckedFile> {
  if (content.length > options.maxBytes) throw new Refusal(413, 'too_large', tooLarge(options))
  const mime = await mimeOf(options.caller ?? '', content).catch(refuseUnreadable)
  const takesWord = options.accepts.includes(WORD)
  if (takesWord && /macroenabled/i.test(mime)) throw refused(WORD_MESSAGES.macros)
  if (takesWord && mime === 'application/x-cfb') throw refused(LOCKED)
  const type = options.accepts.find((accepted) => accepted === mime)
  if (!type) throw refused(options.unsupportedType)
  if (type === PNG || type === JPEG) {
    const rendered = await drawing.run(options.caller ?? '', () => redraw(options, type, content))
    return {
      ...rendered,
      name: nameOf(options, sent, rendered.contentType),
      takenAt: options.keepsPosition ? await takenAt(options.caller ?? '', content).catch(() => null) : null,
    }
  }
  const opened = await open(options, content, type === PDF)
  return { contentType: type, name: nameOf(options, sent, type), content: opened, preview: null, takenAt: null }
}

async function redraw({ renderedAs }: CheckOptions, type: FileType, content: Buffer) {
  try {
    const image = sharp(content, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 }).autoOrient()
    if (renderedAs)
      image.resize({ width: renderedAs.width, height: renderedAs.height, fit: 'inside', withoutEnlargement: true })
    const isPng = type === PNG || (renderedAs !== undefined && !renderedAs.photosAsJpeg)
    const rendered = await (
      isPng ? image.png({ compressionLevel: 9 }) : image.jpeg({ quality: JPEG_QUALITY })
    ).toBuffer()
    const preview = await sharp(rendered, { limitInputPixels: MAX_PIXELS })
      .resize({ width: PREVIEW_SIZE, height: PREVIEW_SIZE, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#fff' })
      .jpeg({ quality: PREVIEW_QUALITY })
      .toBuffer()
    return { content: rendered, contentType: isPng ? PNG : JPEG, preview } as const
  } catch {
    throw refused(UNREADABLE)
  }
}

/** Time limit to open a document, in seconds. A document that needs more time or memory counts as an attack. */
const MAX_SECONDS = 6
const MEMORY = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 }

type Question = { content: Buffer; to: 'validate_pdf' | 'clean_pdf' | 'validate_docx' }
const opener = new ReusableThread<Question, Fault | Uint8Array | null>(new URL('validate-worker.ts', import.meta.url), {
  resourceLimits: MEMORY,
  timeoutMs: MAX_SECONDS * 1000,
})

const faultOf = (content: Buffer, pdf: boolean): Promise<Fault | null> =>
  opener.run({ content, to: pdf ? 'validate_pdf' : 'validate_docx' }).catch(() => 'unreadable') as Promise<Fault | null>

/**
 * Opens a document outside the event loop.
 * @returns the content to store
 * @throws 415 if the document is not acceptable
 */
async function open({ withoutScripts }: CheckOptions, content: Buffer, pdf: boolean): Promise<Buffer> {
  const fault = await faultOf(content, pdf)
  if (!fault) return content
  const text = (pdf ? PDF_MESSAGES : WORD_MESSAGES)[fault]
  if (!pdf || fault !== 'active' || !withoutScripts) throw refused(text)
  const cleaned = (await opener.run({ content, to: 'clean_pdf' }).catch(() => null)) as Uint8Array | null
  if (!cleaned || (await faultOf(Buffer.from(cleaned), pdf))) throw refused(text)
  return Buffer.from(cleaned)
}

/**
 * Returns the last part of the sent file name, with visible characters only and the extension of the real file type.
 */
function nameOf({ unnamed }: FileRules, sent: string, type: FileType): string {
  const base = (sent.split(/[\\/]/).at(-1) ?? '')
    .replaceAll(/[\p{C}<>:"|?*]/gu, '')
    .replace(/(?:\.(?:pdf|docx?|docm|png|jpe?g|exe))+$/i, '')
    .trim()
    .slice(0, NAME_LENGTH)
    // Removes half of a surrogate pair if the length limit split the pair.
    .replace(/[\uD800-\uDBFF]$/, '')
  return `${base || unnamed}.${fileTypes[type].extension}`
}
