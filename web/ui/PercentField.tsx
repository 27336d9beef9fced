import { useState } from 'react'
import { TextField, type TextFieldProps } from './TextField.tsx'

interface PercentFieldProps extends Omit<TextFieldProps, 'value' | 'defaultValue' | 'onChange' | 'type' | 'after'> {
  /** Value in basis points. NaN while the text is not a percentage. */
  value: number
  onChange: (points: number) => void
}

const written = (points: number): string => (Number.isNaN(points) ? '' : (points / 100).toFixed(2))

/** Field for a percentage. 275 basis points appear as 2.75. Spread `form.choice('name')` into the props. */
export function PercentField({ value, onChange, onBlur, ...rest }: PercentFieldProps) {
  const [text, setText] = useState(written(value))
  return (
    <TextField
      inputMode="decimal"
      autoComplete="off"
      after={<span className="pe-2 text-muted">%</span>}
      {...rest}
      value={text}
      onChange={(event) => {
        const typed = event.target.value.trim()
        setText(event.target.value)
        onChange(/^\d{1,3}(?:\.\d{1,2})?$/.test(typed) ? Math.round(Number(typed) * 100) : Number.NaN)
      }}
      onBlur={(event) => {
        if (!Number.isNaN(value)) setText(written(value))
        onBlur?.(event)
      }}
    />
  )
}
