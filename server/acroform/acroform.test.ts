import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PDFDocument, PDFName } from '@cantoo/pdf-lib'
import { afterAll, describe, expect, test } from 'vitest'
import type { Answer, Answers } from '../../shared/fields/answer.ts'
import { type Field, sketch } from '../../shared/fields/definition.ts'
import { allFields } from '../../shared/fields/walk.ts'
import { inWords } from '../../shared/fields/words.ts'
import { shownByPdfJs } from '../../test/read-pdf.ts'
import { fillPdfForm, readPdfForm } from './forms.ts'
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
  ['pdfbox-basic-fields', { text: 6, choice: 4, checkbox: 4 }],
  ['pdfbox-comb', { text: 6 }],
  ['pdfbox-multiline', { text: 4 }],
  ['pdfbox-fill-form-field', { text: 2 }],
])('%s, which others made', (name, types) => {
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
    const shown = await shownByPdfJs(filled)
    expect(shown.fillable).toBe(0)
    const written = fields
      .filter(({ type }) => type === 'text')
      .map((field) => inWords(field, answers[field.name] ?? '').replaceAll(/\s/g, ''))
    for (const words of written) expect(shown.text).toContain(words)
    if (poppler) for (const words of written) expect(readByPoppler(filled)).toContain(words)
    // The one that is filled in stays as it was uploaded.
    expect(content).toEqual(made(name))
  })
})

test('buttons, certificates and lists without a choice are left out, by name', async () => {
  const { leftOut } = await readFields(made('pdfbox-basic-fields'))
  expect(leftOut).toEqual(['Signature', 'PushButton', 'ListBox', 'ComboBox'])
})

/** What poppler draws of all pages. */
function drawn(content: Uint8Array): string {
  const file = join(folder, 'drawn.pdf')
  writeFileSync(file, content)
  const { status, stdout } = spawnSync('pdftoppm', ['-r', '50', '-gray', file], { encoding: 'latin1' })
  expect(status).toBe(0)
  return stdout
}

test.skipIf(!poppler)('marks of check boxes and of choices are drawn in the flattened copy', async () => {
  for (const name of ['qpdf-from-odt', 'pypdf-libreoffice', 'pdfbox-basic-fields']) {
    const form = await readFields(made(name))
    const empty = drawn(await fillPdfForm('test', made(name), form, {}))
    for (const field of allFields(form.definition).filter(({ type }) => type !== 'text')) {
      const filled = await fillPdfForm('test', made(name), form, { [field.name]: answerTo(field, 0) })
      expect([name, field.name, drawn(filled) === empty]).toEqual([name, field.name, false])
    }
  }
})

test('what can’t be filled in is told from what can’t be read, each with a sentence', async () => {
  const flat = await PDFDocument.create()
  flat.addPage()
  expect(await read(await flat.save())).toEqual({ kind: 'flat' })
  const says = async (content: Uint8Array) => {
    const form = await read(content)
    return form.kind === 'refused' ? form.message : form.kind
  }
  expect(await says(Buffer.from('%PDF-1.7 and nothing else'))).toMatch(/damaged/)
  const xfa = await PDFDocument.create()
  xfa.addPage()
  const form = xfa.context.obj({ Fields: [], XFA: [] })
  xfa.catalog.set(PDFName.of('AcroForm'), form)
  expect(await says(await xfa.save())).toMatch(/XFA/)
  for (const document of [flat, xfa]) document.encrypt({ userPassword: 'secret', ownerPassword: 'owner' })
  expect(await says(await flat.save())).toMatch(/protected\. Save it without/)
  expect(await says(await xfa.save())).toMatch(/protected, and it is a form of Adobe LifeCycle/)
})
