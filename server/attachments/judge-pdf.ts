import {
  PDFArray,
  PDFContext,
  PDFDict,
  PDFDocument,
  PDFName,
  type PDFObject,
  PDFParser,
  PDFStream,
  ParseSpeeds,
} from '@cantoo/pdf-lib'

/** What can be the matter with a document. */
export type Fault = 'locked' | 'locked-xfa' | 'active' | 'macros' | 'holds others' | 'fetches' | 'unreadable'

/** What makes a PDF do something, or hold another file. */
const ACTIVE = new Set(
  ['JavaScript', 'JS', 'Launch', 'EmbeddedFile', 'EmbeddedFiles', 'EF', 'RichMedia', 'ImportData', 'GoToE'].map(
    (name) => `/${name}`,
  ),
)

/**
 * Reads a PDF as a program does that shows it, and looks at every object there is: those that a later version of the same
 * file replaced too, since programs differ in which of them they take. For a thread of its own.
 */
export async function judgePdf(content: Uint8Array): Promise<Fault | null> {
  const { objects, read, error, locked } = await parse(content)
  if (locked) return (await isXfa(content, objects)) ? 'locked-xfa' : 'locked'
  if (objects.some(isActive)) return 'active'
  // An object that only some programs find is hidden on purpose: in a comment, or within a picture.
  return error || named(content) > read ? 'unreadable' : null
}

async function parse(content: Uint8Array) {
  const objects: PDFObject[] = []
  let read = 0
  const { assign } = PDFContext.prototype
  PDFContext.prototype.assign = function (ref, object) {
    objects.push(object)
    assign.call(this, ref, object)
  }
  const parser = PDFParser.prototype as unknown as { parseIndirectObject: () => Promise<unknown> }
  const { parseIndirectObject } = parser
  parser.parseIndirectObject = function () {
    read += 1
    return parseIndirectObject.call(this)
  }
  try {
    const document = await PDFDocument.load(content, {
      ...{ ignoreEncryption: true, updateMetadata: false, throwOnInvalidObject: true, parseSpeed: ParseSpeeds.Fastest },
    })
    objects.push(...Object.values(document.context.trailerInfo).filter((value) => value !== undefined))
    return { objects, read, error: !(document.catalog instanceof PDFDict), locked: document.isEncrypted }
  } catch {
    // What is encrypted can break the reading: the way to read it is still told in plain.
    return { objects, read, error: true, locked: isEncrypted(content) }
  } finally {
    PDFContext.prototype.assign = assign
    parser.parseIndirectObject = parseIndirectObject
  }
}

const latin = (content: Uint8Array): string => Buffer.from(content).toString('latin1')

const isEncrypted = (content: Uint8Array): boolean => /\/Encrypt\s+\d+\s+\d+\s+R/.test(latin(content))

const XFA = PDFName.of('XFA')

/** True for a form of Adobe LifeCycle. Its fields are not in the PDF's own form, so that printing it loses them. */
async function isXfa(content: Uint8Array, objects: readonly PDFObject[]): Promise<boolean> {
  const hasXfa = (object: PDFObject | undefined): boolean =>
    object instanceof PDFDict && (object.has(XFA) || hasXfa(object.get(PDFName.of('AcroForm'))))
  if (objects.some(hasXfa) || latin(content).includes('/XFA')) return true
  try {
    // Most are only protected against changes: they open without a password.
    const document = await PDFDocument.load(content, { password: '', updateMetadata: false, preserveXFA: true })
    const form = document.catalog.lookup(PDFName.of('AcroForm'))
    return form instanceof PDFDict && form.has(XFA)
  } catch {
    return false
  }
}

/** Where a document or a field says what it does by itself: when it is opened, typed into, printed. */
const BY_ITSELF = ['AA', 'OpenAction'].map((name) => PDFName.of(name))

/**
 * The same PDF without all that makes it do something. Programs that make forms write scripts into them that format a date or
 * add up a column, which a form that we fill in has no need of. @returns null where it can't be read
 */
export async function cleanPdf(content: Uint8Array): Promise<Uint8Array | null> {
  try {
    const document = await PDFDocument.load(content, { updateMetadata: false })
    const { context } = document
    for (const [ref, object] of context.enumerateIndirectObjects())
      if (object instanceof PDFDict && isDeed(object)) context.delete(ref)
      else cleanWithin(object)
    return await document.save()
  } catch {
    return null
  }
}

const isDeed = (action: PDFDict): boolean => {
  const kind = action.get(PDFName.of('S'))
  return kind instanceof PDFName && ACTIVE.has(kind.asString())
}

function cleanWithin(object: PDFObject): void {
  if (object instanceof PDFStream) cleanWithin(object.dict)
  if (object instanceof PDFArray) for (const one of object.asArray()) cleanWithin(one)
  if (!(object instanceof PDFDict)) return
  for (const [key, value] of object.entries())
    if (BY_ITSELF.includes(key) || ACTIVE.has(key.asString()) || (value instanceof PDFDict && isDeed(value)))
      object.delete(key)
    else cleanWithin(value)
}

/** References lead to objects that are looked at by themselves. */
function isActive(object: PDFObject): boolean {
  const waiting: PDFObject[] = [object]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next instanceof PDFName && ACTIVE.has(next.asString())) return true
    if (next instanceof PDFDict) waiting.push(...next.entries().flat())
    if (next instanceof PDFArray) waiting.push(...next.asArray())
    if (next instanceof PDFStream) waiting.push(next.dict)
  }
  return false
}

const LOOK_BACK = 80
const BEFORE = /\d(?:[\s\0]|%[^\r\n]*[\r\n])+\d+(?:[\s\0]|%[^\r\n]*[\r\n])*$/

/** How many objects begin somewhere in the file, wherever that is: `12 0 obj`. */
function named(content: Uint8Array): number {
  const text = latin(content)
  let count = 0
  for (let at = text.indexOf('obj'); at >= 0; at = text.indexOf('obj', at + 3))
    if (text[at - 1] !== 'd' && BEFORE.test(text.slice(Math.max(0, at - LOOK_BACK), at))) count += 1
  return count
}
