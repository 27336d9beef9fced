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
  layoutCombedText,
  layoutMultilineText,
  layoutSinglelineText,
  PDFName,
  PDFOptionList,
  PDFRadioGroup,
  PDFTextField,
  TextAlignment,
} from '@cantoo/pdf-lib'
import type { Answer, Answers } from '../../shared/fields/answer.ts'
import { blankField, blankStep } from '../../shared/fields/blank.ts'
import { type Definition, type Field, FIELD_LIMITS } from '../../shared/fields/definition.ts'
import { allFields } from '../../shared/fields/walk.ts'
import { answerText } from '../../shared/fields/labels.ts'
import { RESERVED } from '../../shared/fields/mistakes.ts'
import { say } from '../../shared/messages.ts'
import { type Face, faceFor, faceOf } from '../pdf-faces.ts'
import { labelsOf, lastPart } from './labels.ts'
import { isVisible, repairFields, sizeOf } from './repair.ts'

/** Pair of a form definition's field and the PDF field that shows its answer. */
export interface MappedField {
  /** Name of the definition's field. '' if no definition field fills this PDF field. */
  name: string
  /** Name of the PDF field. */
  pdf: string
  label: string
}

export type ParsedForm =
  | { kind: 'fields'; definition: Definition; mapping: MappedField[]; leftOut: string[] }
  /** The PDF has no fillable fields. People print it or fill it in with another program, and send it back. */
  | { kind: 'flat' }
  | { kind: 'refused'; message: string }

const refused = (message: string): ParsedForm => ({ kind: 'refused', message })

/** Reads the fields of this PDF. Never throws, whatever the file contains. */
export async function readForm(content: Uint8Array): Promise<ParsedForm> {
  const damaged = () => refused(say`This file is damaged and could not be read as a PDF. Save it again and try again.`)
  let document: PDFDocument
  try {
    document = await PDFDocument.load(content, { ignoreEncryption: true, updateMetadata: false, preserveXFA: true })
  } catch {
    return damaged()
  }
  // The library accepts even a file without a readable catalog.
  if (!(document.catalog instanceof PDFDict)) return damaged()
  const form = acroFormOf(document)
  if (document.isEncrypted)
    return refused(
      form?.has(PDFName.of('XFA'))
        ? say`This PDF is protected and is an Adobe LifeCycle form (XFA). Ask its author for an unprotected AcroForm version.`
        : say`This PDF is protected. Save it without a password or restrictions, and try again.`,
    )
  try {
    const untyped = repairFields(document)
    const fields = document.getForm().getFields()
    if (fields.length === 0 && form?.has(PDFName.of('XFA')))
      return refused(
        say`This PDF is an Adobe LifeCycle form (XFA), which only Adobe’s own programs can fill in. Ask its author for an AcroForm version.`,
      )
    return definitionOf(document, fields, untyped)
  } catch {
    return refused(
      say`The fields in this PDF could not be read. Save it again in the program that created it, and try again.`,
    )
  }
}

function acroFormOf(document: PDFDocument): PDFDict | undefined {
  const form = document.catalog.lookup(PDFName.of('AcroForm'))
  return form instanceof PDFDict ? form : undefined
}

/** Maximum number of fields. No real municipal form has so many. */
const MAX_FIELDS = 2000

function definitionOf(document: PDFDocument, fields: readonly PDFField[], untyped: readonly string[]): ParsedForm {
  const taken = new Set<string>(RESERVED)
  const leftOut: string[] = []
  const formFields: { field: Field; one: PDFField }[] = []
  for (const one of fields) {
    const field = one.isReadOnly() || !isVisible(one) ? null : fieldOf(one, nameFor(one.getName(), taken))
    if (field) {
      taken.add(field.name)
      formFields.push({ field, one })
    } else leftOut.push(one.getName())
  }
  if (formFields.length === 0) return { kind: 'flat' }
  if (formFields.length > MAX_FIELDS)
    return refused(say`This PDF has ${formFields.length} fields. A form can have up to ${MAX_FIELDS}.`)
  const labels = labelsOf(
    document,
    formFields.map(({ one }) => one),
  )
  const made = formFields.map(({ field, one }, at) => {
    const label = labels[at] ?? one.getName()
    return { field: { ...field, label }, pdf: one.getName(), label }
  })
  // A definition has a maximum number of fields. Staff choose the answers for the remaining PDF fields.
  const included = made.slice(0, FIELD_LIMITS.fields)
  return {
    kind: 'fields',
    definition: { steps: [{ ...blankStep('page_1'), title: '', fields: included.map(({ field }) => field) }] },
    mapping: made.map(({ field, pdf, label }, at) => ({ name: at < included.length ? field.name : '', pdf, label })),
    leftOut: [...leftOut, ...untyped],
  }
}

/**
 * Returns a unique definition name for a PDF field. `topmostSubform[0].Page1[0].Owner Name[0]` becomes `owner_name`. A
 * second field with that name becomes `owner_name_2`.
 */
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

/** PDF option and the answer that selects it. */
interface Option {
  pdf: string
  value: string
  label: string
}

/** Builds labeled options. Answers and labels are unique, even if the PDF repeats them. */
function optionsOf(texts: readonly string[]): Option[] {
  const values = unique(texts, 40)
  const labels = unique(texts, 200)
  return texts
    .map((pdf, at) => ({ pdf, value: values[at] ?? '', label: labels[at] ?? '' }))
    .filter(({ pdf }, at) => pdf.trim() !== '' && texts.indexOf(pdf) === at)
    .slice(0, FIELD_LIMITS.options)
}

/** Shortens each text and makes it unique. Equal texts get equal results. */
function unique(texts: readonly string[], maxLength: number): string[] {
  const taken = new Map<string, string>()
  return texts.map((text) => {
    const existing = [...taken].find(([, of]) => of === text)?.[0]
    if (existing !== undefined) return existing
    const read = (one: string) => one.trim().toLowerCase()
    const isTaken = (one: string) => [...taken.keys()].some((other) => read(other) === read(one))
    let made = text.slice(0, maxLength).trim()
    for (let nth = 2; isTaken(made); nth += 1) made = `${text.slice(0, maxLength - 5).trim()} (${nth})`
    taken.set(made, text)
    return made
  })
}

const selectable = (texts: readonly string[]) => optionsOf(texts).map(({ value, label }) => ({ value, label }))

/**
 * Converts a PDF field to a definition field. Null for fields that no one fills in: buttons and certificate signatures.
 */
function fieldOf(one: PDFField, name: string): Field | null {
  const common = { required: one.isRequired() }
  if (one instanceof PDFTextField)
    return one.isPassword() || one.isFileSelector()
      ? null
      : {
          ...blankField('text', name),
          ...common,
          long: one.isMultiline(),
          maxLength: Math.min(Math.max(0, one.getMaxLength() ?? 0) || (one.isMultiline() ? 2000 : 200), 10_000),
        }
  if (one instanceof PDFCheckBox) return { ...blankField('checkbox', name), ...common }
  if (one instanceof PDFRadioGroup) return chosenFrom(one.getOptions(), name, common)
  if (one instanceof PDFDropdown || one instanceof PDFOptionList) {
    if (!one.isMultiselect()) return chosenFrom(one.getOptions(), name, common)
    const options = selectable(one.getOptions())
    return options.length === 0 ? null : { ...blankField('choices', name), ...common, options }
  }
  return null
}

function chosenFrom(values: readonly string[], name: string, common: { required: boolean }): Field | null {
  const options = selectable(values)
  return options.length === 0 ? null : { ...blankField('choice', name), ...common, options }
}

/** Font that has the letters of most European languages. The fonts in a PDF often lack accented letters. */
const FONT = 'pdfjs-dist/standard_fonts/LiberationSans-Regular.ttf'
let own: Face | null = null

/**
 * Fills the answers into the PDF and flattens it, because some programs do not show fillable fields.
 * @throws the errors of `@cantoo/pdf-lib`. Staff see these errors when they upload the PDF
 */
export async function fillForm(
  content: Uint8Array,
  { definition, mapping }: { definition: Definition; mapping: readonly Pick<MappedField, 'name' | 'pdf'>[] },
  answers: Answers,
): Promise<Uint8Array> {
  const fieldsByName = new Map(allFields(definition).map((field) => [field.name, field]))
  const named = new Map(mapping.map(({ name, pdf }) => [pdf, name]))
  return fillEach(content, (one) => {
    const field = fieldsByName.get(named.get(one.getName()) ?? '')
    if (field) fill(one, field, answers[field.name])
    return field !== undefined
  })
}

/** Fills in the fields of a PDF with `set`, then flattens the PDF. Redraws each field for which `set` returns true. */
export async function fillEach(content: Uint8Array, set: (one: PDFField) => boolean): Promise<Uint8Array> {
  const document = await PDFDocument.load(content, { updateMetadata: false })
  repairFields(document)
  document.registerFontkit(fontkit)
  own ??= faceOf('form', readFileSync(createRequire(import.meta.url).resolve(FONT)))
  const embedded = new Map<string, PDFFont>()
  const fontFor = async (text: string): Promise<PDFFont> => {
    const face = faceFor(text, own as Face)
    const font = embedded.get(face.name) ?? (await document.embedFont(face.data, { subset: true }))
    embedded.set(face.name, font)
    return font
  }
  const form = document.getForm()
  for (const one of form.getFields()) {
    if (!set(one) || !('updateAppearances' in one) || one instanceof PDFCheckBox || one instanceof PDFRadioGroup)
      continue
    const font = await fontFor(textOf(one))
    if (one instanceof PDFTextField || one instanceof PDFDropdown || one instanceof PDFOptionList) fit(one, font)
    ;(one as PDFTextField).updateAppearances(font)
  }
  form.flatten({ updateFieldAppearances: false })
  return document.save()
}

function textOf(one: PDFField): string {
  if (one instanceof PDFTextField) return one.getText() ?? ''
  if (one instanceof PDFDropdown) return one.getSelected().join(' ')
  return one instanceof PDFOptionList ? one.getOptions().join(' ') : ''
}

/** Smallest readable font size, in points. */
const MIN_FONT_SIZE = 4

/** Largest automatic font size (size 0 in the PDF), in points, as in Acrobat. A smaller box gets a smaller size. */
const MAX_AUTO_FONT_SIZE = 12

/**
 * Sets a font size that fits each box of a field. Otherwise, the library cuts off long text or enlarges short text to
 * fill the box.
 */
function fit(one: PDFTextField | PDFDropdown | PDFOptionList, font: PDFFont): void {
  for (const widget of one.acroField.getWidgets()) {
    const appearance = widget.getDefaultAppearance() ?? one.acroField.getDefaultAppearance() ?? ''
    const { declaredSize, withSize } = sizeOf(appearance)
    const { width, height } = widget.getRectangle()
    const isTurned = Math.abs(widget.getAppearanceCharacteristics()?.getRotation() ?? 0) % 180 === 90
    const edge = 2 * ((widget.getBorderStyle()?.getWidth() ?? 0) + 1)
    const room = {
      width: Math.abs(isTurned ? height : width) - edge,
      height: Math.abs(isTurned ? width : height) - edge,
    }
    const size = Math.max(MIN_FONT_SIZE, Math.min(declaredSize || MAX_AUTO_FONT_SIZE, largest(one, font, room)))
    if (size !== declaredSize) widget.setDefaultAppearance(withSize(size))
  }
}

/** Finds the largest font size that shows the whole text. */
function largest(
  one: PDFTextField | PDFDropdown | PDFOptionList,
  font: PDFFont,
  room: { width: number; height: number },
): number {
  const of = { font, bounds: { x: 0, y: 0, ...room }, alignment: TextAlignment.Left }
  if (one instanceof PDFOptionList) return layoutMultilineText(one.getOptions().join('\n'), of).fontSize
  if (one instanceof PDFDropdown) return layoutSinglelineText(one.getSelected()[0] ?? '', of).fontSize
  const text = one.getText() ?? ''
  if (one.isMultiline()) return layoutMultilineText(text, of).fontSize
  if (one.isCombed()) return layoutCombedText(text, { ...of, cellCount: one.getMaxLength() ?? 1 }).fontSize
  return layoutSinglelineText(text, of).fontSize
}

function fill(one: PDFField, field: Field, answer: Answer | undefined): void {
  if (one instanceof PDFCheckBox) {
    if (answer === true) one.check()
    else one.uncheck()
  } else if (one instanceof PDFTextField) {
    const text = answer === undefined ? '' : answerText(field, answer)
    const maxLength = one.getMaxLength()
    // Staff may allow longer answers than the PDF field. Such answers are cut at the PDF field's limit.
    one.setText(maxLength ? text.slice(0, maxLength) : text)
  } else if (one instanceof PDFRadioGroup || one instanceof PDFDropdown || one instanceof PDFOptionList) {
    const wanted: readonly unknown[] = Array.isArray(answer) ? answer : [answer]
    const values = optionsOf(one.getOptions()).flatMap(({ pdf, value }) => (wanted.includes(value) ? [pdf] : []))
    if (values.length === 0) one.clear()
    else if (one instanceof PDFRadioGroup) one.select(values[0] ?? '')
    else one.select(values)
  }
}
