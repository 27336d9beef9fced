import {
  type Definition,
  type Field,
  type FieldOf,
  FIELD_LIMITS,
  sketch,
  type Prefill,
  type FieldType,
} from './definition.ts'
import { allFields } from './walk.ts'
import { conditionMistakes, termMistakes } from './references.ts'
import { say } from '../messages.ts'

/** A mistake that staff must correct before they publish a definition. */
export interface Mistake {
  /** Path to the faulty part: `['steps', 0, 'fields', 2, 'label']`. */
  path: (string | number)[]
  text: string
}

export const mistakeAt = (message: string, ...path: (string | number)[]): Mistake => ({ path, text: message })
const below = (path: (string | number)[], mistakes: readonly Mistake[]): Mistake[] =>
  mistakes.map((mistake) => mistakeAt(mistake.text, ...path, ...mistake.path))

/** Names that no field may have, because the form itself uses them or because every JavaScript object inherits them. */
export const RESERVED: ReadonlySet<string> = new Set([
  'root',
  'ref',
  'type',
  'types',
  'message',
  'constructor',
  'prototype',
])

/** Profile values that can prefill each field type. */
export const prefillsOf: Partial<Record<FieldType, readonly Prefill[]>> = {
  text: ['full_name', 'first_name', 'last_name'],
  email: ['email'],
  phone: ['phone'],
  address: ['address'],
  date: ['today'],
}

/** Returns the indexes of strings that repeat an earlier string. Ignores case, and spaces at both ends. */
function repeated(texts: readonly string[]): number[] {
  const read = texts.map((text) => text.trim().toLowerCase())
  return read.flatMap((text, at) => (text !== '' && read.indexOf(text) < at ? [at] : []))
}

function optionMistakes({ options }: FieldOf<'choice' | 'choices'>): Mistake[] {
  if (options.length === 0) return [mistakeAt(say`Add answers to choose from.`, 'options')]
  return [
    ...options.flatMap(({ value, label }, at) => {
      if (label.trim() === '')
        return [mistakeAt(say`Enter text for this answer, or remove it.`, 'options', at, 'label')]
      return value.trim() === ''
        ? [mistakeAt(say`This answer has no internal name. Remove it and add it again.`, 'options', at)]
        : []
    }),
    ...repeated(options.map(({ label }) => label)).map((at) =>
      mistakeAt(say`This answer appears twice. Change or remove one of them.`, 'options', at, 'label'),
    ),
    ...repeated(options.map(({ value }) => value)).map((at) =>
      mistakeAt(say`Two answers have the same internal name. Remove one of them and add it again.`, 'options', at),
    ),
  ]
}

const order = (min: number | null, max: number | null, part: string): Mistake[] =>
  min !== null && max !== null && min > max
    ? [mistakeAt(say`The maximum is less than the minimum. Change one of them.`, part)]
    : []

/** Finds mistakes within one field, in its limits and content. */
function ownMistakes(field: Field): Mistake[] {
  switch (field.type) {
    case 'text':
      return order(field.minLength, field.maxLength, 'maxLength')
    case 'number':
      return order(field.min, field.max, 'max')
    case 'money':
    case 'payment':
      return order(field.min, field.max, 'max')
    case 'date':
      // Skips the limit “today”, because it changes daily.
      return field.earliest !== 'today' && field.latest !== 'today' && (field.earliest ?? '') > (field.latest ?? '9999')
        ? [mistakeAt(say`The latest day is before the earliest day. Change one of them.`, 'latest')]
        : []
    case 'choice':
      return optionMistakes(field)
    case 'choices':
      return [
        ...optionMistakes(field),
        ...order(field.min, field.max, 'max'),
        ...(field.min > field.options.length && field.options.length > 0
          ? [mistakeAt(say`The list has fewer answers than this minimum. Add answers, or lower the minimum.`, 'min')]
          : []),
      ]
    case 'reading':
      return field.text.trim() === '' ? [mistakeAt(say`Enter the text that people will read.`, 'text')] : []
    case 'table':
      return [...tableMistakes(field), ...order(field.min, field.max, 'max')]
    default:
      return []
  }
}

function tableMistakes({ columns }: FieldOf<'table'>): Mistake[] {
  if (columns.length === 0) return [mistakeAt(say`Add a column.`, 'columns')]
  return [
    ...columns.flatMap((column, at) => below(['columns', at], [...nameMistakes(column), ...ownMistakes(column)])),
    ...repeated(columns.map(({ name }) => name)).map((at) =>
      mistakeAt(
        say`Two columns have the same internal name. Remove one of them and add it again.`,
        'columns',
        at,
        'name',
      ),
    ),
    ...repeated(columns.map(({ label }) => label)).map((at) =>
      mistakeAt(say`Two columns have this label. Change one of the labels.`, 'columns', at, 'label'),
    ),
  ]
}

const nameMistakes = ({ name, label, type }: Field): Mistake[] => [
  ...(RESERVED.has(name) ? [mistakeAt(say`“${name}” is a reserved name. Choose another name.`, 'name')] : []),
  ...(label.trim() === ''
    ? [
        mistakeAt(
          type === 'reading' ? say`Enter a heading for this text.` : say`Enter a label for this field.`,
          'label',
        ),
      ]
    : []),
]

function fieldMistakes(field: Field, all: readonly Field[]): Mistake[] {
  const prefill = 'prefill' in field ? field.prefill : null
  return [
    ...nameMistakes(field),
    ...ownMistakes(field),
    ...below(['showWhen'], conditionMistakes(field.showWhen, field, all)),
    ...(field.type === 'computed' ? below(['terms'], termMistakes(field, all)) : []),
    ...(prefill !== null && !prefillsOf[field.type]?.includes(prefill)
      ? [mistakeAt(say`This source cannot prefill this field. Choose another source, or none.`, 'prefill')]
      : []),
  ]
}

/** Finds all mistakes of a definition, each with a message. */
export function mistakesIn(definition: Definition): Mistake[] {
  const { steps } = definition
  const all = allFields(definition)
  if (steps.length === 0) return [mistakeAt(say`Add a step.`, 'steps')]
  const fieldPaths = steps.flatMap(({ fields }, s) => fields.map((_, f) => ['steps', s, 'fields', f] as const))
  return [
    ...(all.length > FIELD_LIMITS.fields
      ? [mistakeAt(say`Use no more than ${FIELD_LIMITS.fields} fields in total.`, 'steps')]
      : []),
    ...repeated(steps.map(({ id }) => id)).map((s) =>
      mistakeAt(say`Two steps have the same internal name. Remove one of them and add it again.`, 'steps', s, 'id'),
    ),
    ...repeated(all.map(({ name }) => name)).map((at) =>
      mistakeAt(
        say`Two fields have the internal name “${all[at]?.name ?? ''}”. Remove one of them and add it again.`,
        ...(fieldPaths[at] ?? []),
        'name',
      ),
    ),
    ...steps.flatMap((step, s) => {
      const before = steps.slice(0, s).flatMap(({ fields }) => fields)
      return below(
        ['steps', s],
        [
          ...(step.title.trim() === '' && steps.length > 1
            ? [mistakeAt(say`Enter a title for this step.`, 'title')]
            : []),
          ...(step.fields.length === 0
            ? [mistakeAt(say`Add a field to this step, or remove the step.`, 'fields')]
            : []),
          ...below(['showWhen'], conditionMistakes(step.showWhen, { before }, all)),
          ...repeated(step.fields.map(({ label }) => label)).map((f) =>
            mistakeAt(say`Two fields in this step have this label. Change one of the labels.`, 'fields', f, 'label'),
          ),
          ...step.fields.flatMap((field, f) => below(['fields', f], fieldMistakes(field, all))),
        ],
      )
    }),
  ]
}

/** Schema of a definition that can be published and answered. */
export const definition = sketch.check(({ value, issues }) => {
  for (const { path, text } of mistakesIn(value)) issues.push({ code: 'custom', path, message: text, input: value })
})

/** Creates an unused name for a new field, step or column from its label. */
export function nameFrom(label: string, existing: Iterable<string>): string {
  const used = new Set(existing)
  const plain = label
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+/, '')
    .slice(0, 32)
    .replace(/_+$/, '')
  const stem = plain === '' ? 'field' : plain
  for (let index = 1; ; index++) {
    const name = index === 1 ? stem : `${stem}_${index}`
    if (!used.has(name) && !RESERVED.has(name)) return name
  }
}
