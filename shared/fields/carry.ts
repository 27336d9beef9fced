import type { Raw } from './answer.ts'
import type { Column, Definition, Field, FieldOf } from './definition.ts'
import { allFields } from './walk.ts'
import { readAnswer } from './read.ts'
import { answerText } from './labels.ts'
import { say } from '../messages.ts'

export interface CarriedAnswers {
  /** Values as the person typed them, converted to the new version of the form. */
  raw: Record<string, unknown>
  /** Messages about the changes. They quote each answer that could not be transferred to the new version. */
  changes: string[]
}

const isBlank = (raw: unknown): boolean =>
  raw === undefined ||
  raw === null ||
  raw === '' ||
  raw === false ||
  (typeof raw === 'object' && Object.values(raw).every(isBlank))

/** Returns the typed value as a string, even if it was not a valid answer. */
function typedText(field: Field, raw: unknown, today: string): string {
  const { answer } = readAnswer({ ...field, required: false }, raw, today)
  if (answer !== undefined) return answerText(field, answer)
  if (typeof raw === 'string' || typeof raw === 'number') return String(raw)
  return Object.values(raw ?? {})
    .filter((part) => typeof part === 'string')
    .join(', ')
}

/** True if the field accepts the value as typed. For example, a number field accepts the text "12". */
const fits = (field: Field, raw: unknown, today: string): boolean =>
  readAnswer({ ...field, required: false }, raw, today).errors === undefined

/** Converts the typed values of a draft to another version of the form. Fields of both versions are matched by name. */
export function carryOver(from: Definition, to: Definition, typed: Raw, today: string): CarriedAnswers {
  const raw: Record<string, unknown> = {}
  const changes: string[] = []
  const [before, after] = [allFields(from), allFields(to)]
  const isAnswered = (field: Field) => field.type !== 'reading' && field.type !== 'computed'
  for (const old of before.filter(isAnswered)) {
    if (after.some(({ name }) => name === old.name) || isBlank(typed[old.name])) continue
    changes.push(say`“${old.label}” was removed. Your answer was: ${typedText(old, typed[old.name], today)}.`)
  }
  for (const now of after) {
    const was = before.find(({ name }) => name === now.name)
    if (!was || !isAnswered(was)) {
      if (isAnswered(now)) changes.push(say`“${now.label}” is a new question.`)
      else if (!was)
        changes.push(now.type === 'reading' ? say`“${now.label}” is a new text section.` : say`“${now.label}” is new.`)
      continue
    }
    if (was.label !== now.label) changes.push(say`“${was.label}” is now called “${now.label}”.`)
    if (now.required && !was.required && isAnswered(now)) changes.push(say`“${now.label}” is now required.`)
    const value = typed[was.name]
    if (isBlank(value)) continue
    const result = carryField(was, now, value, today)
    if (result.raw !== undefined) raw[now.name] = result.raw
    changes.push(...result.changes)
  }
  return { raw, changes }
}

function carryField(was: Field, now: Field, value: unknown, today: string): { raw?: unknown; changes: string[] } {
  const text = typedText(was, value, today)
  const lost = (why: string) => ({ changes: [say`${why} Your answer was: ${text}.`] })
  if (was.type !== now.type) {
    const carried = inOtherType(was, now, value, text)
    return fits(now, carried, today)
      ? { raw: carried, changes: [say`The answer format of “${now.label}” changed. Check your answer: ${text}.`] }
      : lost(say`The answer format of “${now.label}” changed, so we could not keep your answer.`)
  }
  if (now.type === 'choice' && was.type === 'choice')
    return fits(now, value, today) || !fits(was, value, today)
      ? { raw: value, changes: [] }
      : lost(say`The answer that you chose for “${now.label}” is no longer available.`)
  if (now.type === 'choices' && was.type === 'choices' && Array.isArray(value)) {
    const left = value.filter((one) => now.options.some((option) => option.value === one))
    const change =
      left.length < value.length ? lost(say`Some of your answers to “${now.label}” are no longer available.`) : null
    return { raw: left, changes: change?.changes ?? tooTight(was, now, left, today) }
  }
  if (now.type === 'table' && was.type === 'table' && Array.isArray(value)) return carryRows(was, now, value, today)
  return { raw: value, changes: tooTight(was, now, value, today) }
}

/**
 * Converts a typed value to the field's new type. Returns the value unchanged if no conversion exists that preserves
 * all information.
 */
function inOtherType(was: Field, now: Field, value: unknown, text: string): unknown {
  if (now.type === 'text' && was.type !== 'file' && was.type !== 'signature') return text
  if (now.type === 'choices' && typeof value === 'string') return [value]
  if (now.type === 'choice' && Array.isArray(value) && value.length === 1) return value[0]
  return value
}

/** Returns a message if a previously valid value exceeds the field's new limits. The value stays in the draft. */
function tooTight(was: Field, now: Field, value: unknown, today: string): string[] {
  const message = readAnswer({ ...now, required: false }, value, today).errors?.['']
  return message && fits(was, value, today) ? [say`“${now.label}” has new limits. ${message}`] : []
}

function carryRows(was: FieldOf<'table'>, now: FieldOf<'table'>, rows: unknown[], today: string) {
  const changes: string[] = []
  const carried = rows.map(() => ({}) as Record<string, unknown>)
  const cellOf = (row: unknown, { name }: Column) => (row as Raw | null)?.[name]
  for (const old of was.columns) {
    const column = now.columns.find(({ name }) => name === old.name)
    const lost: string[] = []
    for (const [index, row] of rows.entries()) {
      const cell = cellOf(row, old)
      if (isBlank(cell)) continue
      if (column && (column.type === old.type || fits(column, cell, today)) && !isGone(old, column, cell))
        (carried[index] as Record<string, unknown>)[column.name] = cell
      else lost.push(typedText(old, cell, today))
    }
    if (lost.length > 0)
      changes.push(say`The column “${old.label}” in “${now.label}” changed. You entered: ${lost.join('; ')}.`)
  }
  for (const column of now.columns)
    if (was.columns.every(({ name }) => name !== column.name))
      changes.push(say`“${now.label}” has a new column, “${column.label}”.`)
  return { raw: carried, changes: [...changes, ...tooTight(was, now, carried, today)] }
}

/** True if the new options no longer contain the chosen option. */
const isGone = (was: Column, now: Column, cell: unknown): boolean =>
  was.type === 'choice' && now.type === 'choice' && now.options.every(({ value }) => value !== cell)
