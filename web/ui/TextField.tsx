import { Trans } from '@lingui/react/macro'
import type { ChangeEvent, InputHTMLAttributes, ReactNode, Ref, TextareaHTMLAttributes } from 'react'
import { typeState, typeZip } from '../../shared/address.ts'
import { cx } from './cx.ts'
import { NearEmail } from './NearEmail.tsx'
import { controlClasses, FieldFrame, type FieldProps, useField } from './Field.tsx'

export interface TextFieldProps extends FieldProps, Omit<InputHTMLAttributes<HTMLInputElement>, 'className'> {
  ref?: Ref<HTMLInputElement>
  /** Content in the field before the text: '$'. */
  before?: ReactNode
  /** Content in the field after the text: a button. */
  after?: ReactNode
}

/** Field for one line of text. Spread `form.field('name')` into the props. */
export function TextField({ before, after, ...props }: TextFieldProps) {
  const { frame, control } = useField(props)
  const line = (
    <div className="relative">
      {before && (
        <span aria-hidden className="absolute inset-y-0 start-3 grid place-items-center text-muted">
          {before}
        </span>
      )}
      <input
        type="text"
        {...control}
        className={cx(controlClasses(frame.error), before ? 'ps-8' : '', after ? 'pe-12' : '')}
      />
      {after && <span className="absolute inset-y-0 end-1 grid place-items-center">{after}</span>}
    </div>
  )
  return <FieldFrame {...frame}>{props.type === 'email' ? <NearEmail>{line}</NearEmail> : line}</FieldFrame>
}

export interface TextAreaProps extends FieldProps, Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'className'> {
  ref?: Ref<HTMLTextAreaElement>
}

export function TextArea({ rows = 4, ...props }: TextAreaProps) {
  const { frame, control } = useField(props)
  return (
    <FieldFrame {...frame}>
      <textarea rows={rows} {...control} className={controlClasses(frame.error)} />
    </FieldFrame>
  )
}

/**
 * Returns a change handler that formats the typed text before the form receives it. The caret stays after the same
 * characters.
 */
function formatted(format: (text: string) => string, onChange?: (event: ChangeEvent<HTMLInputElement>) => void) {
  return (event: ChangeEvent<HTMLInputElement>) => {
    const input = event.currentTarget
    const caret = input.selectionStart ?? input.value.length
    const position = format(input.value.slice(0, caret)).length
    input.value = format(input.value)
    input.setSelectionRange(position, position)
    onChange?.(event)
  }
}

/** Props of a field with a known format and a default label. */
export type ShapedProps = Omit<TextFieldProps, 'type' | 'label'> & { label?: ReactNode }

/** Field for an email address, with the matching keyboard and autofill. */
export const EmailField = ({ label, ...rest }: ShapedProps) => (
  <TextField
    label={label ?? <Trans>Email</Trans>}
    type="email"
    autoComplete="email"
    autoCapitalize="none"
    spellCheck={false}
    {...rest}
  />
)

/** Field for a five-digit ZIP code (spec 5.5). */
export function ZipField({ onChange, label, ...rest }: ShapedProps) {
  return (
    <TextField
      label={label ?? <Trans>ZIP code</Trans>}
      inputMode="numeric"
      autoComplete="postal-code"
      {...rest}
      onChange={formatted(typeZip, onChange)}
    />
  )
}

/** Field for a state code of two uppercase letters (spec 5.5). */
export function StateField({ onChange, label, ...rest }: ShapedProps) {
  return (
    <TextField
      label={label ?? <Trans>State</Trans>}
      autoComplete="address-level1"
      autoCapitalize="characters"
      spellCheck={false}
      {...rest}
      onChange={formatted(typeState, onChange)}
    />
  )
}

/** Field for a printed number or code of letters and digits, such as an account number or a license plate. */
export const PrintedCodeField = (props: TextFieldProps) => (
  <TextField autoComplete="off" autoCapitalize="characters" spellCheck={false} {...props} />
)

/**
 * Field for an amount printed on a document. The amount proves that the document belongs to the person. Amounts to pay
 * use `MoneyField`.
 */
export const PrintedAmountField = (props: TextFieldProps) => (
  <TextField before="$" inputMode="decimal" autoComplete="off" className="max-w-60" {...props} />
)
