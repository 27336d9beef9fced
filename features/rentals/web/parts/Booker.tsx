import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import * as z from 'zod/mini'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { useResponse } from '../../../../web/query.ts'
import { OnceLoaded } from '../../../../web/ui/ResponseView.tsx'
import { Checkbox, Select } from '../../../../web/ui/Choice.tsx'
import { CloseAction, SlideOut } from '../../../../web/ui/Dialog.tsx'
import type { ZodForm } from '../../../../web/ui/form.ts'
import { PhoneField } from '../../../../web/ui/PhoneField.tsx'
import { EmailField, TextField } from '../../../../web/ui/TextField.tsx'
import { rentalChoices } from '../../contract.ts'

export type ResourceChoices = ResponseOf<typeof rentalChoices>
type ChosenResource = ResourceChoices['resources'][number]

const wholeIn = (pattern: RegExp) => z.string().check(z.trim(), z.regex(pattern, 'Enter a whole number.'))
/** Form fields with strings as values. Submitting the form converts the numbers. */
export const bookerShape = {
  resourceId: z.string(),
  spaceId: z.string(),
  pieces: wholeIn(/^\d{1,5}$/),
  guests: wholeIn(/^\d{0,5}$/),
}

export const noBooker = (first: ChosenResource | undefined) => ({
  ...{ resourceId: String(first?.id ?? ''), spaceId: String(first?.spaces[0]?.id ?? ''), pieces: '1' },
  ...{ name: '', email: '', phone: '', purpose: '', guests: '', isResident: true, sendsAgreement: true },
})
type BookerValues = Omit<ReturnType<typeof noBooker>, 'sendsAgreement'> & { sendsAgreement?: boolean | undefined }

interface FieldsProps<In extends BookerValues, Out> {
  form: ZodForm<In, Out>
}
/** Casts a larger form to one with only these fields. TypeScript cannot infer that the larger form contains them. */
const partOf = <In extends BookerValues, Out>(form: ZodForm<In, Out>) =>
  form as unknown as ZodForm<BookerValues, BookerValues>

interface ChoicesProps {
  title: ReactNode
  onClose: () => void
  children: (choices: ResourceChoices) => ReactNode
}

/** Loads the open resources, then renders the reservation form. */
export const OnceChoices = ({ title, onClose, children }: ChoicesProps) => (
  <OnceLoaded
    title={title}
    loading={<Trans>Loading the resources</Trans>}
    failed={<Trans>This information could not be loaded</Trans>}
    response={useResponse(rentalChoices, {})}
    onClose={onClose}
  >
    {children}
  </OnceLoaded>
)

/** Shown if no resource is open for reservations. */
export const NothingToBook = ({ title, onClose }: { title: ReactNode; onClose: () => void }) => (
  <SlideOut title={title} onClose={onClose} actions={<CloseAction onClose={onClose} />}>
    <p>
      <Trans>No resource is open for reservations. Add a resource and open it first.</Trans>
    </p>
  </SlideOut>
)

/** Fields for the resource, the space and the number of pieces. */
export function WhatOfIt<In extends BookerValues, Out>({
  form: whole,
  choices,
  chosen,
}: FieldsProps<In, Out> & { choices: ResourceChoices; chosen: ChosenResource }) {
  const { t } = useLingui()
  const form = partOf(whole)
  return (
    <>
      <Select
        label={t`Resource`}
        options={choices.resources.map(({ id, name }) => ({ value: id, label: name }))}
        {...form.field('resourceId')}
      />
      {chosen.spaces.length > 1 && (
        <Select
          label={t`Space`}
          options={chosen.spaces.map(({ id, name }) => ({ value: id, label: name }))}
          {...form.field('spaceId')}
        />
      )}
      {chosen.pieces > 1 && <TextField label={t`Quantity`} inputMode="numeric" {...form.field('pieces')} />}
    </>
  )
}

/** Fields for the renter, the purpose and the group size. */
export function Booker<In extends BookerValues, Out>({
  form: whole,
  capacity,
}: FieldsProps<In, Out> & { capacity: number }) {
  const { t } = useLingui()
  const form = partOf(whole)
  return (
    <>
      <TextField label={t`Name`} autoComplete="off" {...form.field('name')} />
      <div className="grid gap-4 md:grid-cols-2">
        <EmailField optional autoComplete="off" {...form.field('email')} />
        <PhoneField optional autoComplete="off" {...form.field('phone')} />
      </div>
      <TextField label={t`Purpose`} autoComplete="off" {...form.field('purpose')} />
      <TextField
        label={t`Group size`}
        optional
        {...(capacity > 0 && { hint: t`Capacity: ${plural(capacity, { one: '# person', other: '# people' })}` })}
        inputMode="numeric"
        {...form.field('guests')}
      />
      <Checkbox label={<Trans>The renter lives or works in the municipality</Trans>} {...form.field('isResident')} />
    </>
  )
}

/** Choice between an emailed link for the renter's signature and answers that staff enter. */
export function SignatureChoice<In extends BookerValues, Out>({ form: whole }: { form: ZodForm<In, Out> }) {
  const { t } = useLingui()
  return (
    <Checkbox
      label={t`Email the renter a link to the questions and agreement`}
      hint={t`Otherwise, answer for the renter after you book. The renter can't check in until the agreement is signed.`}
      {...partOf(whole).field('sendsAgreement')}
    />
  )
}
