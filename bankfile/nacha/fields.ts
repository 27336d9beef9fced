/**
 * Types of fixed-width fields. `number` has leading zeros and is read as an integer. `digits` is an identifier with
 * significant zeros. `text` is any text with its blanks, so that the writer reproduces the bytes read.
 */
export type FieldKind = 'number' | 'digits' | 'text'

export interface Field<K extends FieldKind = FieldKind> {
  kind: K
  width: number
}

export const number = (width: number): Field<'number'> => ({ kind: 'number', width })
export const digits = (width: number): Field<'digits'> => ({ kind: 'digits', width })
export const text = (width: number): Field<'text'> => ({ kind: 'text', width })

/** Fields of a record in order, after its first character, the record type. */
export type Layout = Record<string, Field>

export type ValuesOf<L extends Layout> = { [N in keyof L]: L[N]['kind'] extends 'number' ? number : string }

/** Length of every line, in characters. */
export const RECORD_LENGTH = 94

export interface BadField {
  field: string
  /** Counted from 1. */
  column: number
  value: string
}

/**
 * Splits a line into its fields. Reports a field to `complain` if it requires digits and has other characters. The
 * value of such a field is 0 or the original text.
 */
export function cut<L extends Layout>(layout: L, line: string, complain: (bad: BadField) => void): ValuesOf<L> {
  const values: Record<string, string | number> = {}
  let at = 1
  for (const [field, { kind, width }] of Object.entries(layout)) {
    const value = line.slice(at, at + width)
    if (kind !== 'text' && !/^\d+$/.test(value)) complain({ field, column: at + 1, value })
    values[field] = kind === 'number' ? readNumber(value) : value
    at += width
  }
  return values as ValuesOf<L>
}

const readNumber = (value: string): number => (/^\d+$/.test(value) ? Number(value) : 0)

/** Returns the column where a field starts, counted from 1. */
export function columnOf(layout: Layout, field: string): number {
  let at = 2
  for (const [name, { width }] of Object.entries(layout)) {
    if (name === field) return at
    at += width
  }
  return 1
}

/**
 * Joins fields into a line that starts with the record type.
 * @throws RangeError if a value does not fit its field
 */
export function join<L extends Layout>(type: string, layout: L, values: ValuesOf<L>): string {
  const parts = Object.entries(layout).map(([field, { kind, width }]) => {
    const value = values[field] as string | number
    const part =
      typeof value === 'number'
        ? String(value).padStart(width, '0')
        : kind === 'digits'
          ? value.padStart(width, '0')
          : value.padEnd(width)
    if (part.length !== width || (kind !== 'text' && !/^\d+$/.test(part)))
      throw new RangeError(`${field} does not fit ${width} ${kind === 'text' ? 'characters' : 'digits'}: ${value}`)
    return part
  })
  return type + parts.join('')
}
