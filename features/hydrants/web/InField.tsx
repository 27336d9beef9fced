import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { formatShortDate } from '../../../shared/dates.ts'
import type { RequestInputOf } from '../../../shared/endpoint.ts'
import { say } from '../../../shared/messages.ts'
import type { DetailsProps, FieldPart } from '../../../web/field/parts.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { DetailList } from '../../../web/ui/Card.tsx'
import { DateField } from '../../../web/ui/Choice.tsx'
import { FormDialog } from '../../../web/ui/FormDialog.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { ReasonDialog } from '../../../web/ui/ReasonDialog.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { TextArea, TextField } from '../../../web/ui/TextField.tsx'
import { type HydrantForm, hydrantForm, transitionHydrant, recordFlowTest, saveHydrant } from '../contract.ts'
import { classOf, dropOf, type FlowClass, flowOf, type InspectionStatus } from '../rules.ts'
import { type HydrantService, hydrantStates } from '../states.ts'
import { ClassMark, InspectionBadge } from './badges.tsx'
import { FlowTestForm } from './FlowTestForm.tsx'

/** Hydrant as stored on the phone for offline work (`server/in-field.ts`). */
interface Hydrant {
  id: number
  form: HydrantForm
  status: InspectionStatus
  service: HydrantService
  serviceReason: string
  testedOn: string
  availableGpm: number | null
  flowClass: FlowClass | null
}

/** Returns the state of the hydrant after the server applies this call. */
function after(hydrant: Hydrant, { path, body }: { path: string; body: Record<string, unknown> }): Hydrant {
  if (path === saveHydrant.path) {
    const { hydrantId: _id, companyId: _named, basis: _basis, ...form } = body as RequestInputOf<typeof saveHydrant>
    return { ...hydrant, form }
  }
  if (path === transitionHydrant.path) {
    const { event, reason = '' } = body as RequestInputOf<typeof transitionHydrant>
    return { ...hydrant, service: hydrantStates.steps[event].to as HydrantService, serviceReason: reason }
  }
  if (path === recordFlowTest.path) {
    const test = body as RequestInputOf<typeof recordFlowTest>
    // The newest test sets the available flow, unless its pressure drop is too small to rate.
    if (test.testedOn < hydrant.testedOn) return hydrant
    const outlets = test.outlets.map(({ diameterInches, coefficient, pitotPsi }) => ({
      diameterInches: Number(diameterInches),
      coefficient: Number(coefficient),
      pitotPsi: Number(pitotPsi),
    }))
    const readings = { staticPsi: Number(test.staticPsi), residualPsi: Number(test.residualPsi), outlets }
    if (dropOf(readings) === 'weak') return hydrant
    const { availableGpm } = flowOf(readings)
    return { ...hydrant, testedOn: test.testedOn, availableGpm, flowClass: classOf(availableGpm) }
  }
  return hydrant
}

const Line = ({ record: { form, status, service } }: { record: Hydrant }) => (
  <>
    <span className="flex flex-wrap items-center gap-2">
      <strong>{form.number}</strong>
      {service === 'in_service' ? (
        <InspectionBadge status={status} />
      ) : (
        <StateBadge of={hydrantStates} state={service} />
      )}
    </span>
    <span className="text-muted text-sm wrap-anywhere">{form.location.text}</span>
  </>
)

/** Details of a hydrant, with the few actions that crews perform on site. */
function Details({ record: hydrant, act }: DetailsProps<Hydrant>) {
  const { t } = useLingui()
  const [openDialog, setOpenDialog] = useState<'facts' | 'out' | 'test' | null>(null)
  const { id, form, service } = hydrant
  const close = () => setOpenDialog(null)
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-wrap gap-2">
        <StateBadge of={hydrantStates} state={service} />
        <InspectionBadge status={hydrant.status} />
      </div>
      <DetailList
        details={[
          [<Trans>Location</Trans>, form.location.text || <Trans>Unknown</Trans>],
          [<Trans>Make and model</Trans>, [form.make, form.model].filter(Boolean).join(' ') || <Trans>Unknown</Trans>],
          [
            <Trans>Next inspection</Trans>,
            form.nextInspectionOn ? formatShortDate(form.nextInspectionOn) : <Trans>Unknown</Trans>,
          ],
          [
            <Trans>Flow at 20 psi</Trans>,
            hydrant.availableGpm === null ? (
              <Trans>Never tested</Trans>
            ) : (
              <span className="flex flex-wrap gap-2">
                <Trans>{hydrant.availableGpm.toLocaleString('en-US')} GPM</Trans>
                {hydrant.flowClass && <ClassMark of={hydrant.flowClass} />}
              </span>
            ),
          ],
          ...(hydrant.serviceReason ? [[<Trans>Reason</Trans>, hydrant.serviceReason] as const] : []),
          [
            <Trans>Notes</Trans>,
            form.notes ? <span className="whitespace-pre-wrap">{form.notes}</span> : <Trans>None</Trans>,
          ],
        ]}
      />
      <div className="flex flex-wrap gap-3">
        <Button variant="primary" className="min-h-12" onClick={() => setOpenDialog('test')}>
          <Trans>Flow test</Trans>
        </Button>
        <Button className="min-h-12" onClick={() => setOpenDialog('facts')}>
          <Trans>Edit notes and details</Trans>
        </Button>
        {service === 'in_service' && (
          <Button className="min-h-12" onClick={() => setOpenDialog('out')}>
            <Trans>Take out of service</Trans>
          </Button>
        )}
        {service === 'out_of_service' && (
          <Button
            className="min-h-12"
            onClick={() =>
              void act(transitionHydrant, { hydrantId: id, event: 'return_to_service' }, t`Return to service`)
            }
          >
            <Trans>Return to service</Trans>
          </Button>
        )}
      </div>
      {openDialog === 'test' && (
        <FlowTestForm
          hydrant={hydrant}
          onRecord={(values) => act(recordFlowTest, { ...values, hydrantId: id }, t`Flow test recorded`)}
          onClose={close}
        />
      )}
      {openDialog === 'out' && (
        <ReasonDialog
          title={t`Take out of service`}
          draft={`field-hydrant-out:${id}`}
          onReason={(reason) =>
            act(transitionHydrant, { hydrantId: id, event: 'take_out', reason }, t`Taken out of service`)
          }
          onClose={close}
        />
      )}
      {openDialog === 'facts' && (
        <DetailsDialog
          form={form}
          onSave={(values) =>
            act(saveHydrant, { ...values, hydrantId: id, basis: { ...form } }, t`Notes and details changed`)
          }
          onClose={close}
        />
      )}
    </div>
  )
}

interface DetailsDialogProps {
  form: HydrantForm
  onSave: (values: HydrantForm) => Promise<void>
  onClose: () => void
}

function DetailsDialog({ form: start, onSave, onClose }: DetailsDialogProps) {
  const { t } = useLingui()
  const form = useZodForm(hydrantForm, { defaultValues: start })
  return (
    <FormDialog title={<Trans>Hydrant {start.number}</Trans>} form={form} onSubmit={onSave} onClose={onClose}>
      <TextArea label={t`Notes`} optional rows={4} {...form.field('notes')} />
      <TextField label={t`Make`} optional autoComplete="off" {...form.field('make')} />
      <TextField label={t`Model`} optional autoComplete="off" {...form.field('model')} />
      <DateField label={t`Last inspection`} optional {...form.field('lastInspectedOn')} />
      <DateField label={t`Next inspection`} optional {...form.field('nextInspectionOn')} />
    </FormDialog>
  )
}

export const part: FieldPart<Hydrant> = {
  kind: 'hydrant',
  label: 'Hydrants',
  calls: [saveHydrant, transitionHydrant, recordFlowTest],
  photos: [],
  fieldLabels: {
    notes: 'Notes',
    make: 'Make',
    model: 'Model',
    lastInspectedOn: 'Last inspection',
    nextInspectionOn: 'Next inspection',
  },
  nameOf: ({ form }) => say`Hydrant ${form.number}`,
  searchTextOf: ({ form }) => `${form.number} ${form.location.text} ${form.make}`,
  after,
  Line,
  Details,
}
