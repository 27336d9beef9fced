import { mergeFields, same, type Values } from '../shared/edits.ts'
import type { Definition, FieldType, FormStep } from '../shared/fields/definition.ts'
import { fromParts, partLabel, threeParts } from '../shared/fields/parts.ts'
import { say, translated } from '../shared/messages.ts'
import { type Content, type ContentKind, settingsOf } from './contents.ts'

/** Merges two contents of a record, and describes the differences as text. */

/** Difference between a record and its merged content. */
export interface Difference {
  /** Name of the part: a setting, a step, a question or an order. */
  part: string
  label: string
  change: 'added' | 'changed' | 'removed'
  before: string
  after: string
  /** Types of a question, if they differ or the question is new. */
  types: { before: FieldType | null; after: FieldType | null } | null
  /** True if staff changed the part as well. They choose one of the two versions. */
  isConflict: boolean
}

export type Side = 'own' | 'new'
export type Choices = Readonly<Record<string, Side>>

export interface Merge {
  merged: Content
  differences: Difference[]
  /** Conflicts without a choice. */
  open: string[]
}

const SETTING = 'setting '
const empty: Definition = { steps: [] }
const settingParts = (values: Values) =>
  Object.fromEntries(Object.entries(values).map(([field, value]) => [SETTING + field, value]))
const editable = (questions: Definition | null) => ({ name: '', steps: (questions ?? empty).steps })

/**
 * Merges a new content into a record.
 * @param contents.basis content that `next` replaces. Changes of staff are the differences between `basis` and `now`
 */
export function mergeContents(
  kind: ContentKind,
  contents: { basis: Content; next: Content; now: Content },
  choices: Choices = {},
): Merge {
  const [basis, next, now] = [contents.basis, contents.next, contents.now].map(({ settings, questions }) => ({
    settings: settingParts(withoutNew(kind, settingsOf(kind, settings))),
    questions: editable(questions),
  })) as [Parted, Parted, Parted]
  const questions = threeParts(basis.questions, next.questions, now.questions)
  const own = { ...next.settings, ...questions.own }
  const stored = { ...now.settings, ...questions.now }
  const { merged, collided } = mergeFields({ ...basis.settings, ...questions.basis }, own, stored)
  const conflicts = [...collided.keys()].filter((part) => !isOrder(part))
  for (const part of conflicts) merged[part] = choices[part] === 'new' ? own[part] : stored[part]
  const parts = Object.keys(own).filter((part) => conflicts.includes(part) || !same(merged[part], stored[part]))
  return {
    merged: {
      settings: Object.fromEntries(
        Object.entries(merged).flatMap(([part, value]) =>
          part.startsWith(SETTING) ? [[part.slice(SETTING.length), value]] : [],
        ),
      ),
      questions: contents.next.questions || contents.now.questions ? { steps: fromParts(merged).steps } : null,
    },
    differences: parts.flatMap((part) =>
      differenceOf(kind, part, { stored, next: own, isConflict: conflicts.includes(part) }),
    ),
    open: conflicts.filter((part) => !choices[part]),
  }
}

interface Parted {
  settings: Record<string, unknown>
  questions: ReturnType<typeof editable>
}

const isOrder = (part: string) => part === 'order' || part.startsWith('fields ')
const withoutNew = ({ onlyNew = [] }: ContentKind, settings: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(settings).filter(([field]) => !onlyNew.includes(field)))

interface Sides {
  stored: Values
  next: Values
  isConflict: boolean
}

function differenceOf(kind: ContentKind, part: string, { stored, next, isConflict }: Sides): Difference[] {
  const [before, after] = [stored[part], next[part]]
  const change = before === null ? 'added' : after === null ? 'removed' : 'changed'
  const shared = { part, isConflict, types: null }
  if (part.startsWith(SETTING)) {
    const field = part.slice(SETTING.length)
    const texts = { before: settingText(kind, field, before), after: settingText(kind, field, after) }
    return [{ ...shared, change: 'changed', label: translated(kind.settings[field] ?? field), ...texts }]
  }
  if (part === 'order') return [{ ...shared, change: 'changed', label: say`Order of the steps`, before: '', after: '' }]
  if (part.startsWith('fields ')) {
    const step = `step ${part.slice('fields '.length)}`
    if (!stored[step] || !next[step] || !isReordered(stored[part], next[part])) return []
    return [{ ...shared, change: 'changed', label: say`Order of the questions`, before: '', after: '' }]
  }
  if (part.startsWith('home ')) {
    const field = `field ${part.slice('home '.length)}`
    if (!stored[field] || !next[field]) return []
    const titleOf = (side: Values, id: unknown) => String((side[`step ${String(id)}`] as FormStep | null)?.title ?? '')
    const texts = { before: titleOf(stored, before), after: titleOf(next, after) }
    return [{ ...shared, change: 'changed', label: partLabel(part, stored, next), ...texts }]
  }
  const [old, now] = [before, after] as (Item | null)[] as [Item | null, Item | null]
  const typeOf = (item: Item | null) => (part.startsWith('field ') ? ((item?.['type'] as FieldType) ?? null) : null)
  const types = { before: typeOf(old), after: typeOf(now) }
  return [
    {
      ...{ part, isConflict, change, label: partLabel(part, stored, next) },
      types: types.before === types.after ? null : types,
      before: linesOf(old, now).join('\n'),
      after: linesOf(now, old).join('\n'),
    },
  ]
}

/** True if the questions that both lists have are in another order. */
function isReordered(before: unknown, after: unknown): boolean {
  const [old, now] = [before, after] as [string[], string[]]
  return !same(
    old.filter((name) => now.includes(name)),
    now.filter((name) => old.includes(name)),
  )
}

/** Returns the value of a setting as text. */
export function settingText(kind: ContentKind, field: string, value: unknown): string {
  const text = kind.texts?.[field]
  if (text && value !== undefined) return text(value as never)
  if (value === null || value === undefined || value === '') return ''
  if (typeof value === 'boolean') return value ? say`Yes` : say`No`
  return Array.isArray(value) ? value.join(', ') : String(value as string | number)
}

type Item = Readonly<Record<string, unknown>>

/** Labels of the properties of steps and questions. The type has its own place. */
const PROPERTIES: Readonly<Record<string, string>> = {
  ...{ title: 'Title', label: 'Question', help: 'Help text', intro: 'Introduction', text: 'Text' },
  ...{ required: 'Required', options: 'Answers', showWhen: 'Condition', columns: 'Columns', terms: 'Calculation' },
  ...{ long: 'Several lines', minLength: 'Minimum length', maxLength: 'Maximum length', prefill: 'Filled in with' },
  ...{ min: 'Minimum', max: 'Maximum', decimals: 'Decimals', earliest: 'Earliest day', latest: 'Latest day' },
  ...{ fixed: 'Fixed amount', accept: 'Accepted files', maxFiles: 'Maximum files', row: 'Name of a row' },
  ...{ maxMegabytes: 'Maximum megabytes', charged: 'Added to the fee' },
}

/** Lists the properties that only one side has, or that differ, as lines of text. */
function linesOf(item: Item | null, other: Item | null): string[] {
  return Object.entries(PROPERTIES).flatMap(([property, label]) => {
    const value = item?.[property]
    if (value === undefined || value === null || value === '' || same(value, other?.[property])) return []
    return [`${translated(label)}: ${propertyText(value)}`]
  })
}

function propertyText(value: unknown): string {
  if (typeof value === 'boolean') return value ? say`Yes` : say`No`
  if (Array.isArray(value)) return value.map(({ label }: { label: string }) => label).join(', ')
  return typeof value === 'object' ? say`Set` : String(value as string | number)
}
