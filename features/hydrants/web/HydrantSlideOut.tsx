import { Trans, useLingui } from '@lingui/react/macro'
import { ClipboardCheck, FileDown, Gauge, Pencil } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { formatShortDate } from '../../../shared/dates.ts'
import { call, messageOf } from '../../../web/call.ts'
import { shortInstant } from '../../../web/clock.ts'
import { download } from '../../../web/download.ts'
import { CompanyMap } from '../../../web/places/CompanyMap.tsx'
import { useResponse } from '../../../web/query.ts'
import { ResponseSlideOut } from '../../../web/ui/ResponseView.tsx'
import { Button, LinkButton } from '../../../web/ui/Button.tsx'
import { DetailList } from '../../../web/ui/Card.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { MoveButtons } from '../../../web/ui/MoveButtons.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { INSPECTIONS_PATH } from '../../inspections/rules.ts'
import { orderStates } from '../../work-orders/states.ts'
import { printHydrantReport, transitionHydrant, returnHydrant, saveHydrant } from '../contract.ts'
import { HYDRANT } from '../rules.ts'
import { hydrantStates } from '../states.ts'
import { ClassMark, InspectionBadge } from './badges.tsx'
import { FlowTestForm } from './FlowTestForm.tsx'
import { FlowTests } from './FlowTests.tsx'
import { type HydrantDetails, reloadHydrants } from './fresh.ts'
import { HydrantForm } from './HydrantForm.tsx'
import { History } from '../../../web/ui/office/History.tsx'
import { QueryItem } from '../../../web/query-item.tsx'
import { Code, Text } from '../../../web/ui/Text.tsx'

/** Panel for the hydrant with the id from the URL. */
export const HydrantFromQuery = () => (
  <QueryItem name="hydrant">{(id, close) => <HydrantSlideOut id={id} onClose={close} />}</QueryItem>
)

function HydrantSlideOut({ id, onClose }: { id: number; onClose: () => void }) {
  const response = useResponse(returnHydrant, { hydrantId: id })
  const [panel, setPanel] = useState<'edit' | 'test' | null>(null)
  const { data } = response
  const back = () => setPanel(null)
  if (panel === 'edit' && data?.can.edit) return <EditHydrant hydrant={data} onClose={back} />
  if (panel === 'test' && data?.can.test) return <FlowTestForm hydrant={data} onClose={back} />
  return (
    <ResponseSlideOut
      title={data ? <Trans>Hydrant {data.form.number}</Trans> : <Trans>Hydrant</Trans>}
      onClose={onClose}
      response={response}
      loading={<Trans>Loading the hydrant</Trans>}
      failed={<Trans>This hydrant could not be loaded</Trans>}
    >
      {(hydrant) => (
        <>
          <div className="mb-4 flex flex-wrap items-center gap-3">
            <StateBadge of={hydrantStates} state={hydrant.service} />
            <InspectionBadge status={hydrant.status} />
          </div>
          <Written hydrant={hydrant} />
          <div className="mt-5 flex flex-wrap gap-2">
            {hydrant.can.test && (
              <Button size="small" icon={Gauge} onClick={() => setPanel('test')}>
                <Trans>Record a flow test</Trans>
              </Button>
            )}
            {hydrant.can.edit && (
              <Button size="small" icon={Pencil} onClick={() => setPanel('edit')}>
                <Trans>Edit</Trans>
              </Button>
            )}
            {hydrant.can.inspect && (
              <LinkButton
                size="small"
                icon={ClipboardCheck}
                to={`${INSPECTIONS_PATH}?panel=new&kind=${HYDRANT}&thing=${hydrant.id}`}
              >
                <Trans>Schedule an inspection</Trans>
              </LinkButton>
            )}
            <Button size="small" icon={FileDown} onClick={() => void print(hydrant.id)}>
              <Trans>PDF</Trans>
            </Button>
          </div>
          <Service hydrant={hydrant} />
          <FlowTests hydrant={hydrant} />
          <Orders hydrant={hydrant} />
          <Where hydrant={hydrant} />
          <History title={<Trans>Service</Trans>} history={hydrant.history} />
        </>
      )}
    </ResponseSlideOut>
  )
}

const print = (hydrantId: number) =>
  download(printHydrantReport, { hydrantId }).catch((problem: unknown) => toast(messageOf(problem), 'danger'))

const EditHydrant = ({ hydrant: { id, form }, onClose }: { hydrant: HydrantDetails; onClose: () => void }) => (
  <HydrantForm
    title={<Trans>Edit hydrant {form.number}</Trans>}
    start={form}
    basis={form}
    draft={`hydrant:${id}`}
    onClose={onClose}
    onSave={async (values, basis) => {
      const { message } = await call(saveHydrant, { ...values, hydrantId: id, basis })
      onClose()
      return message
    }}
  />
)

const day = (date: string): string => (date ? formatShortDate(date) : '–')

function Written({ hydrant }: { hydrant: HydrantDetails }) {
  const { t } = useLingui()
  const { form, availableGpm, flowClass, scheduled } = hydrant
  const details: [string, ReactNode][] = [
    [t`Location`, form.location.text || '–'],
    [t`Make`, [form.make, form.model, form.madeYear].filter(Boolean).join(' ') || '–'],
    [t`Size`, form.sizeInches ? t`${form.sizeInches} inches` : '–'],
    [t`Water main`, form.mainInches ? t`${form.mainInches} inches` : '–'],
    [t`Last inspection`, day(form.lastInspectedOn)],
    [t`Next inspection`, day(form.nextInspectionOn)],
  ]
  if (scheduled)
    details.push([
      t`Scheduled`,
      <Link className="link" to={`${INSPECTIONS_PATH}?inspection=${scheduled.id}`}>
        {t`${scheduled.number} on ${formatShortDate(scheduled.dueOn)}`}
      </Link>,
    ])
  if (availableGpm !== null && flowClass)
    details.push(
      [t`Flow at 20 psi`, t`${availableGpm.toLocaleString('en-US')} GPM`],
      [t`Class`, <ClassMark of={flowClass} />],
      [t`Last flow test`, day(hydrant.testedOn)],
      [t`Next flow test`, day(hydrant.nextTestOn)],
    )
  if (form.notes) details.push([t`Notes`, form.notes])
  return <DetailList className="text-table" details={details} />
}

/** Service status of a hydrant. Each change of the status notifies the fire department. */
function Service({ hydrant: { id, can, service, serviceReason, serviceSince } }: { hydrant: HydrantDetails }) {
  const { t } = useLingui()
  return (
    <>
      {service === 'out_of_service' && (
        <Notice tone="danger" className="mt-5" title={<Trans>Out of service since {shortInstant(serviceSince)}</Trans>}>
          {serviceReason}
        </Notice>
      )}
      <MoveButtons
        of={hydrantStates}
        can={can.steps}
        dialog={{
          text: () => (
            <Trans>
              If the hydrant settings have the fire department’s email address, the department will immediately get an
              email with your reason.
            </Trans>
          ),
          hint: t`For example: Stem damaged, waiting for a part`,
          draft: `hydrant-service:${id}`,
        }}
        onPress={async (event, reason) => {
          toast((await call(transitionHydrant, { hydrantId: id, event, reason })).message)
          await reloadHydrants()
        }}
      />
    </>
  )
}

function Where({ hydrant: { form } }: { hydrant: HydrantDetails }) {
  const { t } = useLingui()
  const { lat, lon } = form.location
  const pin = useMemo(() => (lat === null || lon === null ? null : { lat, lon }), [lat, lon])
  if (!pin) return null
  return (
    <section className="mt-7">
      <h3 className="mb-2 text-lg">
        <Trans>Location</Trans>
      </h3>
      <CompanyMap label={t`Location of hydrant ${form.number}`} pin={pin} />
    </section>
  )
}

/** Work orders of the hydrant. */
const Orders = ({ hydrant: { orders } }: { hydrant: HydrantDetails }) =>
  orders.length > 0 && (
    <section className="mt-7">
      <h3 className="mb-2 text-lg">
        <Trans>Work orders</Trans>
      </h3>
      <ul className="flex flex-col gap-2 text-sm">
        {orders.map(({ id, number, title, status }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-2 wrap-anywhere">
            <Link className="link" to={`/municipality/work-orders?order=${id}`}>
              <Code>{number}</Code> <Text>{title}</Text>
            </Link>
            <StateBadge of={orderStates} state={status} />
          </li>
        ))}
      </ul>
    </section>
  )
