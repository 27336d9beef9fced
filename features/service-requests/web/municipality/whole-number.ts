import type { Bound } from '../../../../web/ui/form.ts'

/** A whole number in a text field. What is no number becomes NaN, which the form's rules refuse under its field. */
export const wholeNumber = ({ value, onChange, ...bound }: Bound<number>) => ({
  ...bound,
  inputMode: 'numeric' as const,
  autoComplete: 'off',
  value: Number.isFinite(value) ? String(value) : '',
  onChange: ({ target }: { target: { value: string } }) =>
    onChange(/^\d{1,6}$/.test(target.value.trim()) ? Number(target.value) : Number.NaN),
})
