import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import fontkit from '@cantoo/fontkit'
import {
  PDFCheckBox,
  PDFDict,
  PDFDocument,
  PDFDropdown,
  type PDFField,
  type PDFFont,
  PDFHexString,
  PDFName,
  PDFOptionList,
  PDFRadioGroup,
  PDFString,
  PDFTextField,
} from '@cantoo/pdf-lib'
import type { Answer, Answers } from '../../shared/fields/answer.ts'
import { blankField, blankStep } from '../../shared/fields/blank.ts'
import { type Definition, type Field, MOST } from '../../shared/fields/definition.ts'
import { allFields } from '../../shared/fields/walk.ts'
import { inWords } from '../../shared/fields/words.ts'
import { say } from '../../shared/words.ts'

/** Which field of the PDF takes the answer to which field of the definition. */
export interface Mapped {
  name: string
  /** What the PDF calls it. */
  pdf: string
}

export type ReadForm =
  | { kind: 'fields'; definition: Definition; mapping: Mapped[]; leftOut: string[] }
  /** Nothing can be filled in: it is printed, or filled in elsewhere, and sent back. */
  | { kind: 'flat' }
  | { kind: 'refused'; message: string }

const refused = (message: string): ReadForm => ({ kind: 'refused', message })

/** @returns what people fill in by this PDF; never throws for what is in the file */
export async function readForm(content: Uint8Array): Promise<ReadForm> {
  const damaged = () =>
    refused(say`This file is damaged, so it could not be read as a PDF. Save it once more and try again.`)
  let document: PDFDocument
  try {
    document = await PDFDocument.load(content, { ignoreEncryption: true, updateMetadata: false, preserveXFA: true })
  } catch {
    return damaged()
  }
  // The library makes do with a file in which it found nothing.
  if (!(document.catalog instanceof PDFDict)) return damaged()
  const form = acroFormOf(document)
  if (document.isEncrypted)
    return refused(
      form?.has(PDFName.of('XFA'))
        ? say`This PDF is protected, and it is a form of Adobe LifeCycle (XFA). Ask whoever made it for one without protection, as AcroForm.`
        : say`This PDF is protected. Save it without a password and without restrictions, and try again.`,
    )
  try {
    const fields = document.getForm().getFields()
    if (fields.length === 0 && form?.has(PDFName.of('XFA')))
      return refused(
        say`This PDF is a form of Adobe LifeCycle (XFA), which only Adobe’s own programs can fill in. Ask whoever made it for an AcroForm.`,
      )
    return definitionOf(fields)
  } catch {
    return refused(
      say`The fields of this PDF could not be read. Save it once more in the program that made it, and try again.`,
    )
  }
}

function acroFormOf(document: PDFDocument): PDFDict | undefined {
  return document.catalog.lookupMaybe(PDFName.of('AcroForm'), PDFDict)
}

function definitionOf(fields: readonly PDFField[]): ReadForm {
  const taken = new Set<string>()
  const leftOut: string[] = []
  const made: { field: Field; pdf: string }[] = []
  for (const one of fields) {
    const field = one.isReadOnly() ? null : fieldOf(one, nameFor(one.getName(), taken))
    if (field) {
      taken.add(field.name)
      made.push({ field, pdf: one.getName() })
    } else leftOut.push(one.getName())
  }
  if (made.length === 0) return { kind: 'flat' }
  if (made.length > MOST.fields * MOST.steps)
    return refused(say`This PDF has ${made.length} fields. A form has at most ${MOST.fields * MOST.steps}.`)
  const steps = []
  for (let from = 0; from < made.length; from += MOST.fields)
    steps.push({
      ...blankStep(`page_${steps.length + 1}`),
      title: say`Page ${steps.length + 1}`,
      fields: made.slice(from, from + MOST.fields).map(({ field }) => field),
    })
  const mapping = made.map(({ field, pdf }) => ({ name: field.name, pdf }))
  return {
    kind: 'fields',
    definition: { steps: steps.length === 1 ? steps.map((step) => ({ ...step, title: '' })) : steps },
    mapping,
    leftOut,
  }
}

/** `topmostSubform[0].Page1[0].Owner Name[0]` becomes `owner_name`, and the next of that name `owner_name_2`. */
function nameFor(pdf: string, taken: ReadonlySet<string>): string {
  const stem = lastPart(pdf)
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^[^a-z]+|_+$/g, '')
    .slice(0, 34)
  for (let nth = 1; ; nth += 1) {
    const name = `${stem || 'field'}${nth === 1 ? '' : `_${nth}`}`
    if (!taken.has(name)) return name
  }
}
const lastPart = (pdf: string): string => (pdf.split('.').at(-1) ?? pdf).replace(/\[\d+\]$/, '')

/** What its makers wrote for those who hear it read, else its name in words: `OwnerName` is 'Owner name'. */
function labelOf(field: PDFField): string {
  const told = field.acroField.dict.lookup(PDFName.of('TU'))
  const text = told instanceof PDFString || told instanceof PDFHexString ? told.decodeText().trim() : ''
  const words = lastPart(field.getName())
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replaceAll(/[_\s]+/g, ' ')
    .trim()
  const label = text || words || field.getName()
  return (label.charAt(0).toUpperCase() + label.slice(1)).slice(0, 200)
}

const optionsOf = (values: readonly string[]) =>
  [...new Set(values)]
    .slice(0, MOST.options)
    .map((value) => ({ value: value.slice(0, 40), label: value.slice(0, 200) || '–' }))

/** Null for what nobody fills in: buttons, and signatures by certificate. */
function fieldOf(one: PDFField, name: string): Field | null {
  const common = { label: labelOf(one), required: one.isRequired() }
  if (one instanceof PDFTextField)
    return one.isPassword() || one.isFileSelector()
      ? null
      : {
          ...blankField('text', name),
          ...common,
          long: one.isMultiline(),
          maxLength: Math.min(one.getMaxLength() || (one.isMultiline() ? 2000 : 200), 10_000),
        }
  if (one instanceof PDFCheckBox) return { ...blankField('checkbox', name), ...common }
  if (one instanceof PDFRadioGroup) return chosenFrom(one.getOptions(), name, common)
  if (one instanceof PDFDropdown || one instanceof PDFOptionList) {
    if (!one.isMultiselect()) return chosenFrom(one.getOptions(), name, common)
    const options = optionsOf(one.getOptions())
    return options.length === 0 ? null : { ...blankField('choices', name), ...common, options }
  }
  return null
}

function chosenFrom(
  values: readonly string[],
  name: string,
  common: { label: string; required: boolean },
): Field | null {
  const options = optionsOf(values)
  return options.length === 0 ? null : { ...blankField('choice', name), ...common, options }
}

/** Letters of all of Europe's languages. The PDF's own fonts have few, and often none with accents. */
const FONT = 'pdfjs-dist/standard_fonts/LiberationSans-Regular.ttf'
let font: Buffer | null = null

/**
 * The PDF with these answers in it, as plain pages: what is left fillable, some programs do not show at all.
 * @throws what `@cantoo/pdf-lib` fails with; whoever uploads a form is told of that before anyone fills it in
 */
export async function fillForm(
  content: Uint8Array,
  { definition, mapping }: { definition: Definition; mapping: readonly Mapped[] },
  answers: Answers,
): Promise<Uint8Array> {
  const asked = new Map(allFields(definition).map((field) => [field.name, field]))
  const named = new Map(mapping.map(({ name, pdf }) => [pdf, name]))
  return fillEach(content, (one) => {
    const field = asked.get(named.get(one.getName()) ?? '')
    if (field) fill(one, field, answers[field.name])
    return field !== undefined
  })
}

/** Has each field of a PDF filled in, redraws those of which `set` says that it did, and makes plain pages of all. */
export async function fillEach(content: Uint8Array, set: (one: PDFField) => boolean): Promise<Uint8Array> {
  const document = await PDFDocument.load(content, { updateMetadata: false })
  document.registerFontkit(fontkit)
  font ??= readFileSync(createRequire(import.meta.url).resolve(FONT))
  const letters = await document.embedFont(font, { subset: true })
  const form = document.getForm()
  for (const one of form.getFields()) {
    if (!set(one) || !('updateAppearances' in one) || one instanceof PDFCheckBox || one instanceof PDFRadioGroup)
      continue
    if (one instanceof PDFTextField) fit(one, letters)
    ;(one as PDFTextField).updateAppearances(letters)
  }
  form.flatten({ updateFieldAppearances: false })
  return document.save()
}

/** Below this nobody can read it. */
const SMALLEST_LETTERS = 4

/** Makes the letters of a line as small as its rectangle is low and narrow, which else cuts them off. */
function fit(one: PDFTextField, letters: PDFFont): void {
  const size = Number(/([\d.]+)\s+Tf/.exec(one.acroField.getDefaultAppearance() ?? '')?.[1] ?? Number.NaN)
  if (Number.isNaN(size) || one.isCombed()) return
  const boxes = one.acroField.getWidgets().map((widget) => widget.getRectangle())
  const low = Math.min(...boxes.map(({ height }) => height)) * (one.isMultiline() ? 0.5 : 0.7)
  const wide = Math.min(...boxes.map(({ width }) => width)) - 6
  // Several lines wrap.
  const narrow = one.isMultiline() ? low : wide / Math.max(1, letters.widthOfTextAtSize(one.getText() ?? '', 1))
  const most = Math.max(SMALLEST_LETTERS, Math.min(low, narrow))
  // 0 is as large as fits, which the library works out by the height alone.
  if (size > most || (size === 0 && narrow < low)) one.setFontSize(most)
}

function fill(one: PDFField, field: Field, answer: Answer | undefined): void {
  if (one instanceof PDFCheckBox) {
    if (answer === true) one.check()
    else one.uncheck()
  } else if (one instanceof PDFTextField) {
    const text = answer === undefined ? '' : inWords(field, answer)
    const most = one.getMaxLength()
    // What staff made longer than the PDF has room for ends where its squares end.
    one.setText(most ? text.slice(0, most) : text)
  } else if (one instanceof PDFRadioGroup || one instanceof PDFDropdown || one instanceof PDFOptionList) {
    const wanted: readonly unknown[] = Array.isArray(answer) ? answer : [answer]
    const values = one.getOptions().filter((option) => wanted.includes(option.slice(0, 40)))
    if (values.length === 0) one.clear()
    else if (one instanceof PDFRadioGroup) one.select(values[0] ?? '')
    else one.select(values)
  }
}
