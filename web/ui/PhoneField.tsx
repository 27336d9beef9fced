import { Trans } from '@lingui/react/macro'
import { phoneKeyDown, typePhoneInto } from './phone-input.ts'
import { type ShapedProps, TextField } from './TextField.tsx'

interface PhoneFieldProps extends ShapedProps {
  /**
   * `dashes` formats the number as xxx-xxx-xxxx. `profile` formats it as (xxx) xxx-xxxx, for mobile_no and phone_no
   * (spec 5.5).
   */
  shape?: 'dashes' | 'profile'
}

/**
 * Field for ten digits, which are formatted as the person types. Backspace right after a dash also deletes the digit
 * before the dash.
 */
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
