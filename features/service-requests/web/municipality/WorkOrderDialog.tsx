import { Trans, useLingui } from '@lingui/react/macro'
import { boot } from '../../../../web/boot.ts'
import { call } from '../../../../web/call.ts'
import { dayOf } from '../../../../web/clock.ts'
import { Checkbox, DateField, optionsOf, Select } from '../../../../web/ui/Choice.tsx'
import { FormDialog } from '../../../../web/ui/FormDialog.tsx'
import { forgetDraft, useZodForm } from '../../../../web/ui/form.ts'
import { TextArea, TextField } from '../../../../web/ui/TextField.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { idChoice, useChoices } from '../../../work-orders/web/choices.ts'
import { severityLabels } from '../../../work-orders/rules.ts'
import { openOrder, workOrderForm } from '../../contract-desk.ts'
import { type Details, reloadRequests } from './fresh.ts'

const MOST_LETTERS = 120
const STANDARD = '1'

/** What a crew has to do about it. The request follows: it is in progress, and completed, with the order. */
export function WorkOrderDialog({ request, onClose }: { request: Details['request']; onClose: () => void }) {
  const { t } = useLingui()
  const { id: subjectId, number, title, place, description, dueAt } = request
  const choices = useChoices()
  const target = dayOf(dueAt)
  const form = useZodForm(workOrderForm, {
    defaultValues: {
      title: (place ? `${title}, ${place}` : title).slice(0, MOST_LETTERS),
      description,
      severity: STANDARD,
      // A crew can't be done by a day in the past.
      dueOn: target < boot.today ? boot.today : target,
      assignedTo: null,
      crewId: null,
      withFiles: true,
    },
    draft: { name: `request-order:${subjectId}` },
  })
  return (
    <FormDialog
      title={t`Open a work order from ${number}`}
      form={form}
      submit={<Trans>Open the work order</Trans>}
      onSubmit={async (values) => {
        toast((await call(openOrder, { ...values, subjectId })).message)
        forgetDraft(form)
        await reloadRequests()
      }}
      onClose={onClose}
    >
      <p>
        <Trans>
          Whoever asked is told when the work begins and when it is done. They read nothing of what you write here.
        </Trans>
      </p>
      <TextField label={t`Title`} maxLength={MOST_LETTERS} autoComplete="off" {...form.field('title')} />
      <TextArea label={t`What is to be done`} optional rows={3} maxLength={4000} {...form.field('description')} />
      <div className="grid gap-4 md:grid-cols-2">
        <Select label={t`Severity`} options={optionsOf(severityLabels)} {...form.field('severity')} />
        <DateField label={t`Due`} optional min={boot.today} {...form.field('dueOn')} />
        <Select label={t`Assigned to`} options={choices.people} {...idChoice(form.choice('assignedTo'))} />
        <Select label={t`Crew`} options={choices.crews} {...idChoice(form.choice('crewId'))} />
      </div>
      <Checkbox label={t`Take the photos along`} {...form.field('withFiles')} />
    </FormDialog>
  )
}
