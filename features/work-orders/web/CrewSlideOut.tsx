import { Trans, useLingui } from '@lingui/react/macro'
import { useId } from 'react'
import type * as z from 'zod/mini'
import { QueryItem } from '../../../web/query-item.tsx'
import { call } from '../../../web/call.ts'
import { useResponse } from '../../../web/query.ts'
import { OnceLoaded } from '../../../web/ui/ResponseView.tsx'
import { Checkbox } from '../../../web/ui/Choice.tsx'
import { FieldError, FieldGroup } from '../../../web/ui/Field.tsx'
import type { Bound } from '../../../web/ui/form.ts'
import { TextField } from '../../../web/ui/TextField.tsx'
import { crewForm, returnCrew, saveCrew, workChoices } from '../contract.ts'
import { reloadOrders } from './fresh.ts'
import { EditSlideOut } from '../../../web/ui/EditSlideOut.tsx'

type CrewForm = z.output<typeof crewForm>

/** Slide-out for the crew with the id from the URL, or for a new crew. */
export const CrewFromQuery = () => (
  <QueryItem
    name="crew"
    another={(close) => (
      <EditCrew crewId={null} values={{ name: '', people: [], active: true }} mayEdit onClose={close} />
    )}
  >
    {(id, close) => <ExistingCrew crewId={id} onClose={close} />}
  </QueryItem>
)

const ExistingCrew = ({ crewId, onClose }: { crewId: number; onClose: () => void }) => (
  <OnceLoaded
    title={<Trans>Crew</Trans>}
    onClose={onClose}
    response={useResponse(returnCrew, { crewId })}
    loading={<Trans>Loading the crew</Trans>}
    failed={<Trans>This crew could not be loaded</Trans>}
  >
    {({ form, names, can }) => (
      <EditCrew crewId={crewId} values={form} names={names} mayEdit={can.edit} onClose={onClose} />
    )}
  </OnceLoaded>
)

interface EditCrewProps {
  crewId: number | null
  values: CrewForm
  /** Names of the people in `values`, in the same order. Includes former staff. */
  names?: readonly string[]
  mayEdit: boolean
  onClose: () => void
}

function EditCrew({ crewId, values, names = [], mayEdit, onClose }: EditCrewProps) {
  const { t } = useLingui()
  const { data } = useResponse(workChoices, {})
  const atWork = data?.people ?? []
  const left = values.people
    .map((person, nth) => ({ id: person, name: names[nth] ?? '' }))
    .filter((person) => data && !atWork.some((one) => one.id === person.id))
  return (
    <EditSlideOut
      title={crewId === null ? <Trans>New crew</Trans> : <Trans>Crew</Trans>}
      rules={crewForm}
      start={values}
      isNew={crewId === null}
      draft={`work-crew:${crewId ?? 'new'}`}
      mayEdit={mayEdit}
      onSave={(filled, basis) => call(saveCrew, { ...filled, crewId, basis })}
      refresh={reloadOrders}
      onClose={onClose}
    >
      {(form) => (
        <>
          <TextField label={t`Name`} hint={t`For example: Water Crew 1`} autoComplete="off" {...form.field('name')} />
          <PeopleField {...form.choice('people')} among={[...atWork, ...left]} />
          <Checkbox
            label={t`In use`}
            hint={t`A crew that is not in use gets no new work. It keeps its current work.`}
            {...form.field('active')}
          />
        </>
      )}
    </EditSlideOut>
  )
}

interface PeopleFieldProps extends Bound<number[]> {
  among: readonly { id: number; name: string }[]
}

function PeopleField({ value, onChange, error, among }: PeopleFieldProps) {
  const { t } = useLingui()
  const id = useId()
  return (
    <FieldGroup id={id} label={t`People`}>
      <div className="grid gap-x-4 sm:grid-cols-2">
        {among.map((person) => (
          <Checkbox
            key={person.id}
            label={person.name}
            checked={value.includes(person.id)}
            onChange={({ target }) =>
              onChange(target.checked ? [...value, person.id] : value.filter((one) => one !== person.id))
            }
          />
        ))}
      </div>
      <FieldError id={id}>{error}</FieldError>
    </FieldGroup>
  )
}
