import { Worker } from 'node:worker_threads'
import { fileTypeFromBuffer } from 'file-type'
import sharp from 'sharp'
import { Refusal } from '../../../server/errors.ts'
import { type FormType, formTypes } from '../rules.ts'
import type { Fault } from './judge-pdf.ts'

export interface FormFile {
  content: Buffer
  contentType: FormType
  /** As it was sent, without what no name should hold, and with the extension of what is in it. */
  name: string
}

const refused = (sentence: string) => new Refusal(415, 'wrong_type', sentence)

const WRONG_TYPE = 'Send a PDF, a Word document (.docx), a PNG or a JPG.'
const LOCKED = 'This file is locked by a password or an older kind of Office file. Save it without, as .docx or PDF.'
const PDF_ACTIVE = 'This PDF runs scripts, starts programs or holds other files. Print it to a new PDF and send that.'
const PDF_UNREADABLE = 'This PDF could not be read. Print it to a new PDF and send that.'
const PDF_SAYS: Record<Fault, string> = {
  locked: 'This PDF is locked by a password. Save it without and send that.',
  active: PDF_ACTIVE,
  macros: PDF_ACTIVE,
  'holds others': PDF_ACTIVE,
  fetches: PDF_ACTIVE,
  unreadable: PDF_UNREADABLE,
}
const WORD_SAYS: Record<Fault, string> = {
  locked: LOCKED,
  active: 'This Word document starts programs. Save it as PDF and send that.',
  macros: 'This Word document holds macros. Save it as a plain .docx without them and send that.',
  'holds others': 'This Word document holds other files or programs. Take them out, or save it as PDF, and send that.',
  fetches:
    'This Word document fetches a template, a picture or something else from elsewhere. Save it as PDF and send that.',
  unreadable: 'This Word document could not be read. Save it anew as .docx, or as PDF, and send that.',
}
const UNREADABLE = 'This picture could not be read. Save it anew as PNG or JPG and send that.'

/** More pixels than any scanner's page: what unpacks to more is a trap. */
const MOST_PIXELS = 40_000_000
const JPEG_QUALITY = 88
const NAME_LENGTH = 150

/**
 * Judges a file by what is in it, whatever it calls itself. Pictures are drawn anew, so that nothing comes along of what
 * a camera wrote into them. PDFs and Word documents are opened and looked through: no macros, locks, scripts, other files.
 * @throws 415 with a sentence that says what to send instead
 */
export async function judgeFile(sentName: string, content: Buffer): Promise<FormFile> {
  const found = await fileTypeFromBuffer(content).catch(() => undefined)
  const mime: string = found?.mime ?? ''
  if (/macroenabled/i.test(mime)) throw refused(WORD_SAYS.macros)
  if (mime === 'application/x-cfb') throw refused(LOCKED)
  if (!(mime in formTypes)) throw refused(WRONG_TYPE)
  const contentType = mime as FormType
  return { contentType, name: nameOf(sentName, contentType), content: await safe(contentType, content) }
}

async function safe(contentType: FormType, content: Buffer): Promise<Buffer> {
  if (contentType === 'image/png' || contentType === 'image/jpeg') return drawAnew(contentType, content)
  return open(content, contentType === 'application/pdf')
}

async function drawAnew(contentType: 'image/png' | 'image/jpeg', content: Buffer): Promise<Buffer> {
  try {
    const picture = sharp(content, { limitInputPixels: MOST_PIXELS, failOn: 'error', pages: 1 }).autoOrient()
    return await (
      contentType === 'image/png' ? picture.png({ compressionLevel: 9 }) : picture.jpeg({ quality: JPEG_QUALITY })
    ).toBuffer()
  } catch {
    throw refused(UNREADABLE)
  }
}

/** How long a document may take to be opened, and how much memory; what needs more is a trap. */
const MOST_SECONDS = 6
const MEMORY = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 }

/** Opens a document in a thread of its own. @throws 415 */
async function open(content: Buffer, pdf: boolean): Promise<Buffer> {
  const thread = new Worker(new URL('judge-worker.ts', import.meta.url), { resourceLimits: MEMORY })
  const fault = await new Promise<Fault | null | 'broken'>((resolve) => {
    const timer = setTimeout(() => resolve('broken'), MOST_SECONDS * 1000)
    const end = (found: Fault | null | 'broken') => {
      clearTimeout(timer)
      resolve(found)
    }
    thread.once('message', end)
    thread.once('error', () => end('broken'))
    thread.once('exit', () => end('broken'))
    thread.postMessage({ content, pdf })
  })
  await thread.terminate()
  if (fault) throw refused((pdf ? PDF_SAYS : WORD_SAYS)[fault === 'broken' ? 'unreadable' : fault])
  return content
}

/** The last part of what the browser sent, with what can be seen alone, and the extension of its content. */
function nameOf(sent: string, contentType: FormType): string {
  const base = (sent.split(/[\\/]/).at(-1) ?? '')
    .replaceAll(/[\p{C}<>:"|?*]/gu, '')
    .replace(/(?:\.(?:pdf|docx?|docm|png|jpe?g|exe))+$/i, '')
    .trim()
    .slice(0, NAME_LENGTH)
  return `${base || 'form'}.${formTypes[contentType].extension}`
}
