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

/** Reason to refuse a document. */
export type Fault = 'locked' | 'locked-xfa' | 'active' | 'macros' | 'holds others' | 'fetches' | 'unreadable'

/** Keys that make a PDF run an action or embed another file. */
const ACTIVE = new Set(
  ['JavaScript', 'JS', 'Launch', 'EmbeddedFile', 'EmbeddedFiles', 'EF', 'RichMedia', 'ImportData', 'GoToE'].map(
    (name) => `/${name}`,
  ),
)

/**
 * Parses a PDF like a viewer and checks every object. The check includes objects that a later revision of the file
 * replaced, because some programs show the earlier revision. Runs in a separate thread.
 */
export async function validatePdf(content: Uint8Array): Promise<Fault | null> {
  const { objects, read, error, locked } = await parse(content)
  if (locked) return (await isXfa(content, objects)) ? 'locked-xfa' : 'locked'
  if (objects.some(isActive)) return 'active'
  // If the file contains more objects than the parser found, someone hid an object on purpose, in a comment or an
  // image.
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
    // Encryption can make the parser fail, but the encryption entry itself is always readable.
    return { objects, read, error: true, locked: isEncrypted(content) }
  } finally {
    PDFContext.prototype.assign = assign
    parser.parseIndirectObject = parseIndirectObject
  }
}

const latin = (content: Uint8Array): string => Buffer.from(content).toString('latin1')

const isEncrypted = (content: Uint8Array): boolean => /\/Encrypt\s+\d+\s+\d+\s+R/.test(latin(content))

const XFA = PDFName.of('XFA')

/**
 * True for an Adobe LifeCycle form (XFA). Its fields are stored outside the PDF's own form, so a printed copy loses
 * them.
 */
async function isXfa(content: Uint8Array, objects: readonly PDFObject[]): Promise<boolean> {
  const hasXfa = (object: PDFObject | undefined): boolean =>
    object instanceof PDFDict && (object.has(XFA) || hasXfa(object.get(PDFName.of('AcroForm'))))
  if (objects.some(hasXfa) || latin(content).includes('/XFA')) return true
  try {
    // Most encrypted files are only protected against changes. They open with an empty password.
    const document = await PDFDocument.load(content, { password: '', updateMetadata: false, preserveXFA: true })
    const form = document.catalog.lookup(PDFName.of('AcroForm'))
    return form instanceof PDFDict && form.has(XFA)
  } catch {
    return false
  }
}

/** Keys of actions that run automatically, such as when a person opens, types in or prints the document. */
const BY_ITSELF = ['AA', 'OpenAction'].map((name) => PDFName.of(name))

/**
 * Removes all actions from a PDF. Form programs add scripts that format a date or add up a column. Our filled-in forms
 * do not need these scripts.
 * @returns null if the PDF can't be read
 */
export async function cleanPdf(content: Uint8Array): Promise<Uint8Array | null> {
  try {
    const document = await PDFDocument.load(content, { updateMetadata: false })
    const { context } = document
    for (const [ref, object] of context.enumerateIndirectObjects())
      if (object instanceof PDFDict && isActiveAction(object)) context.delete(ref)
      else cleanWithin(object)
    return await document.save()
  } catch {
    return null
  }
}

const isActiveAction = (action: PDFDict): boolean => {
  const kind = action.get(PDFName.of('S'))
  return kind instanceof PDFName && ACTIVE.has(kind.asString())
}

function cleanWithin(object: PDFObject): void {
  if (object instanceof PDFStream) cleanWithin(object.dict)
  if (object instanceof PDFArray) for (const one of object.asArray()) cleanWithin(one)
  if (!(object instanceof PDFDict)) return
  for (const [key, value] of object.entries())
    if (BY_ITSELF.includes(key) || ACTIVE.has(key.asString()) || (value instanceof PDFDict && isActiveAction(value)))
      object.delete(key)
    else cleanWithin(value)
}

/** True if the object contains an active key. Does not follow references, because `validatePdf` checks every object. */
function isActive(object: PDFObject): boolean {
  const stack: PDFObject[] = [object]
  for (let next = stack.pop(); next; next = stack.pop()) {
    if (next instanceof PDFName && ACTIVE.has(next.asString())) return true
    if (next instanceof PDFDict) stack.push(...next.entries().flat())
    if (next instanceof PDFArray) stack.push(...next.asArray())
    if (next instanceof PDFStream) stack.push(next.dict)
  }
  return false
}

const LOOK_BACK = 80
const BEFORE = /\d(?:[\s\0]|%[^\r\n]*[\r\n])+\d+(?:[\s\0]|%[^\r\n]*[\r\n])*$/

/** Counts the object headers such as `12 0 obj` anywhere in the file. */
function named(content: Uint8Array): number {
  const text = latin(content)
  let count = 0
  for (let at = text.indexOf('obj'); at >= 0; at = text.indexOf('obj', at + 3))
    if (text[at - 1] !== 'd' && BEFORE.test(text.slice(Math.max(0, at - LOOK_BACK), at))) count += 1
  return count
}
