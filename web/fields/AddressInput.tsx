import { Trans } from '@lingui/react/macro'
import { type ChangeEvent, useId } from 'react'
import type { FieldOf } from '../../shared/fields/definition.ts'
import { FieldGroup } from '../ui/Field.tsx'
import { StateField, TextField, ZipField } from '../ui/TextField.tsx'
import type { InputProps } from './surroundings.tsx'

/** Input for an address in parts, which browsers and phones can fill in automatically. */
export function AddressInput({ field, value, onChange, errorAt }: InputProps<FieldOf<'address'>>) {
  const id = useId()
  const address = (typeof value === 'object' && value !== null ? value : {}) as Record<string, string>
  const part = (name: string) => ({
    value: address[name] ?? '',
    error: errorAt(name),
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => onChange({ ...address, [name]: target.value }),
  })
  return (
    <FieldGroup id={id} label={field.label} hint={field.help || undefined} error={errorAt()} optional={!field.required}>
      <div className="flex flex-col gap-3">
        <TextField
          {...part('address1')}
          label={<Trans>House number and street</Trans>}
          autoComplete="address-line1"
          aria-required={field.required}
        />
        <TextField
          {...part('address2')}
          label={<Trans>Apartment or unit</Trans>}
          optional
          autoComplete="address-line2"
        />
        <TextField {...part('city')} label={<Trans>City</Trans>} autoComplete="address-level2" />
        <div className="grid grid-cols-2 gap-3">
          <StateField {...part('state')} />
          <ZipField {...part('zipcode')} />
        </div>
      </div>
    </FieldGroup>
  )
}
