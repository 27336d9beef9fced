import { type Ref, useState } from 'react'
import { parseCents, plainDollars } from '../../shared/money.ts'
import { TextField, type TextFieldProps } from './TextField.tsx'

export interface MoneyFieldProps extends Omit<
  TextFieldProps,
  'value' | 'defaultValue' | 'onChange' | 'type' | 'before'
> {
  /** Integer cents; null while the text is no amount. */
  value: number | null
  onChange: (cents: number | null) => void
  ref?: Ref<HTMLInputElement>
}

const grouped = (cents: number) => plainDollars(cents).replaceAll(/\B(?=(?:\d{3})+(?!\d))(?<!\..*)/g, ',')

/** An amount as people write it, "$1,234.56"; integer cents come out. Never a float. Spread `form.money('name')` into it. */
export function MoneyField({ value, onChange, onBlur, ...rest }: MoneyFieldProps) {
  const [text, setText] = useState(value === null ? '' : grouped(value))
  const shown = parseCents(text) === value ? text : value === null ? text : grouped(value)
  return (
    <TextField
      inputMode="decimal"
      autoComplete="off"
      {...rest}
      before="$"
      value={shown}
      onChange={(event) => {
        setText(event.target.value)
        onChange(parseCents(event.target.value))
      }}
      onBlur={(event) => {
        if (value !== null) setText(grouped(value))
        onBlur?.(event)
      }}
    />
  )
}
