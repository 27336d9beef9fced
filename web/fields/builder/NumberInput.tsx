import { useState } from 'react'
import { parseNumber } from '../../../shared/fields/numbers.ts'
import { TextField, type TextFieldProps } from '../../ui/TextField.tsx'

interface NumberInputProps extends Omit<TextFieldProps, 'value' | 'onChange'> {
  value: number | null
  /** Receives NaN for text that is not a number, to distinguish it from an empty field. */
  onChange: (value: number | null) => void
}

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
