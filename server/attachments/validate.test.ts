import { deflateSync } from 'node:zlib'
import { PDFDocument, PDFName } from '@cantoo/pdf-lib'
import { zipSync } from 'fflate'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { type FileRules, JPEG, PDF, PNG, WORD } from '../../shared/file-types.ts'
import { validateFile } from './validate.ts'

const rules: FileRules = {
  kind: 'test',
  accepts: [PDF, WORD, PNG, JPEG],
  maxBytes: 2_000_000,
  maxFiles: 5,
  unsupportedType: 'Send another kind.',
  unnamed: 'file',
}
const images: FileRules = { ...rules, accepts: [JPEG, PNG] }

const image = (width = 60, height = 40) => sharp({ create: { width, height, channels: 3, background: '#8a1c3c' } })
const png = await image().png().toBuffer()
const jpeg = await image().jpeg().toBuffer()
const zip = (parts: Record<string, string>) =>
  Buffer.from(zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, Buffer.from(text)]))))
const MAIN = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml'
const docx = (more: Record<string, string> = {}) =>
  zip({
    '[Content_Types].xml': `<Types><Override PartName="/word/document.xml" ContentType="${MAIN}"/></Types>`,
    'word/document.xml': '<w:document><w:body/></w:document>',
    ...more,
  })
const pdf = (more = '') =>
  Buffer.from(
    `%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [] /Count 0 >>\nendobj\n` +
      `${more}trailer\n<< /Size 9 /Root 1 0 R >>\n%%EOF`,
    'latin1',
  )
const joined = (...parts: (Buffer | string)[]) => Buffer.concat(parts.map((part) => Buffer.from(part as string)))
/** A PNG with a header that claims a far larger image. */
const bomb = () => {
  const header = Buffer.from(png)
  header.writeUInt32BE(60_000, 16)
  header.writeUInt32BE(60_000, 20)
  return header
}
const script = '<script>alert(1)</script>'

it.each<[string, Buffer, string]>([
  ['a PDF', pdf(), PDF],
  ['a Word document', docx(), WORD],
  ['a PNG', png, PNG],
  ['a JPEG', jpeg, JPEG],
  ['a PNG that calls itself a PDF', png, PNG],
])('accepts %s as its real type', async (_what, content, type) => {
  const checked = await validateFile(rules, { name: 'x.exe.pdf', content })
  expect(checked.contentType).toBe(type)
  expect(checked.name).toMatch(/^x\.(?:pdf|docx|png|jpg)$/)
})

it.each<[string, Buffer, RegExp]>([
  ['nothing', Buffer.alloc(0), /another kind/],
  ['noise', Buffer.from('ab'.repeat(400)), /another kind/],
  ['a page of HTML', Buffer.from(`<!doctype html>${script}`), /another kind/],
  ['a drawing with a script', Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`), /another kind/],
  ['a program', joined('MZ', Buffer.alloc(400)), /another kind/],
  ['a GIF', await image().gif().toBuffer(), /another kind/],
  ['a WebP', await image().webp().toBuffer(), /another kind/],
  ['a program before a PDF', joined('MZ', Buffer.alloc(100), pdf()), /another kind/],
  ['a page before a PDF', joined(`${script}\n`, pdf()), /another kind/],
  ['another archive', zip({ 'readme.txt': 'x' }), /another kind/],
  ['a spreadsheet', zip({ '[Content_Types].xml': '<Types/>', 'xl/workbook.xml': '<x/>' }), /another kind|could not/],
  ['half a PNG', png.subarray(0, 60), /could not be read|another kind/],
  ['half a JPEG', jpeg.subarray(0, 200), /could not be read/],
  ['a PNG that says it is huge', bomb(), /could not be read/],
  ['a PNG of far too many points', await image(8000, 6000).png({ palette: true }).toBuffer(), /could not be read/],
  ['a PDF cut in the middle', pdf().subarray(0, 40), /could not be read/],
  [
    'a PDF that unpacks to far too much',
    pdf(
      `3 0 obj\n<< /Type /ObjStm /N 1 /First 4 /Filter /FlateDecode >>\nstream\n${deflateSync(`8 0 (${' '.repeat(40_000_000)})`).toString('latin1')}\nendstream\nendobj\n`,
    ),
    /could not be read/,
  ],
  ['a PDF that holds another file', pdf('3 0 obj\n<< /Type /Filespec /EF << /F 1 0 R >> >>\nendobj\n'), /other files/],
  ['a Word document that unpacks to far too much', docx({ 'word/x.xml': ' '.repeat(26_000_000) }), /could not be read/],
  ['a Word document with macros', docx({ 'word/vbaProject.bin': 'x' }), /macros/],
  ['a locked Office file', joined(Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)), /has a password/],
  ['what is too large', Buffer.alloc(2_000_001), /larger than 1\.9 MB/],
])('refuses %s with a message', async (_what, content, text) => {
  await expect(validateFile(rules, { name: 'a.pdf', content })).rejects.toThrow(text)
})

it.each<[string, Buffer]>([
  ['a PNG with an archive behind it', joined(png, zip({ 'a.html': script }))],
  ['a PNG with a page behind it', joined(png, script)],
  ['a JPEG with a page behind it', joined(jpeg, script)],
  [
    'a JPEG with a page in its comment',
    joined(jpeg.subarray(0, 2), Buffer.from([0xff, 0xfe, 0, 27]), script, jpeg.subarray(2)),
  ],
  ['a JPEG with a PDF behind it', joined(jpeg, pdf(`% ${script}\n`))],
])('stores only the image of %s', async (_what, content) => {
  const { content: stored, preview } = await validateFile(images, { name: 'a.png', content })
  for (const rendered of [stored, preview ?? Buffer.alloc(0)]) {
    expect((await sharp(rendered).metadata()).width).toBe(60)
    expect(rendered.includes('alert(1)')).toBe(false)
    expect(rendered.includes('PK\u0003\u0004')).toBe(false)
  }
})

it('removes the location from a photo and keeps it upright', async () => {
  const photo = await image()
    .withExif({ IFD0: { Orientation: '6' }, IFD3: { GPSLatitude: '40/1 26/1 46/1', GPSLatitudeRef: 'N' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  expect(photo.includes('Exif')).toBe(true)
  const { content, preview } = await validateFile(images, { name: 'a.jpg', content: photo })
  for (const rendered of [content, preview ?? Buffer.alloc(0)]) {
    const { exif, xmp, orientation, width, height } = await sharp(rendered).metadata()
    expect([exif, xmp, orientation, width, height]).toEqual([undefined, undefined, undefined, 40, 60])
  }
})

it('converts images to smaller PNGs if the use requires it', async () => {
  const large = { name: 'a.jpg', content: await image(1600, 900).jpeg().toBuffer() }
  const checked = await validateFile({ ...images, renderedAs: { width: 800, height: 400 } }, large)
  const { width, height, format } = await sharp(checked.content).metadata()
  expect([checked.name, width, height, format]).toEqual(['a.png', 711, 400, 'png'])
})

it('accepts file types by use', async () => {
  await expect(validateFile(images, { name: 'a.png', content: pdf() })).rejects.toThrow('Send another kind.')
  await expect(validateFile(images, { name: 'a.png', content: docx({ 'word/vbaProject.bin': '' }) })).rejects.toThrow(
    'Send another kind.',
  )
})

describe('protected PDF', () => {
  const checked = async (made: (document: PDFDocument) => void, password: string, useObjectStreams: boolean) => {
    const document = await PDFDocument.create()
    document.addPage()
    made(document)
    document.encrypt({ userPassword: password, ownerPassword: 'owner' })
    const content = Buffer.from(await document.save({ useObjectStreams }))
    return validateFile(rules, { name: 'a.pdf', content }).then(
      () => 'taken',
      (error: Error) => error.message,
    )
  }
  const asXfa = (document: PDFDocument) =>
    document.catalog.set(
      PDFName.of('AcroForm'),
      document.context.register(document.context.obj({ Fields: [], XFA: [] })),
    )

  it.each([
    ['', true],
    ['', false],
    ['secret', false],
  ])('gets the XFA advice (password %j, object streams %j)', async (password, packed) => {
    expect(await checked(asXfa, password, packed)).toMatch(/protected and is an Adobe LifeCycle form \(XFA\)/)
  })

  it.each([true, false])('is reported as locked without XFA (object streams %j)', async (packed) => {
    expect(await checked(() => {}, 'secret', packed)).toMatch(/This PDF has a password/)
  })
})
