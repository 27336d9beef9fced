import { Trans, useLingui } from '@lingui/react/macro'
import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { type ShapedProps, TextField } from './TextField.tsx'

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
