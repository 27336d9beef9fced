import { constants, inflateSync } from 'node:zlib'
import { fileTypeFromBuffer } from 'file-type'
import sharp from 'sharp'
import { Refusal } from '../../../server/errors.ts'
import { type FormType, formTypes } from '../rules.ts'

export interface FormFile {
  content: Buffer
  contentType: FormType
  /** As it was sent, without what no name should hold, and with the extension of what is in it. */
  name: string
}

const refused = (sentence: string) => new Refusal(415, 'wrong_type', sentence)

const WRONG_TYPE = 'Send a PDF, a Word document (.docx), a PNG or a JPG.'
const MACROS = 'This Word document holds macros. Save it as a plain .docx without them and send that.'
const LOCKED = 'This file is locked by a password or an older kind of Office file. Save it without, as .docx or PDF.'
const PDF_LOCKED = 'This PDF is locked by a password. Save it without and send that.'
const PDF_ACTIVE = 'This PDF runs scripts, starts programs or holds other files. Print it to a new PDF and send that.'
const PDF_UNREADABLE = 'This PDF could not be read. Print it to a new PDF and send that.'
const UNREADABLE = 'This picture could not be read. Save it anew as PNG or JPG and send that.'

/** More pixels than any scanner's page: what unpacks to more is a trap. */
const MOST_PIXELS = 40_000_000
const JPEG_QUALITY = 88
const NAME_LENGTH = 150

/**
 * Judges a file by what is in it, whatever it calls itself. Pictures are drawn anew, so that nothing comes along of what
 * a camera wrote into them. What can be recognized cheaply is kept out: macros, locks, PDFs that act.
 * @throws 415 with a sentence that says what to send instead
 */
export async function judgeFile(sentName: string, content: Buffer): Promise<FormFile> {
  const found = await fileTypeFromBuffer(content).catch(() => undefined)
  const mime: string = found?.mime ?? ''
  if (/macroenabled/i.test(mime)) throw refused(MACROS)
  if (mime === 'application/x-cfb') throw refused(LOCKED)
  if (!(mime in formTypes)) throw refused(WRONG_TYPE)
  const contentType = mime as FormType
  return { contentType, name: nameOf(sentName, contentType), content: await safe(contentType, content) }
}

async function safe(contentType: FormType, content: Buffer): Promise<Buffer> {
  if (contentType === 'application/pdf') return checkPdf(content)
  if (contentType === 'image/png' || contentType === 'image/jpeg') return drawAnew(contentType, content)
  // The names of a zip's parts are written plainly in its directory.
  if (content.includes('vbaProject.bin')) throw refused(MACROS)
  return content
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

function checkPdf(content: Buffer): Buffer {
  const names = pdfNames(content)
  if (names.has('Encrypt')) throw refused(PDF_LOCKED)
  if (['JavaScript', 'JS', 'Launch', 'EmbeddedFile', 'EmbeddedFiles', 'RichMedia'].some((name) => names.has(name)))
    throw refused(PDF_ACTIVE)
  return content
}

/** The names that a PDF's dictionaries hold, also those in packed object streams, with `#4A` read as the letter it is. */
function pdfNames(content: Buffer): Set<string> {
  const text = content.toString('latin1')
  const found = new Set<string>()
  for (const part of [outsideStreams(text), ...objectStreams(content, text)])
    for (const [, name = ''] of part.matchAll(/\/([^\s/<>[\](){}%\0]{1,60})/g))
      found.add(name.replaceAll(/#([0-9a-f]{2})/gi, (_, code: string) => String.fromCodePoint(parseInt(code, 16))))
  return found
}

/** What is in streams of pictures and fonts is noise, and would give names that nobody wrote. */
function outsideStreams(text: string): string {
  const kept: string[] = []
  let at = 0
  for (;;) {
    const start = text.indexOf('stream', at)
    const end = start < 0 ? -1 : text.indexOf('endstream', start)
    if (end < 0) return kept.join(' ') + text.slice(at)
    kept.push(text.slice(at, start))
    at = end + 'endstream'.length
  }
}

/** An object stream packs the dictionaries of a PDF; what unpacks to more than this is a trap. */
const UNPACKED_BYTES = 16 * 1024 * 1024
const MOST_STREAMS = 2000
const HEAD_LENGTH = 1000

function* objectStreams(content: Buffer, text: string): Generator<string> {
  let [streams, unpacked] = [0, 0]
  for (const { index } of text.matchAll(/\/ObjStm\b/g)) {
    if (++streams > MOST_STREAMS || unpacked > UNPACKED_BYTES) throw refused(PDF_UNREADABLE)
    const head = /stream\r?\n/.exec(text.slice(index, index + HEAD_LENGTH))
    const start = index + (head ? head.index + head[0].length : 0)
    const end = head ? text.indexOf('endstream', start) : -1
    if (end < 0) throw refused(PDF_UNREADABLE)
    const packed = content.subarray(start, end)
    const plain = /FlateDecode/.test(text.slice(Math.max(0, index - HEAD_LENGTH), start)) ? unpack(packed) : packed
    unpacked += plain.length
    yield plain.toString('latin1')
  }
}

function unpack(packed: Buffer): Buffer {
  try {
    return inflateSync(packed, { maxOutputLength: UNPACKED_BYTES, finishFlush: constants.Z_SYNC_FLUSH })
  } catch {
    throw refused(PDF_UNREADABLE)
  }
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
