import type { Bound } from './form.ts'

const MAX_DIGITS = /^\d{1,6}$/

/**
 * Binds an optional whole number to a text field. Text that is not a number becomes NaN, which the form's rules refuse.
 */
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

/** Binds a required whole number to a text field. */
export const wholeNumber = ({ onChange, ...bound }: Bound<number>) =>
  wholeNumberOrNone({ ...bound, onChange: (value: number | null) => onChange(value ?? Number.NaN) } as Bound<
    number | null
  >)
