import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type * as z from 'zod/mini'
import { addDays } from '../../../shared/dates.ts'
import { optionsOf } from '../../../web/ui/Choice.tsx'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { translated } from '../../../shared/messages.ts'
import { call } from '../../../web/call.ts'
import { useResponse } from '../../../web/query.ts'
import { OnceLoaded } from '../../../web/ui/ResponseView.tsx'
import { Checkbox, DateField, Select } from '../../../web/ui/Choice.tsx'
import { FieldGroup } from '../../../web/ui/Field.tsx'
import { FormSlideOut } from '../../../web/ui/FormSlideOut.tsx'
import { type Bound, useZodForm, type ZodForm } from '../../../web/ui/form.ts'
import { TextArea, TextField } from '../../../web/ui/TextField.tsx'
import { TextRows } from '../../../web/ui/TextRows.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { wholeNumber } from '../../../web/ui/whole-number.ts'
import {
  addRound,
  roundChoices,
  type RoundForm,
  roundForm,
  saveRound,
  MAX_GROUPS,
  roundAudiences,
} from '../contract.ts'
import { reloadSeasons } from './fresh.ts'

type Choices = ResponseOf<typeof roundChoices>

type RoundInput = z.input<typeof roundForm>

const blank = ({ today, resources }: Choices): RoundForm => ({
  ...{ name: '', text: '', resourceIds: resources.slice(0, 1).map(({ id }) => id) },
  ...{ opensOn: today, closesOn: addDays(today, 28), seasonFrom: addDays(today, 60), seasonUntil: addDays(today, 150) },
  ...{ maxChoices: 4, maxHours: 6, audience: 'residents', payDays: 14, groups: [] },
})

interface AddProps {
  onClose: () => void
  onAdded: (id: number) => void
}

export function AddRound({ onClose, onAdded }: AddProps) {
  const response = useResponse(roundChoices, {})
  return (
    <OnceLoaded
      title={<Trans>Plan a round</Trans>}
      loading={<Trans>Loading the resources</Trans>}
      failed={<Trans>This information could not be loaded</Trans>}
      response={response}
      onClose={onClose}
    >
      {(choices) => <Added choices={choices} onClose={onClose} onAdded={onAdded} />}
    </OnceLoaded>
  )
}

function Added({ choices, onClose, onAdded }: AddProps & { choices: Choices }) {
  const form = useZodForm<RoundInput, RoundForm>(roundForm, {
    defaultValues: blank(choices) as never,
    draft: { name: 'rental-round-form-new' },
  })
  return (
    <Fields
      title={<Trans>Plan a round</Trans>}
      form={form}
      choices={choices}
      onClose={onClose}
      onSave={async (values) => {
        const { message, roundId } = await call(addRound, values)
        toast(message)
        await reloadSeasons()
        onAdded(roundId)
      }}
    />
  )
}

interface EditProps {
  id: number
  form: RoundForm
  onClose: () => void
}

/** Edits the terms of an allocation round that has not opened. */
export function EditRound({ id, form: stored, onClose }: EditProps) {
  const response = useResponse(roundChoices, {})
  return (
    <OnceLoaded
      title={stored.name}
      loading={<Trans>Loading the resources</Trans>}
      failed={<Trans>This information could not be loaded</Trans>}
      response={response}
      onClose={onClose}
    >
      {(choices) => <Edited id={id} form={stored} choices={choices} onClose={onClose} />}
    </OnceLoaded>
  )
}

function Edited({ id, form: stored, choices, onClose }: EditProps & { choices: Choices }) {
  const form = useZodForm<RoundInput, RoundForm>(roundForm, {
    defaultValues: stored as never,
    basis: { ...stored },
    draft: { name: `rental-round-form-${id}` },
  })
  return (
    <Fields
      title={stored.name}
      form={form}
      choices={choices}
      onClose={onClose}
      onSave={async (values) => {
        toast((await call(saveRound, { roundId: id, ...values, basis: form.basis })).message)
        await reloadSeasons()
        onClose()
      }}
    />
  )
}

interface FieldsProps {
  title: ReactNode
  form: ZodForm<RoundInput, RoundForm>
  choices: Choices
  onClose: () => void
  onSave: (values: RoundForm) => Promise<void>
}

function Fields({ title, form, choices, onClose, onSave }: FieldsProps) {
  const { t } = useLingui()
  const two = 'grid gap-4 md:grid-cols-2'
  const chosen = form.watch('resourceIds') as readonly number[]
  const resources = form.choice('resourceIds')
  return (
    <FormSlideOut {...{ title, form, onClose }} onSubmit={onSave}>
      <TextField label={t`Name`} autoComplete="off" {...form.field('name')} />
      <FieldGroup id="round-resources" label={t`Resources in this round`} error={resources.error}>
        {choices.resources.map(({ id, name }) => (
          <Checkbox
            key={id}
            label={name}
            checked={chosen.includes(id)}
            onChange={({ target }) =>
              resources.onChange((target.checked ? [...chosen, id] : chosen.filter((one) => one !== id)) as never)
            }
          />
        ))}
      </FieldGroup>
      <div className={two}>
        <DateField label={t`First day of the season`} {...form.field('seasonFrom')} />
        <DateField label={t`Last day of the season`} {...form.field('seasonUntil')} />
        <DateField label={t`First day to apply`} {...form.field('opensOn')} />
        <DateField label={t`Last day to apply`} {...form.field('closesOn')} />
        <TextField label={t`Maximum choices per applicant`} {...wholeNumber(form.choice('maxChoices') as never)} />
        <TextField label={t`Maximum hours a week`} {...wholeNumber(form.choice('maxHours') as never)} />
        <TextField label={t`Days to pay`} {...wholeNumber(form.choice('payDays') as never)} />
      </div>
      <Select
        label={t`Eligible applicants`}
        options={optionsOf(roundAudiences).map(({ value, label }) => ({ value, label: translated(label) }))}
        {...form.field('audience')}
      />
      <TextRows
        label={t`Groups`}
        optional
        hint={t`Put the group with the highest priority first. You assign applications to groups. Applications without a group come last in each turn.`}
        addLabel={t`Add a group`}
        max={MAX_GROUPS}
        sortable
        errorAt={(at) => form.field(`groups.${at}` as 'groups').error}
        {...(form.choice('groups') as Bound<string[]>)}
      />
      <TextArea label={t`Information for applicants`} optional rows={3} {...form.field('text')} />
    </FormSlideOut>
  )
}
