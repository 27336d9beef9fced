import { Trans, useLingui } from '@lingui/react/macro'
import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { type ShapedProps, TextField } from './TextField.tsx'

/** Field for a password, which is hidden until the person shows it. Pasting and password managers work. */
export function PasswordField({ label, autoComplete = 'current-password', ...rest }: ShapedProps) {
  const { t } = useLingui()
  const [isVisible, setIsVisible] = useState(false)
  const Icon = isVisible ? EyeOff : Eye
  return (
    <TextField
      label={label ?? <Trans>Password</Trans>}
      spellCheck={false}
      autoCapitalize="none"
      {...rest}
      autoComplete={autoComplete}
      type={isVisible ? 'text' : 'password'}
      after={
        <button
          type="button"
          aria-label={isVisible ? t`Hide password` : t`Show password`}
          onClick={() => setIsVisible(!isVisible)}
          className="grid size-9 place-items-center rounded-sm text-link hover:bg-tint"
        >
          <Icon size={20} aria-hidden />
        </button>
      }
    />
  )
}
