import { type PDFDocument, type PDFField, PDFHexString, PDFName, PDFString } from '@cantoo/pdf-lib'
import { say } from '../../shared/messages.ts'

const MAX_LABEL = 150

/** Returns the last part of a name: `Owner Name` for `topmostSubform[0].Owner Name[0]`. */
export const lastPart = (pdf: string): string => (pdf.split('.').at(-1) ?? pdf).replace(/\[\d+\]$/, '')

/**
 * Meaningless field names that form programs assign by default: `undefined_3`, `Text Field 7`, `fill_12`, `Field 2`.
 */
const MEANINGLESS =
  /^(undefined|untitled|unnamed|null|fill|field|text|text ?(field|box)|check ?box|radio ?(button|group)?|group|combo ?box|drop ?down( ?list)?|list ?box|button|dhformfield|q|f|c|p|t)?[\d\s.#-]*(af ?(date|image))?$/i

/**
 * Returns a label for each field. A meaningless or repeated label also gets the position of its field: “Name (page 2,
 * top left)”.
 */
export function labelsOf(document: PDFDocument, fields: readonly PDFField[]): string[] {
  const labels = fields.map(labelOf)
  const read = labels.map((label) => label.toLowerCase())
  const counts = new Map<string, number>()
  for (const label of read) counts.set(label, (counts.get(label) ?? 0) + 1)
  const taken = new Set<string>()
  return fields.map((field, at) => {
    const label = labels[at] ?? ''
    const isClear = label !== '' && counts.get(read[at] ?? '') === 1
    const positionLabel = isClear ? '' : positionLabelOf(document, field)
    const baseLabel = positionLabel === '' ? label || say`Field` : say`${label || say`Field`} (${positionLabel})`
    let made = baseLabel
    for (let nth = 2; taken.has(made.toLowerCase()); nth += 1) made = `${baseLabel} ${nth}`
    taken.add(made.toLowerCase())
    return made
  })
}

/**
 * Returns the field's description for screen readers, or else its name in words: “Owner name” for `OwnerName`. '' if
 * the field has neither.
 */
function labelOf(field: PDFField): string {
  const tooltip = field.acroField.dict.lookup(PDFName.of('TU'))
  const text = tooltip instanceof PDFString || tooltip instanceof PDFHexString ? tooltip.decodeText() : ''
  const name = lastPart(field.getName()).replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
  const label = [text, name].map(tidy).find((one) => one !== '' && !MEANINGLESS.test(one)) ?? ''
  return label.charAt(0).toUpperCase() + label.slice(1)
}

const tidy = (text: string): string =>
  text
    .replaceAll(/[\p{C}<>_\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_LABEL)
    .trim()

/** Returns the position of a field in words: “page 2, top left”. '' if no page shows the field. */
function positionLabelOf(document: PDFDocument, field: PDFField): string {
  const pages = document.getPages()
  for (const widget of field.acroField.getWidgets()) {
    const at = pages.findIndex(({ ref }) => ref === widget.P())
    const page = pages[at]
    if (!page) continue
    const { x, y, width, height } = widget.getRectangle()
    const box = page.getCropBox()
    const right = (x + width / 2 - box.x) / box.width
    const up = (y + height / 2 - box.y) / box.height
    const turns = (((page.getRotation().angle / 90) % 4) + 4) % 4
    const [across, down] = (
      [
        [right, 1 - up],
        [up, right],
        [1 - right, up],
        [1 - up, 1 - right],
      ] as const
    )[turns as 0 | 1 | 2 | 3] ?? [right, 1 - up]
    return say`page ${at + 1}, ${partOf(across, down)}`
  }
  return ''
}

function partOf(across: number, down: number): string {
  const column = across < 1 / 3 ? 0 : across < 2 / 3 ? 1 : 2
  const row = down < 1 / 3 ? 0 : down < 2 / 3 ? 1 : 2
  const parts = [
    [say`top left`, say`top center`, say`top right`],
    [say`middle left`, say`middle`, say`middle right`],
    [say`bottom left`, say`bottom center`, say`bottom right`],
  ]
  return parts[row]?.[column] ?? ''
}
