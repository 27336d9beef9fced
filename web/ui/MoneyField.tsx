import { useLingui } from '@lingui/react/macro'
import { type Ref, useState } from 'react'
import { formatCents, MAX_CENTS, parseCents, plainDollars } from '../../shared/money.ts'
import { TextField, type TextFieldProps } from './TextField.tsx'
import { useLeft } from './use-left.ts'

export interface MoneyFieldProps extends Omit<
  TextFieldProps,
  'value' | 'defaultValue' | 'onChange' | 'type' | 'before'
> {
  /** Amount in cents. Null while the text is not an amount. */
  value: number | null
  onChange: (cents: number | null) => void
  ref?: Ref<HTMLInputElement>
}

const grouped = (cents: number) => plainDollars(cents).replaceAll(/\B(?=(?:\d{3})+(?!\d))(?<!\..*)/g, ',')

/**
 * Field for an amount in the usual notation, "$1,234.56". Its value is in integer cents, never a float. Spread
 * `form.money('name')` into the props. Shows an error on blur if the text is not an amount.
 */
export function MoneyField({ value, onChange, onBlur, error, ...rest }: MoneyFieldProps) {
  const { t } = useLingui()
  const [text, setText] = useState(value === null ? '' : grouped(value))
  const [left, leave, enter] = useLeft()
  const fault =
    !left || value !== null || text.trim() === ''
      ? undefined
      : /^\W*[-\u2212(]/.test(text) && /\d/.test(text)
        ? t`Enter an amount of $0.00 or more.`
        : /^[$\d,]*\.\d{3,}$/.test(text.trim())
          ? t`Enter no more than two digits after the decimal point.`
          : Number(text.replaceAll(/[$,]/g, '')) * 100 > MAX_CENTS
            ? t`Enter no more than ${formatCents(MAX_CENTS)}.`
            : t`Enter an amount, such as 25.00.`
  const text2 = parseCents(text) === value ? text : value === null ? text : grouped(value)
  return (
    <TextField
      inputMode="decimal"
      autoComplete="off"
      {...rest}
      error={fault ?? error}
      before="$"
      value={text2}
      onChange={(event) => {
        setText(event.target.value)
        enter()
        onChange(parseCents(event.target.value))
      }}
      onBlur={(event) => {
        if (value !== null) setText(grouped(value))
        leave()
        onBlur?.(event)
      }}
    />
  )
}
