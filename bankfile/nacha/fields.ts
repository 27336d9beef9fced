/**
 * Fields of fixed width. `number`: digits with zeros before them, read as an integer. `digits`: digits that are a name, whose
 * zeros count. `text`: anything, kept with its blanks, so that what is written again is what was read.
 */
export type FieldKind = 'number' | 'digits' | 'text'

export interface Field<K extends FieldKind = FieldKind> {
  kind: K
  width: number
}

export const number = (width: number): Field<'number'> => ({ kind: 'number', width })
export const digits = (width: number): Field<'digits'> => ({ kind: 'digits', width })
export const text = (width: number): Field<'text'> => ({ kind: 'text', width })

/** The fields of a record in their order, after its first character, which is its type. */
export type Layout = Record<string, Field>

/** A record's values by the names of its fields. */
export type ValuesOf<L extends Layout> = { [N in keyof L]: L[N]['kind'] extends 'number' ? number : string }

/** Every line of a file is this long. */
export const RECORD_LENGTH = 94

export interface BadField {
  field: string
  /** Counted from 1. */
  column: number
  value: string
}

/** Cuts a line into its fields. What should be digits and is not is told to `complain`, and is 0 or kept as it stands. */
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

/** Where a field begins in its line, counted from 1. */
export function columnOf(layout: Layout, field: string): number {
  let at = 2
  for (const [name, { width }] of Object.entries(layout)) {
    if (name === field) return at
    at += width
  }
  return 1
}

/**
 * Joins fields to a line that begins with the record's type.
 * @throws RangeError where a value does not fit its field
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
