import { Trans } from '@lingui/react/macro'
import { TextField, type TextFieldProps } from './TextField.tsx'

type CodeFieldProps = Omit<TextFieldProps, 'label' | 'type' | 'autoComplete' | 'inputMode'> & {
  label?: TextFieldProps['label']
  /** Type of the code. Recovery codes have letters. Codes of an app have six digits. */
  kind?: 'app' | 'recovery' | 'either'
}

/** Field for a single-use code. Phones suggest the code, password managers fill it in, and people can paste it. */
export const CodeField = ({ label, kind = 'app', ...rest }: CodeFieldProps) => (
  <TextField
    label={label ?? <Trans>Code from your authenticator app</Trans>}
    spellCheck={false}
    autoCapitalize={kind === 'app' ? 'none' : 'characters'}
    {...rest}
    autoComplete="one-time-code"
    inputMode={kind === 'app' ? 'numeric' : 'text'}
    maxLength={40}
  />
)

/** Field for a code from the authenticator app, or a recovery code. */
export const AppOrRecoveryCode = (props: CodeFieldProps) => (
  <CodeField
    kind="either"
    label={<Trans>Code from your authenticator app</Trans>}
    hint={<Trans>Or enter one of your recovery codes.</Trans>}
    {...props}
  />
)
