import { Trans, useLingui } from '@lingui/react/macro'
import { lazy, Suspense, useId, useState } from 'react'
import type { SignatureAnswer } from '../../shared/fields/answer.ts'
import type { FieldOf } from '../../shared/fields/definition.ts'
import { RadioCards } from '../ui/Choice.tsx'
import { FieldGroup } from '../ui/Field.tsx'
import { TextField } from '../ui/TextField.tsx'
import type { InputProps } from './surroundings.tsx'

/** Lazy, because people who type their name never need it. */
const SignaturePad = lazy(() => import('./SignaturePad.tsx'))

/** Input for a signature: the typed name, or a drawing by finger or mouse. Both are equally valid. */
export function SignatureInput({ field, value, onChange, errorAt }: InputProps<FieldOf<'signature'>>) {
  const { t } = useLingui()
  const id = useId()
  const signed = (typeof value === 'object' && value !== null ? value : { typed: '' }) as SignatureAnswer
  const [mode, setMode] = useState<'typed' | 'drawn'>('drawn' in signed ? 'drawn' : 'typed')
  const choose = (next: 'typed' | 'drawn') => {
    setMode(next)
    // Switching the mode discards the other signature.
    onChange(next === 'typed' ? { typed: '' } : { drawn: [] })
  }
  return (
    <FieldGroup id={id} label={field.label} hint={field.help || undefined} optional={!field.required}>
      <RadioCards
        name={`${field.name}-way`}
        label={t`How do you want to sign?`}
        hideLabel
        columns={2}
        value={mode}
        onChange={choose}
        options={[
          { value: 'typed', label: t`Type my name` },
          { value: 'drawn', label: t`Sign by hand` },
        ]}
      />
      <div className="mt-3">
        {mode === 'typed' ? (
          <TextField
            label={<Trans>Your full name, as your signature</Trans>}
            autoComplete="name"
            error={errorAt()}
            value={'typed' in signed ? signed.typed : ''}
            onChange={({ target }) => onChange({ typed: target.value })}
          />
        ) : (
          <Suspense
            fallback={
              <p className="aspect-5/2 max-w-form">
                <Trans>Loading...</Trans>
              </p>
            }
          >
            <SignaturePad
              lines={'drawn' in signed ? signed.drawn : []}
              onChange={(lines) => onChange({ drawn: lines })}
              error={errorAt()}
            />
          </Suspense>
        )}
      </div>
    </FieldGroup>
  )
}
