import { Trans } from '@lingui/react/macro'
import { phoneKeyDown, typePhoneInto } from './phone-input.ts'
import { type ShapedProps, TextField } from './TextField.tsx'

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
