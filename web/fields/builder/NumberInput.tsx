import { useState } from 'react'
import { parseNumber } from '../../../shared/fields/numbers.ts'
import { TextField, type TextFieldProps } from '../../ui/TextField.tsx'

interface NumberInputProps extends Omit<TextFieldProps, 'value' | 'onChange'> {
  value: number | null
  /** NaN while the text is no number, so that it cannot be taken for none. */
  onChange: (value: number | null) => void
}

/** A number that may be left out. */
export function NumberInput({ value, onChange, ...rest }: NumberInputProps) {
  const [text, setText] = useState(value === null ? '' : String(value))
  return (
    <TextField
      inputMode="decimal"
      autoComplete="off"
      {...rest}
      value={text}
      onChange={({ target }) => {
        setText(target.value)
        onChange(target.value.trim() === '' ? null : (parseNumber(target.value) ?? Number.NaN))
      }}
    />
  )
}
