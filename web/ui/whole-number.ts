import type { Bound } from './form.ts'

const MAX_DIGITS = /^\d{1,6}$/

/** A whole number in a text field, or none. What is no number becomes NaN, which the form's rules refuse under its field. */
export const wholeNumberOrNone = ({ value, onChange, ...bound }: Bound<number | null>) => ({
  ...bound,
  inputMode: 'numeric' as const,
  autoComplete: 'off',
  value: value === null || !Number.isFinite(value) ? '' : String(value),
  onChange: ({ target }: { target: { value: string } }) => {
    const text = target.value.trim()
    onChange(text === '' ? null : MAX_DIGITS.test(text) ? Number(text) : Number.NaN)
  },
})

/** The same where there has to be one. */
export const wholeNumber = ({ onChange, ...bound }: Bound<number>) =>
  wholeNumberOrNone({ ...bound, onChange: (value: number | null) => onChange(value ?? Number.NaN) } as Bound<
    number | null
  >)
