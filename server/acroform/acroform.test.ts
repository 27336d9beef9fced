import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PDFDocument, PDFName, PDFString } from '@cantoo/pdf-lib'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { afterAll, describe, expect, test } from 'vitest'
import type { Answer, Answers } from '../../shared/fields/answer.ts'
import { type Field, sketch } from '../../shared/fields/definition.ts'
import { mistakesIn } from '../../shared/fields/mistakes.ts'
import { allFields } from '../../shared/fields/walk.ts'
import { answerText } from '../../shared/fields/labels.ts'
import { readWithPdfJs } from '../../test/read-pdf.ts'
import { fillPdfForm, provePdfForm, readPdfForm } from './forms.ts'
import { nightly } from '../../test/nightly.ts'

const folder = mkdtempSync(join(tmpdir(), 'acroform-'))
afterAll(() => rmSync(folder, { recursive: true }))

const made = (name: string) => new Uint8Array(readFileSync(new URL(`fixtures/${name}.pdf`, import.meta.url)))
const read = (content: Uint8Array) => readPdfForm('test', content)
async function readFields(content: Uint8Array) {
  const form = await read(content)
  if (form.kind !== 'fields') throw new Error(`it is ${form.kind}`)
  return form
}

const poppler = spawnSync('pdftotext', ['-v']).error === undefined
function readByPoppler(content: Uint8Array): string {
  const file = join(folder, 'filled.pdf')
  writeFileSync(file, content)
  const { status, stdout, stderr } = spawnSync('pdftotext', ['-raw', file, '-'], { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return stdout.replaceAll(/\s/g, '')
}

const names = ['Zoë Núñez', 'Ærø Łódź', 'François', 'Søren', 'Jürgen', 'Ñandú']
function answerTo(field: Field, nth: number): Answer {
  if (field.type === 'choice') return field.options.at(-1)?.value ?? ''
  if (field.type === 'choices') return field.options.slice(0, 1).map(({ value }) => value)
  if (field.type === 'checkbox') return true
  const text = names[nth % names.length] ?? ''
  return field.type === 'text' ? text.slice(0, field.maxLength) : text
}

describe.each([
  ['qpdf-from-odt', { text: 2, choice: 2, checkbox: 3 }],
  ['pypdf-libreoffice', { text: 4, choice: 2, checkbox: 2 }],
  // A group of check boxes with one field has one value, so it is a choice.
  ['pdfbox-basic-fields', { text: 6, choice: 6, checkbox: 2 }],
  ['pdfbox-comb', { text: 6 }],
  ['pdfbox-multiline', { text: 4 }],
  ['pdfbox-fill-form-field', { text: 2 }],
])('%s from another program', (name, types) => {
  nightly('is read into fields, filled, and read back by other programs', async () => {
    const content = made(name)
    const form = await readFields(content)
    const fields = allFields(form.definition)
    const counted: Record<string, number> = {}
    for (const { type } of fields) counted[type] = (counted[type] ?? 0) + 1
    expect(counted).toEqual(types)
    expect(sketch.safeParse(form.definition).error).toBeUndefined()
    expect(new Set(fields.map((field) => field.name)).size).toBe(fields.length)
    expect(fields.filter(({ label }) => label === '')).toEqual([])
    const answers: Answers = Object.fromEntries(fields.map((field, nth) => [field.name, answerTo(field, nth)]))
    const filled = await fillPdfForm('test', content, form, answers)
    const output = await readWithPdfJs(filled)
    expect(output.fillable).toBe(0)
    const written = fields
      .filter(({ type }) => type === 'text')
      .map((field) => answerText(field, answers[field.name] ?? '').replaceAll(/\s/g, ''))
    for (const text of written) expect(output.text).toContain(text)
    if (poppler) for (const text of written) expect(readByPoppler(filled)).toContain(text)
    // The stored original is identical to the uploaded file.
    expect(content).toEqual(made(name))
  })
})

test('leaves out buttons, certificates and lists without a choice, by name', async () => {
  const { leftOut } = await readFields(made('pdfbox-basic-fields'))
  expect(leftOut).toEqual(['Signature', 'PushButton', 'ListBox', 'ComboBox'])
})

/** Renders all pages with poppler. */
function rendered(content: Uint8Array): string {
  const file = join(folder, 'drawn.pdf')
  writeFileSync(file, content)
  const { status, stdout } = spawnSync('pdftoppm', ['-r', '50', '-gray', file], { encoding: 'latin1' })
  expect(status).toBe(0)
  return stdout
}

test.skipIf(!poppler)('renders check marks and choices in the flattened copy', async () => {
  for (const name of ['qpdf-from-odt', 'pypdf-libreoffice', 'pdfbox-basic-fields']) {
    const form = await readFields(made(name))
    const empty = rendered(await fillPdfForm('test', made(name), form, {}))
    for (const field of allFields(form.definition).filter(({ type }) => type !== 'text')) {
      const filled = await fillPdfForm('test', made(name), form, { [field.name]: answerTo(field, 0) })
      expect([name, field.name, rendered(filled) === empty]).toEqual([name, field.name, false])
    }
  }
})

test('tells unfillable files from unreadable ones, each with a message', async () => {
  const flat = await PDFDocument.create()
  flat.addPage()
  expect(await read(await flat.save())).toEqual({ kind: 'flat' })
  const text = async (content: Uint8Array) => {
    const form = await read(content)
    return form.kind === 'refused' ? form.message : form.kind
  }
  expect(await text(Buffer.from('%PDF-1.7 and nothing else'))).toMatch(/damaged/)
  const xfa = await PDFDocument.create()
  xfa.addPage()
  const form = xfa.context.obj({ Fields: [], XFA: [] })
  xfa.catalog.set(PDFName.of('AcroForm'), form)
  expect(await text(await xfa.save())).toMatch(/XFA/)
  const odd = await PDFDocument.create()
  odd.addPage()
  odd.catalog.set(PDFName.of('AcroForm'), odd.context.obj(5))
  expect(await text(await odd.save())).toMatch(/fields in this PDF could not be read/)
  for (const document of [flat, xfa]) document.encrypt({ userPassword: 'secret', ownerPassword: 'owner' })
  expect(await text(await flat.save())).toMatch(/protected\. Save it without/)
  expect(await text(await xfa.save())).toMatch(/protected and is an Adobe LifeCycle form/)
})

/** Saves a document without redrawing its fields. */
const saved = (document: PDFDocument) => document.save({ updateFieldAppearances: false })

/** Adds a widget to the page only, like programs that do not list fields in the form's field tree. */
function onPage(document: PDFDocument, entries: Record<string, unknown>, at: [number, number] = [50, 700]) {
  const page = document.getPages().at(-1)
  if (!page) throw new Error('no page')
  const { context } = document
  const dict = context.obj({
    ...{ Type: 'Annot', Subtype: 'Widget', F: 4, Rect: [at[0], at[1], at[0] + 200, at[1] + 20] },
    ...(entries as Record<string, string>),
  })
  const ref = context.register(dict)
  page.node.addAnnot(ref)
  return { ref, dict }
}

const text = (name: string) => PDFString.of(name)

/** Builds the appearances of a check box, one for each state. */
function states(document: PDFDocument, ...names: string[]) {
  const renders = (content: string) =>
    document.context.register(
      document.context.stream(content, { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 20, 20] }),
    )
  const N = Object.fromEntries([...names.map((name) => [name, renders('0 0 20 20 re f')]), ['Off', renders('')]])
  return { AP: { N }, AS: 'Off' }
}

const onePage = async () => {
  const document = await PDFDocument.create()
  document.addPage([612, 792])
  return document
}

describe('fields outside the field tree', () => {
  test('reads and fills in fields that only the pages list', async () => {
    const document = await onePage()
    document
      .getForm()
      .createTextField('Listed')
      .addToPage(document.getPage(0), { x: 50, y: 600, width: 200, height: 20 })
    onPage(document, { FT: 'Tx', T: text('Owner'), DA: text('/Helv 10 Tf 0 g') })
    onPage(document, { FT: 'Btn', T: text('Agreed'), ...states(document, 'Yes') }, [50, 500])
    const content = await saved(document)
    const form = await readFields(content)
    expect(form.mapping.map(({ pdf }) => pdf)).toEqual(['Listed', 'Owner', 'Agreed'])
    const filled = await fillPdfForm('test', content, form, { listed: 'Anna', owner: 'Bert', agreed: true })
    const output = await readWithPdfJs(filled)
    expect(output.text).toContain('Anna')
    expect(output.text).toContain('Bert')
    expect(output.fillable).toBe(0)
    expect((await provePdfForm('test', content, ['Listed', 'Owner', 'Agreed'])).unseen).toEqual([])
  })

  test('reads a document without AcroForm, inline annotations and nested fields', async () => {
    const document = await onePage()
    const { context } = document
    const parent = context.register(context.obj({ T: text('Owner'), FT: 'Tx', DA: text('/Helv 9 Tf 0 g') }))
    onPage(document, { T: text('First'), Parent: parent })
    onPage(document, { T: text('Last'), Parent: parent }, [50, 650])
    const direct = context.obj({ Subtype: 'Widget', FT: 'Tx', T: text('Street'), Rect: [50, 600, 250, 620] })
    document.getPage(0).node.Annots()?.push(direct)
    expect(document.catalog.has(PDFName.of('AcroForm'))).toBe(false)
    const form = await readFields(await saved(document))
    expect(form.mapping.map(({ pdf }) => pdf)).toEqual(['Owner.First', 'Owner.Last', 'Street'])
  })

  test('lists fields without a type as left out', async () => {
    const document = await onePage()
    onPage(document, { FT: 'Tx', T: text('Owner') })
    onPage(document, { T: text('Odd') }, [50, 600])
    expect((await readFields(await saved(document))).leftOut).toEqual(['Odd'])
  })

  test('stops at fields that refer to themselves', async () => {
    const document = await onePage()
    const { ref, dict } = onPage(document, { FT: 'Tx', T: text('Owner') })
    dict.set(PDFName.of('Parent'), ref)
    const other = onPage(document, { FT: 'Tx', T: text('Other') }, [50, 600])
    other.dict.set(PDFName.of('Kids'), document.context.obj([other.ref]))
    expect((await read(await saved(document))).kind).toBe('fields')
  })
})

describe('attributes outside the field', () => {
  const choices = ['House', 'Flat', 'Shop']
  const group = async (
    ofParent: Record<string, unknown>,
    ofKid: (value: string, nth: number) => Record<string, unknown>,
  ) => {
    const document = await onePage()
    const { context } = document
    const parent = context.obj({ T: text('Kind'), Kids: [], ...(ofParent as object) })
    const ref = context.register(parent)
    const kids = choices.map(
      (value, nth) =>
        onPage(document, { Parent: ref, ...states(document, value), ...ofKid(value, nth) }, [50, 700 - 30 * nth]).ref,
    )
    parent.set(PDFName.of('Kids'), context.obj(kids))
    document.getForm().acroForm.addField(ref)
    return saved(document)
  }
  test.each([
    ['the radio flag on the kids', () => group({ FT: 'Btn' }, () => ({ Ff: 49_152 }))],
    ['type and flag on the kids', () => group({}, () => ({ FT: 'Btn', Ff: 49_152 }))],
    ['no radio flag at all', () => group({ FT: 'Btn' }, () => ({}))],
    ['names on the kids', () => group({ FT: 'Btn', Ff: 49_152 }, (_, nth) => ({ T: text(String(nth)) }))],
    ['the flag on the parent', () => group({ FT: 'Btn', Ff: 49_152 }, () => ({}))],
  ])('reads a choice of one value with %s', async (_, make) => {
    const content = await make()
    const form = await readFields(content)
    expect(allFields(form.definition)).toMatchObject([
      { type: 'choice', name: 'kind', options: choices.map((value) => ({ value, label: value })) },
    ])
    const images = new Set<string>()
    for (const kind of choices) images.add(await marked(await fillPdfForm('test', content, form, { kind })))
    expect(images.size).toBe(3)
  })

  test('joins fields with the same name that only the pages list', async () => {
    const document = await onePage()
    for (const [nth, value] of choices.entries())
      onPage(document, { FT: 'Btn', Ff: 49_152, T: text('Kind'), ...states(document, value) }, [50, 700 - 30 * nth])
    onPage(document, { FT: 'Tx', T: text('Owner') }, [50, 500])
    onPage(document, { FT: 'Tx', T: text('Owner') }, [50, 400])
    onPage(document, { FT: 'Btn', T: text('Owner'), ...states(document, 'On') }, [50, 300])
    const content = await saved(document)
    const form = await readFields(content)
    expect(allFields(form.definition).map(({ type }) => type)).toEqual(['choice', 'text', 'checkbox'])
    const filled = await readWithPdfJs(await fillPdfForm('test', content, form, { owner: 'Anna' }))
    expect(filled.text.split('Anna').length - 1).toBe(2)
  })

  test('reads length, options and appearance from the parent or the widgets', async () => {
    const document = await onePage()
    const { context } = document
    const field = (entries: Record<string, unknown>, ofKid: Record<string, unknown>, y: number) => {
      const dict = context.obj(entries as Record<string, string>)
      const ref = context.register(dict)
      const kid = onPage(document, { Parent: ref, ...ofKid }, [50, y])
      dict.set(PDFName.of('Kids'), context.obj([kid.ref]))
      document.getForm().acroForm.addField(ref)
    }
    field({ T: text('Zip') }, { FT: 'Tx', MaxLen: 5, TU: text('ZIP code') }, 700)
    field({ T: text('State'), FT: 'Ch' }, { Ff: 131_072, Opt: [text('PA'), text('NJ')] }, 600)
    const fields = allFields((await readFields(await saved(document))).definition)
    expect(fields).toMatchObject([
      { type: 'text', label: 'ZIP code', maxLength: 5 },
      { type: 'choice', options: [{ value: 'PA' }, { value: 'NJ' }] },
    ])
  })
})

/** Returns the first page's dictionary and the complete file as text, to compare flattened copies. */
async function marked(content: Uint8Array): Promise<string> {
  const document = await PDFDocument.load(content)
  return JSON.stringify(document.getPage(0).node.toString()) + Buffer.from(content).toString('base64')
}

describe('labels', () => {
  test('are unique and add the position if they are empty or repeat', async () => {
    const document = await onePage()
    document.addPage([612, 792])
    onPage(document, { FT: 'Tx', T: text('a'), TU: text('Name') }, [50, 740])
    onPage(document, { FT: 'Tx', T: text('b'), TU: text('name') }, [50, 40])
    onPage(document, { FT: 'Tx', T: text('c'), TU: text('Name') }, [50, 20])
    onPage(document, { FT: 'Tx', T: text('undefined_2') }, [380, 400])
    onPage(document, { FT: 'Tx' }, [50, 400])
    onPage(document, { FT: 'Tx', T: text('Type') }, [50, 300])
    onPage(document, { FT: 'Tx', T: text('e'), TU: text('Lot < 2\u0007') }, [50, 280])
    const { definition } = await readFields(await saved(document))
    expect(allFields(definition).map(({ label }) => label)).toEqual([
      'Name (page 2, top left)',
      'Name (page 2, bottom left)',
      'Name (page 2, bottom left) 2',
      'Field (page 2, middle right)',
      'Field (page 2, middle left)',
      'Type',
      'Lot 2',
    ])
    expect(mistakesIn(definition)).toEqual([])
  })

  test('gives options unique labels that each write their own value', async () => {
    const long = 'The owner of the property that this form is about'
    const document = await onePage()
    const list = document.getForm().createDropdown('Who')
    list.addOptions([' ', `${long}, alone`, `${long}, with others`, 'Yes', 'YES'])
    list.addToPage(document.getPage(0), { x: 50, y: 600, width: 500, height: 20 })
    const content = await saved(document)
    const form = await readFields(content)
    expect(mistakesIn(form.definition)).toEqual([])
    const [field] = allFields(form.definition)
    if (field?.type !== 'choice') throw new Error('no choice')
    const [, second = { value: '' }] = field.options
    const { text: output } = await readWithPdfJs(await fillPdfForm('test', content, form, { who: second.value }))
    expect(output).toContain('withothers')
  })

  test('maps every field, with an empty name beyond the limit', async () => {
    const document = await onePage()
    for (let nth = 0; nth < 130; nth += 1) onPage(document, { FT: 'Tx', T: text(`Line ${nth}`) }, [50, 5 * nth])
    const { definition, mapping } = await readFields(await saved(document))
    expect(mistakesIn(definition)).toEqual([])
    expect(mapping).toHaveLength(130)
    expect(mapping.filter(({ name }) => name === '')).toHaveLength(30)
  })
})

describe('automatic font size', () => {
  const sizesOf = async (content: Uint8Array) => {
    const task = getDocument({ data: content.slice(), verbosity: 0 })
    const page = await (await task.promise).getPage(1)
    const { items } = await page.getTextContent()
    await task.destroy()
    return items.flatMap((item) => ('height' in item && item.str.trim() !== '' ? [item.height] : []))
  }
  test.each([
    ['a tall field of several lines', { multiline: true, height: 300 }, 'Two words'],
    ['a tall line', { height: 90 }, 'Two words'],
    ['a comb', { height: 60, comb: 4 }, 'ABCD'],
  ])(
    'is at most 12 points in %s',
    async (_, { height, ...how }: { height: number; multiline?: boolean; comb?: number }, text) => {
      const document = await onePage()
      const field = document.getForm().createTextField('Remarks')
      field.addToPage(document.getPage(0), { x: 50, y: 300, width: 400, height })
      if (how.multiline) field.enableMultiline()
      if (how.comb) {
        field.setMaxLength(how.comb)
        field.enableCombing()
      }
      field.setFontSize(0)
      const content = await saved(document)
      const form = await readFields(content)
      const sizes = await sizesOf(await fillPdfForm('test', content, form, { remarks: text }))
      expect(sizes.length).toBeGreaterThan(0)
      for (const size of sizes) expect(size).toBeLessThanOrEqual(12.01)
    },
  )

  test('shrinks until a long text fits the box', async () => {
    const document = await onePage()
    const field = document.getForm().createTextField('Remarks')
    field.addToPage(document.getPage(0), { x: 50, y: 300, width: 150, height: 60 })
    field.enableMultiline()
    field.setFontSize(0)
    const content = await saved(document)
    const form = await readFields(content)
    const sizes = await sizesOf(
      await fillPdfForm('test', content, form, { remarks: 'Some words of a remark. '.repeat(12) }),
    )
    for (const size of sizes) expect(size).toBeLessThan(9)
  })
})

test.each(['Nguyễn Thị Hường', 'Иван Петров', '王小明', '김민수', 'Kaʻimi Hōkū', 'שרה'])(
  'prints %s, although the form’s own font lacks its letters',
  async (name) => {
    const document = await onePage()
    onPage(document, { FT: 'Tx', T: text('Owner'), DA: text('/Helv 10 Tf 0 g') })
    const content = await saved(document)
    const form = await readFields(content)
    const { text: output } = await readWithPdfJs(await fillPdfForm('test', content, form, { owner: name }))
    expect(output.replaceAll(/\s/g, '').normalize('NFC')).toContain(name.replaceAll(/\s/g, '').normalize('NFC'))
  },
)
