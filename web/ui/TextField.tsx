import { Trans, useLingui } from '@lingui/react/macro'
import { Eye, EyeOff } from 'lucide-react'
import {
  type ChangeEvent,
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type TextareaHTMLAttributes,
  useState,
} from 'react'
import { typeState, typeZip } from '../../shared/address.ts'
import { cx } from './cx.ts'
import { controlClasses, FieldFrame, type FieldProps, useFieldIds } from './Field.tsx'
import { phoneKeyDown, typePhoneInto } from './phone-input.ts'

export interface TextFieldProps extends FieldProps, Omit<InputHTMLAttributes<HTMLInputElement>, 'className'> {
  ref?: Ref<HTMLInputElement>
  /** Stands in the field, before the text: '$'. */
  before?: ReactNode
  /** Stands in the field, after the text: a button. */
  after?: ReactNode
}

/** One line of text. Spread `form.field('name')` into it. */
export function TextField({
  label,
  hint,
  error,
  optional,
  hideLabel,
  className,
  id,
  before,
  after,
  ...input
}: TextFieldProps) {
  const ids = useFieldIds({ hint, error }, id)
  return (
    <FieldFrame {...{ id: ids.id, label, hint, error, optional, hideLabel, className }}>
      <div className="relative">
        {before && (
          <span aria-hidden className="absolute inset-y-0 start-3 grid place-items-center text-muted">
            {before}
          </span>
        )}
        <input
          type="text"
          {...input}
          {...ids.control}
          className={cx(controlClasses(error), before ? 'ps-8' : '', after ? 'pe-12' : '')}
        />
        {after && <span className="absolute inset-y-0 end-1 grid place-items-center">{after}</span>}
      </div>
    </FieldFrame>
  )
}

export interface TextAreaProps extends FieldProps, Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'className'> {
  ref?: Ref<HTMLTextAreaElement>
}

export function TextArea({
  label,
  hint,
  error,
  optional,
  hideLabel,
  className,
  id,
  rows = 4,
  ...input
}: TextAreaProps) {
  const ids = useFieldIds({ hint, error }, id)
  return (
    <FieldFrame {...{ id: ids.id, label, hint, error, optional, hideLabel, className }}>
      <textarea rows={rows} {...input} {...ids.control} className={controlClasses(error)} />
    </FieldFrame>
  )
}

/** Lets a formatter rewrite what is typed before the form hears of it, keeping the caret behind the same characters. */
function formatted(format: (text: string) => string, onChange?: (event: ChangeEvent<HTMLInputElement>) => void) {
  return (event: ChangeEvent<HTMLInputElement>) => {
    const input = event.currentTarget
    const caret = input.selectionStart ?? input.value.length
    const kept = format(input.value.slice(0, caret)).length
    input.value = format(input.value)
    input.setSelectionRange(kept, kept)
    onChange?.(event)
  }
}

type ShapedProps = Omit<TextFieldProps, 'type' | 'label'> & { label?: ReactNode }

/** Five digits (specification 5.5). */
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

/** Two upper-case letters (specification 5.5). */
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

interface PhoneFieldProps extends ShapedProps {
  /** `dashes` xxx-xxx-xxxx; `profile` (xxx) xxx-xxxx, for mobile_no and phone_no (specification 5.5). */
  shape?: 'dashes' | 'profile'
}

/** Ten digits, shaped while they are typed. Backspace just behind a dash takes the digit before it too. */
export function PhoneField({ onChange, label, shape = 'dashes', ...rest }: PhoneFieldProps) {
  return (
    <TextField
      label={label ?? <Trans>Phone</Trans>}
      type="tel"
      autoComplete="tel-national"
      {...rest}
      onKeyDown={phoneKeyDown}
      onChange={(event) => {
        typePhoneInto(event.currentTarget, shape)
        onChange?.(event)
      }}
    />
  )
}

/** A password, hidden unless the person asks to see it. Pasting and password managers work. */
export function PasswordField({ label, autoComplete = 'current-password', ...rest }: ShapedProps) {
  const { t } = useLingui()
  const [shown, setShown] = useState(false)
  const Icon = shown ? EyeOff : Eye
  return (
    <TextField
      label={label ?? <Trans>Password</Trans>}
      spellCheck={false}
      autoCapitalize="none"
      {...rest}
      autoComplete={autoComplete}
      type={shown ? 'text' : 'password'}
      after={
        <button
          type="button"
          aria-label={shown ? t`Hide password` : t`Show password`}
          onClick={() => setShown(!shown)}
          className="grid size-9 place-items-center rounded-sm text-link hover:bg-tint"
        >
          <Icon size={20} aria-hidden />
        </button>
      }
    />
  )
}
