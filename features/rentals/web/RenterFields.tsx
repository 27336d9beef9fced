import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { formatCents } from '../../../shared/money.ts'
import { Checkbox, Select } from '../../../web/ui/Choice.tsx'
import type { ZodForm } from '../../../web/ui/form.ts'
import { PhoneField } from '../../../web/ui/PhoneField.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'

/** Form fields that residents fill in, for a single date or a series. */

interface WhatProps {
  of: { spaces: readonly { id: number; name: string }[]; pieces: number }
  spaceId: number
  pieces: number
  onSpace: (id: string) => void
  onPieces: (count: string) => void
}

/** Dropdowns for the space and the number of pieces. Each renders only if it has more than one option. */
export function WhatFields({ of: { spaces, pieces: maxPieces }, spaceId, pieces, onSpace, onPieces }: WhatProps) {
  const { t } = useLingui()
  return (
    <>
      {spaces.length > 1 && (
        <Select
          label={t`Space`}
          value={spaceId}
          options={spaces.map(({ id: value, name }) => ({ value, label: name }))}
          onChange={({ target }) => onSpace(target.value)}
        />
      )}
      {maxPieces > 1 && (
        <Select
          label={t`Quantity`}
          value={pieces}
          options={Array.from({ length: maxPieces }, (_, n) => ({ value: n + 1, label: String(n + 1) }))}
          onChange={({ target }) => onPieces(target.value)}
        />
      )}
    </>
  )
}

interface AddonProps {
  legend: ReactNode
  of: readonly { name: string; cents: number }[]
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}

/** Checkboxes for add-ons. Renders nothing if the resource has no add-ons. */
export const AddonFields = ({ legend, of, chosen: addons, onChange }: AddonProps) =>
  of.length === 0 ? null : (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 font-bold">{legend}</legend>
      {of.map(({ name, cents }) => (
        <Checkbox
          key={name}
          label={`${name}, ${formatCents(cents)}`}
          checked={addons.includes(name)}
          onChange={({ target }) => onChange(target.checked ? [...addons, name] : addons.filter((one) => one !== name))}
        />
      ))}
    </fieldset>
  )

interface RenterValues {
  purpose: string
  guests: string
  phone: string
  agrees: boolean
}

interface RenterProps<In extends RenterValues, Out> {
  form: ZodForm<In, Out>
  /** Agreement text of the resource, which the renter accepts. May be empty. */
  agreement: string
}

/** Purpose, group size, phone and agreement of the renter. */
export function RenterFields<In extends RenterValues, Out>({ agreement, ...of }: RenterProps<In, Out>) {
  const { t } = useLingui()
  // The form has more fields, but TypeScript cannot resolve the field names of a generic form.
  const form = of.form as unknown as ZodForm<RenterValues, RenterValues>
  return (
    <>
      <TextField label={t`Purpose`} autoComplete="off" {...form.field('purpose')} />
      <div className="grid gap-4 md:grid-cols-2">
        <TextField label={t`Group size`} inputMode="numeric" autoComplete="off" {...form.field('guests')} />
        <PhoneField optional {...form.field('phone')} />
      </div>
      {agreement && <div className="rounded-sm bg-tint p-4 whitespace-pre-line">{agreement}</div>}
      <Checkbox label={t`I agree to the rules, the agreement and the cancellation terms.`} {...form.field('agrees')} />
    </>
  )
}
