import { Trans, useLingui } from '@lingui/react/macro'
import { useId } from 'react'
import type * as z from 'zod/mini'
import { call } from '../../../web/call.ts'
import { useAnswer } from '../../../web/query.ts'
import { AnsweredSlideOut } from '../../../web/ui/Answered.tsx'
import { Checkbox } from '../../../web/ui/Choice.tsx'
import { FieldError, FieldGroup } from '../../../web/ui/Field.tsx'
import { FormSlideOut } from '../../../web/ui/FormSlideOut.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { crewForm, returnCrew, saveCrew, workChoices } from '../contract.ts'
import { reloadOrders } from './fresh.ts'

type CrewForm = z.output<typeof crewForm>

/** The crew that the address asks for, or a new one. */
export function AskedCrew({ asked, onClose }: { asked: string; onClose: () => void }) {
  if (asked === 'new')
    return <EditCrew crewId={null} values={{ name: '', people: [], active: true }} mayEdit onClose={onClose} />
  return /^[1-9]\d{0,14}$/.test(asked) ? <KnownCrew key={asked} crewId={Number(asked)} onClose={onClose} /> : null
}

function KnownCrew({ crewId, onClose }: { crewId: number; onClose: () => void }) {
  const answer = useAnswer(returnCrew, { crewId })
  const { data } = answer
  if (data)
    return <EditCrew crewId={crewId} values={data.form} names={data.names} mayEdit={data.can.edit} onClose={onClose} />
  return (
    <AnsweredSlideOut
      title={<Trans>Crew</Trans>}
      onClose={onClose}
      answer={answer}
      loading={<Trans>Loading the crew</Trans>}
      failed={<Trans>This crew could not be loaded</Trans>}
    >
      {() => null}
    </AnsweredSlideOut>
  )
}

interface EditCrewProps {
  crewId: number | null
  values: CrewForm
  /** What its people are called, in their order: also those who no longer work here. */
  names?: readonly string[]
  mayEdit: boolean
  onClose: () => void
}

function EditCrew({ crewId, values, names = [], mayEdit, onClose }: EditCrewProps) {
  const { t } = useLingui()
  const id = useId()
  const { data } = useAnswer(workChoices, {})
  const form = useZodForm(crewForm, {
    defaultValues: values,
    ...(crewId !== null && { basis: values }),
    draft: { name: `work-crew:${crewId ?? 'new'}` },
  })
  const people = form.choice('people')
  const atWork = data?.people ?? []
  const left = values.people
    .map((person, nth) => ({ id: person, name: names[nth] ?? '' }))
    .filter((person) => data && !atWork.some((one) => one.id === person.id))
  const save = async (filled: CrewForm) => {
    toast((await call(saveCrew, { ...filled, crewId, basis: crewId === null ? undefined : form.basis })).message)
    await reloadOrders()
    onClose()
  }
  return (
    <FormSlideOut
      title={crewId === null ? <Trans>New crew</Trans> : <Trans>Crew</Trans>}
      form={form}
      mayEdit={mayEdit}
      onSubmit={save}
      onClose={onClose}
    >
      <TextField label={t`Name`} hint={t`Water Crew 1`} autoComplete="off" {...form.field('name')} />
      <FieldGroup id={id} label={t`People`}>
        <div className="grid gap-x-4 sm:grid-cols-2">
          {[...atWork, ...left].map((person) => (
            <Checkbox
              key={person.id}
              label={person.name}
              checked={people.value.includes(person.id)}
              onChange={({ target }) =>
                people.onChange(
                  target.checked ? [...people.value, person.id] : people.value.filter((one) => one !== person.id),
                )
              }
            />
          ))}
        </div>
        <FieldError id={id}>{people.error}</FieldError>
      </FieldGroup>
      <Checkbox
        label={t`In use`}
        hint={t`A crew that is no longer in use gets no other work, and what it has stays.`}
        {...form.field('active')}
      />
    </FormSlideOut>
  )
}
