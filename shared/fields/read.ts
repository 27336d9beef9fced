import { typeState } from '../address.ts'
import { formatDate } from '../dates.ts'
import { newEmail } from '../email.ts'
import { isoDate } from '../iso-date.ts'
import { formatCents, MAX_CENTS, parseCents } from '../money.ts'
import { isPhone, nationalDigits } from '../phone.ts'
import { plainTyped } from '../visible.ts'
import { isState, STATE_UNKNOWN } from '../states.ts'
import type { Answer } from './answer.ts'
import type { Field, FieldOf, FieldType } from './definition.ts'
import { decimalsOf, parseNumber } from './numbers.ts'
import { readSignature } from './signature.ts'
import { readRows } from './table.ts'
import { plural, say } from '../messages.ts'

/** Result of reading an input: an answer, or errors for the field ('') and its parts ('zipcode', '0.price'). */
export interface FieldReadResult {
  answer?: Answer
  errors?: Record<string, string>
}

export const EMPTY: FieldReadResult = {}
export const invalid = (message: string): FieldReadResult => ({ errors: { '': message } })
const INVALID_KIND = 'We could not read this answer. Answer the question again.'

/** Removes control characters and lone surrogates, because the database can't store them. */
export const cleanText = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
    .trim()

const isNothing = (raw: unknown): boolean => raw === undefined || raw === null || raw === '' || raw === false

/** Creates a reader for fields with a text input. Empty input counts as unanswered. */
const typed =
  <F extends Field>(read: (text: string, field: F, today: string) => FieldReadResult) =>
  (field: F, raw: unknown, today: string): FieldReadResult => {
    if (typeof raw !== 'string') return invalid(INVALID_KIND)
    const text = cleanText(raw)
    return text === '' ? EMPTY : read(text, field, today)
  }

function amount(raw: unknown, { min, max }: { min: number | null; max: number | null }): FieldReadResult {
  const cents = typeof raw === 'string' ? (raw.trim() === '' ? undefined : parseCents(raw)) : raw
  if (cents === undefined) return EMPTY
  if (typeof cents !== 'number' || !Number.isInteger(cents) || cents < 0)
    return invalid(say`Enter an amount, such as 25.00.`)
  if (cents > (max ?? MAX_CENTS)) return invalid(say`Enter no more than ${formatCents(max ?? MAX_CENTS)}.`)
  if (cents < (min ?? 0)) return invalid(say`Enter at least ${formatCents(min ?? 0)}.`)
  // Adds 0 to avoid negative zero, which JSON does not have.
  return { answer: cents + 0 }
}

function number(field: FieldOf<'number'>, raw: unknown): FieldReadResult {
  const text = typeof raw === 'number' ? String(raw) : raw
  if (typeof text !== 'string') return invalid(INVALID_KIND)
  if (text.trim() === '') return EMPTY
  const value = parseNumber(text)
  if (value === null) return invalid(say`Enter a number, such as 12.`)
  if (decimalsOf(value) > field.decimals)
    return invalid(
      field.decimals === 0
        ? say`Enter a whole number.`
        : say`Enter no more than ${plural(field.decimals, '# digit', '# digits')} after the decimal point.`,
    )
  if (field.min !== null && value < field.min) return invalid(say`Enter ${field.min} or more.`)
  if (field.max !== null && value > field.max) return invalid(say`Enter ${field.max} or less.`)
  return { answer: value }
}

/** Replaces the date limit `today` with today's date. */
export const limitDay = (limit: string | null, today: string): string | null => (limit === 'today' ? today : limit)

function date(text: string, field: FieldOf<'date'>, today: string): FieldReadResult {
  const day = isoDate.safeParse(text)
  if (!day.success) return invalid(day.error.issues[0]?.message ?? INVALID_KIND)
  const [earliest, latest] = [limitDay(field.earliest, today), limitDay(field.latest, today)]
  const called = (limit: string) => (limit === today ? 'today' : formatDate(limit))
  if (earliest !== null && text < earliest) return invalid(say`Choose ${called(earliest)} or a later day.`)
  if (latest !== null && text > latest) return invalid(say`Choose ${called(latest)} or an earlier day.`)
  return { answer: text }
}

function choices(field: FieldOf<'choices'>, raw: unknown): FieldReadResult {
  if (!Array.isArray(raw)) return invalid(INVALID_KIND)
  if (raw.length === 0) return EMPTY
  const values = field.options.map(({ value }) => value)
  if (raw.some((one) => !values.includes(one as string))) return invalid(say`Choose from the answers in the list.`)
  const chosen = values.filter((value) => raw.includes(value))
  if (chosen.length < field.min) return invalid(say`Choose at least ${field.min} answers.`)
  if (field.max !== null && chosen.length > field.max)
    return invalid(say`Choose ${plural(field.max, 'only one answer', 'no more than # answers')}.`)
  return { answer: chosen }
}

const MAX_LINE_LENGTH = 100

function address(_field: FieldOf<'address'>, raw: unknown): FieldReadResult {
  if (typeof raw !== 'object' || raw === null) return invalid(INVALID_KIND)
  const part = (name: string): string => {
    const value = Object.hasOwn(raw, name) ? (raw as Record<string, unknown>)[name] : ''
    return typeof value === 'string' ? cleanText(value) : ''
  }
  const answer = {
    address1: part('address1'),
    address2: part('address2'),
    city: part('city'),
    state: typeState(part('state')),
    zipcode: part('zipcode'),
  }
  if (Object.values(answer).every((text) => text === '')) return EMPTY
  const errors: Record<string, string> = {}
  for (const name of ['address1', 'address2', 'city'] as const)
    if (answer[name].length > MAX_LINE_LENGTH) errors[name] = say`Use up to ${MAX_LINE_LENGTH} characters.`
  if (answer.address1 === '') errors['address1'] = say`Enter the house number and street.`
  if (answer.city === '') errors['city'] = say`Enter the city.`
  if (answer.state === '') errors['state'] = say`Enter the two-letter state code.`
  else if (!isState(answer.state)) errors['state'] = STATE_UNKNOWN
  if (!/^\d{5}$/.test(answer.zipcode)) errors['zipcode'] = say`Enter the 5-digit ZIP code.`
  return Object.keys(errors).length > 0 ? { errors } : { answer }
}

function files(field: FieldOf<'file'>, raw: unknown): FieldReadResult {
  if (!Array.isArray(raw)) return invalid(INVALID_KIND)
  if (raw.length === 0) return EMPTY
  if (raw.length > field.maxFiles)
    return invalid(field.maxFiles === 1 ? say`Add only one file.` : say`Add no more than ${field.maxFiles} files.`)
  const answer = raw.map((file: unknown) => {
    const { owner, id, name } = (typeof file === 'object' && file !== null ? file : {}) as Record<string, unknown>
    if (typeof owner !== 'string' || typeof id !== 'string' || typeof name !== 'string') return null
    const clean = { owner: cleanText(owner), id: cleanText(id), name: cleanText(name.slice(0, 200)) }
    return /^[\w:-]{1,60}$/.test(clean.owner) && /^[\w-]{1,60}$/.test(clean.id) ? clean : null
  })
  const present = answer.filter((file) => file !== null)
  if (present.length < answer.length || new Set(present.map(({ id }) => id)).size < present.length)
    return invalid(say`One file was not uploaded completely. Remove the file and add it again.`)
  return { answer: present }
}

type Reader<Type extends FieldType> = (field: FieldOf<Type>, raw: unknown, today: string) => FieldReadResult

const readers: { [Type in Exclude<FieldType, 'computed'>]: Reader<Type> } = {
  text: typed((text, { minLength, maxLength }) => {
    if (text.length > maxLength)
      return invalid(
        say`Use no more than ${plural(maxLength, '# character', '# characters')}. You entered ${text.length}.`,
      )
    return text.length < minLength ? invalid(say`Use at least ${minLength} characters.`) : { answer: text }
  }),
  choice: typed((text, { options }) =>
    options.some(({ value }) => value === text) ? { answer: text } : invalid(say`Choose an answer from the list.`),
  ),
  choices,
  date: typed(date),
  checkbox: (_field, raw) => (raw === true ? { answer: true } : invalid(INVALID_KIND)),
  number,
  payment: (field, raw) => amount(raw, field),
  money: (field, raw) => amount(raw, field),
  address,
  email: typed((text) => {
    const read = newEmail.safeParse(text)
    return read.success ? { answer: read.data } : invalid(read.error.issues[0]?.message ?? INVALID_KIND)
  }),
  phone: typed((text) =>
    isPhone(plainTyped(text)) ? { answer: nationalDigits(text) } : invalid(say`Enter a 10-digit phone number.`),
  ),
  file: files,
  signature: (_field, raw) => readSignature(raw),
  table: (field, raw, today) => readRows(field, raw, (column, cell) => readAnswer(column, cell, today)),
  reading: () => EMPTY,
}

/** Error messages for required fields without an answer. */
const missing: Record<FieldType, string> = {
  text: 'Enter an answer.',
  choice: 'Choose an answer.',
  choices: 'Choose at least one answer.',
  date: 'Choose a day.',
  checkbox: 'Check this box to continue.',
  number: 'Enter a number.',
  payment: 'Enter an amount, such as 25.00.',
  money: 'Enter an amount, such as 25.00.',
  address: 'Enter the address.',
  email: 'Enter an email address.',
  phone: 'Enter a phone number.',
  file: 'Add a file.',
  signature: 'Sign by hand, or type your name.',
  table: 'Add at least one row.',
  reading: '',
  computed: '',
}

/**
 * Returns the error for an unanswered field. For a checkbox, the error includes the label, because the list of errors
 * shows no labels.
 */
const missingIn = ({ type, label }: Field): string =>
  type === 'checkbox' && label !== '' ? say`Check “${label}” to continue.` : missing[type]

/** Reads the input of one field, by the field's rules. */
export function readAnswer(field: Field, raw: unknown, today: string): FieldReadResult {
  if (field.type === 'reading' || field.type === 'computed') return EMPTY
  // If the amount is fixed, ignores the value that the browser sent.
  if (field.type === 'payment' && field.fixed !== null) return { answer: field.fixed }
  const read = isNothing(raw) ? EMPTY : (readers[field.type] as Reader<FieldType>)(field as never, raw, today)
  return field.required && read.answer === undefined && !read.errors ? invalid(missingIn(field)) : read
}
