import { Trans, useLingui } from '@lingui/react/macro'
import type * as z from 'zod/mini'
import { noLocation } from '../../../shared/places.ts'
import { QueryItem } from '../../../web/query-item.tsx'
import { page } from '../../../web/page.ts'
import { call } from '../../../web/call.ts'
import { useResponse } from '../../../web/query.ts'
import { OnceLoaded } from '../../../web/ui/ResponseView.tsx'
import { Checkbox } from '../../../web/ui/Choice.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { wholeNumber } from '../../../web/ui/whole-number.ts'
import { RepeatFields } from '../../../web/ui/RepeatFields.tsx'
import { planForm, returnPlan, savePlan } from '../contract.ts'
import { useChoices } from './choices.ts'
import { FirstDays } from './FirstDays.tsx'
import { reloadOrders } from './fresh.ts'
import { ChecklistField, OrderFields } from './OrderFields.tsx'
import { PartsField } from './PartsField.tsx'
import { blankOf, TemplateField } from './TemplateField.tsx'
import { EditSlideOut } from '../../../web/ui/EditSlideOut.tsx'

type PlanForm = z.output<typeof planForm>

const blank = (): PlanForm => ({
  title: '',
  description: '',
  kind: 'maintenance',
  severity: 1,
  location: noLocation,
  departmentId: null,
  assignedTo: null,
  crewId: null,
  parts: [],
  checklist: '',
  repeats: { unit: 'month', every: 1, weekdays: [], by: 'day', until: '' },
  startsOn: page().today,
  startTime: '',
  minutes: 120,
  leadDays: 14,
  active: true,
})

/** Slide-out for the maintenance plan with the id from the URL, or for a new plan. */
export const PlanFromQuery = () => (
  <QueryItem name="plan" another={(close) => <EditPlan planId={null} values={blank()} mayEdit onClose={close} />}>
    {(id, close) => <ExistingPlan planId={id} onClose={close} />}
  </QueryItem>
)

const ExistingPlan = ({ planId, onClose }: { planId: number; onClose: () => void }) => (
  <OnceLoaded
    title={<Trans>Maintenance plan</Trans>}
    onClose={onClose}
    response={useResponse(returnPlan, { planId })}
    loading={<Trans>Loading the plan</Trans>}
    failed={<Trans>This plan could not be loaded</Trans>}
  >
    {({ form, can }) => <EditPlan planId={planId} values={form} mayEdit={can.edit} onClose={onClose} />}
  </OnceLoaded>
)

interface EditPlanProps {
  planId: number | null
  values: PlanForm
  mayEdit: boolean
  onClose: () => void
}

function EditPlan({ planId, values, mayEdit, onClose }: EditPlanProps) {
  const { t } = useLingui()
  const choices = useChoices({ ids: [values.departmentId, values.assignedTo, values.crewId] })
  return (
    <EditSlideOut
      title={planId === null ? <Trans>New maintenance plan</Trans> : <Trans>Maintenance plan</Trans>}
      rules={planForm}
      start={values}
      isNew={planId === null}
      draft={`work-plan:${planId ?? 'new'}`}
      mayEdit={mayEdit}
      onSave={(filled, basis) => call(savePlan, { ...filled, planId, basis })}
      refresh={reloadOrders}
      onClose={onClose}
    >
      {(form) => (
        <>
          {planId === null && <TemplateField form={form} blank={blankOf(values)} />}
          <OrderFields form={form} choices={choices} />
          <ChecklistField {...form.choice('checklist')} />
          <PartsField form={form} />
          <RepeatFields form={form} />
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField label={t`Time`} type="time" optional {...form.field('startTime')} />
            <TextField label={t`Duration in minutes`} {...wholeNumber(form.choice('minutes'))} />
            <TextField label={t`Lead time in days`} {...wholeNumber(form.choice('leadDays'))} />
          </div>
          <FirstDays repeats={form.watch('repeats')} startsOn={form.watch('startsOn')} />
          <Checkbox
            label={t`In use`}
            hint={t`If you clear this box, the plan is paused and opens no work orders. Existing work orders do not change.`}
            {...form.field('active')}
          />
        </>
      )}
    </EditSlideOut>
  )
}
