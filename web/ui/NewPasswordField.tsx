import { Plural, Trans } from '@lingui/react/macro'
import { Check, Circle } from 'lucide-react'
import { type ComponentProps, useId } from 'react'
import { cx } from './cx.ts'
import { PasswordField } from './PasswordField.tsx'
import { Text } from './Text.tsx'

interface Rule {
  message: string
  isMet: boolean
}

interface NewPasswordFieldProps extends ComponentProps<typeof PasswordField> {
  /** Password rules. `isMet` is true if the typed password meets the rule. */
  checks: readonly Rule[]
}

/** Field for a new password, with its rules below. A rule gets a check mark as soon as the password meets it. */
export function NewPasswordField({ checks, label, ...field }: NewPasswordFieldProps) {
  const id = useId()
  const left = checks.filter(({ isMet }) => !isMet).length
  return (
    <div className="flex flex-col gap-2">
      <PasswordField
        label={label ?? <Trans>New password</Trans>}
        autoComplete="new-password"
        aria-details={id}
        {...field}
      />
      <ul id={id} className="flex flex-col gap-1 text-sm">
        {checks.map(({ message, isMet }) => (
          <li key={message} className={cx('flex items-start gap-2', isMet ? 'text-success' : 'text-muted')}>
            {isMet ? (
              <Check size={16} aria-hidden className="mt-1 shrink-0" />
            ) : (
              <Circle size={16} aria-hidden className="mt-1 shrink-0" />
            )}
            <span>
              <Text>{message}</Text>{' '}
              <span className="spoken">{isMet ? <Trans>Met.</Trans> : <Trans>Not met.</Trans>}</span>
            </span>
          </li>
        ))}
        <li className="ps-6 text-muted">
          <Trans>
            The password must not appear in a known data breach. We will check the password when you submit it.
          </Trans>
        </li>
      </ul>
      {/* Announces only changes in the number of met rules, so that a screen reader is not interrupted at each keystroke. */}
      <p role="status" className="spoken">
        {left === 0 ? (
          <Trans>Your password meets all rules.</Trans>
        ) : (
          <Plural value={left} one="# rule not met." other="# rules not met." />
        )}
      </p>
    </div>
  )
}
