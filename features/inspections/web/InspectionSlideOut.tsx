import { Trans, useLingui } from '@lingui/react/macro'
import { CalendarClock, CheckCheck, FileDown, RotateCcw } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { formatShortDate, formatTime } from '../../../shared/dates.ts'
import { call, messageOf } from '../../../web/call.ts'
import { shortInstant } from '../../../web/clock.ts'
import { download } from '../../../web/download.ts'
import { setQuery } from '../../../web/go.ts'
import { useResponse } from '../../../web/query.ts'
import { ResponseSlideOut } from '../../../web/ui/ResponseView.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { DetailList } from '../../../web/ui/Card.tsx'
import { UnprintableNotice } from '../../../web/ui/office/UnprintableNotice.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { Refusal } from '../../../web/ui/Notice.tsx'
import { MoveButtons } from '../../../web/ui/MoveButtons.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import {
  repeatInspection,
  transitionInspection,
  passItems,
  printCertificate,
  returnInspection,
  saveInspection,
} from '../contract.ts'
import { INSPECTIONS_PATH } from '../rules.ts'
import { inspectionStates } from '../states.ts'
import { type InspectionDetails, reloadInspections } from './fresh.ts'
import { InspectionBadge } from './InspectionBadge.tsx'
import { ItemForm } from './ItemForm.tsx'
import { ItemRow } from './ItemRow.tsx'
import { WhenDialog } from './WhenDialog.tsx'
import { History } from '../../../web/ui/office/History.tsx'
import { QueryItem } from '../../../web/query-item.tsx'

/** Panel for the inspection with the id from the URL. */
export const InspectionFromQuery = () => (
  <QueryItem name="inspection">{(id, close) => <InspectionSlideOut id={id} onClose={close} />}</QueryItem>
)

function InspectionSlideOut({ id, onClose }: { id: number; onClose: () => void }) {
  const response = useResponse(returnInspection, { inspectionId: id })
  const [edited, setEdited] = useState<number | null>(null)
  const { data } = response
  const item = data?.items.find((one) => one.id === edited)
  if (data && item?.can.edit)
    return <ItemForm key={item.id} inspection={data} item={item} onClose={() => setEdited(null)} />
  return (
    <ResponseSlideOut
      title={data ? <Trans>Inspection {data.number}</Trans> : <Trans>Inspection</Trans>}
      onClose={onClose}
      response={response}
      loading={<Trans>Loading the inspection</Trans>}
      failed={<Trans>This inspection could not be loaded</Trans>}
    >
      {(inspection) => (
        <>
          <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
            <p className="font-bold">{inspection.title}</p>
            <span className="flex flex-wrap items-center gap-2">
              <InspectionBadge {...inspection} />
              <span className="text-muted text-sm">
                <Trans>
                  {inspection.doneItems} of {inspection.countedItems} items passed or failed
                </Trans>
              </span>
            </span>
          </div>
          <InspectionContent inspection={inspection} />
          <Tools inspection={inspection} />
          <section className="mt-7">
            <div className="mb-2 flex flex-wrap items-center justify-between gap-3">
              <h3 className="text-lg">
                <Trans>Checklist</Trans>
              </h3>
              <PassTheRest inspection={inspection} />
            </div>
            <ol className="flex flex-col gap-3">
              {inspection.items.map((one) => (
                <ItemRow key={one.id} inspection={inspection} item={one} onEdit={() => setEdited(one.id)} />
              ))}
            </ol>
          </section>
          <Steps inspection={inspection} />
        </>
      )}
    </ResponseSlideOut>
  )
}

/** Button that passes all items that have their answers. */
function PassTheRest({ inspection: { id, items } }: { inspection: InspectionDetails }) {
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState('')
  if (items.filter(({ can, skipReason }) => can.edit && skipReason === '').length < 2) return null
  const pass = async () => {
    setBusy(true)
    setRefusal('')
    try {
      const { message, skipped } = await call(passItems, { inspectionId: id })
      if (skipped.length === 0) toast(message)
      else setRefusal(message)
      await reloadInspections()
    } catch (problem) {
      setRefusal(messageOf(problem))
    }
    setBusy(false)
  }
  return (
    <>
      <Button size="small" icon={CheckCheck} busy={busy} onClick={() => void pass()}>
        <Trans>Pass the rest</Trans>
      </Button>
      <Refusal>{refusal}</Refusal>
    </>
  )
}

function InspectionContent({ inspection }: { inspection: InspectionDetails }) {
  const { t } = useLingui()
  const { subjectLabel, subjectName, subjectPath, location, when, assignedName, finishedAt, finishedBy, again } =
    inspection
  const to = (one: { id: number; number: string }) => (
    <Link className="link" to={`${INSPECTIONS_PATH}?inspection=${one.id}`}>
      {one.number}
    </Link>
  )
  const details: [string, ReactNode][] = [
    [
      subjectLabel,
      subjectPath ? (
        <Link className="link" to={subjectPath}>
          {subjectName}
        </Link>
      ) : (
        subjectName
      ),
    ],
    ...(location.text && location.text !== subjectName ? [[t`Location`, location.text] as [string, ReactNode]] : []),
    [t`Due`, `${formatShortDate(when.dueOn)}, ${formatTime(when.startTime)}`],
    [t`Inspector`, assignedName || t`Not assigned`],
  ]
  if (finishedAt) details.push([t`Closed`, `${shortInstant(finishedAt)}, ${finishedBy}`])
  if (again.of) details.push([t`Original inspection`, to(again.of)])
  if (again.by) details.push([t`Re-inspection`, to(again.by)])
  return (
    <>
      <UnprintableNotice texts={[subjectName, location.text, assignedName]} />
      <DetailList className="text-table" details={details} />
    </>
  )
}

function Tools({ inspection }: { inspection: InspectionDetails }) {
  const [dialog, setDialog] = useState<'when' | 'again' | null>(null)
  const { id, when, can, today } = inspection
  const close = () => setDialog(null)
  return (
    <div className="mt-5 flex flex-wrap gap-2 empty:hidden">
      {can.edit && (
        <Button size="small" icon={CalendarClock} onClick={() => setDialog('when')}>
          <Trans>Change date and inspector</Trans>
        </Button>
      )}
      {can.again && (
        <Button size="small" icon={RotateCcw} onClick={() => setDialog('again')}>
          <Trans>Schedule the re-inspection</Trans>
        </Button>
      )}
      {can.certificate && (
        <Button size="small" icon={FileDown} onClick={() => void certificate(id)}>
          <Trans>Certificate</Trans>
        </Button>
      )}
      {dialog === 'when' && (
        <WhenDialog
          title={<Trans>Change date and inspector</Trans>}
          start={when}
          basis={when}
          onClose={close}
          onSave={async (values, basis) => (await call(saveInspection, { ...values, inspectionId: id, basis })).message}
        />
      )}
      {dialog === 'again' && (
        <WhenDialog
          title={<Trans>Schedule the re-inspection</Trans>}
          start={{ ...when, dueOn: today }}
          onClose={close}
          onSave={async (values) => {
            const { message, inspectionId } = await call(repeatInspection, { ...values, inspectionId: id })
            setQuery({ inspection: String(inspectionId) })
            return message
          }}
        />
      )}
    </div>
  )
}

const certificate = (inspectionId: number) =>
  download(printCertificate, { inspectionId }).catch((problem: unknown) => toast(messageOf(problem), 'danger'))

function Steps({ inspection: { id, status, can, history } }: { inspection: InspectionDetails }) {
  const { t } = useLingui()
  return (
    <>
      {status === 'scheduled' && !can.steps['finish'] && can.edit && (
        <p className="mt-5 text-muted">
          <Trans>You can finish the inspection after each item has passed or failed.</Trans>
        </p>
      )}
      <MoveButtons
        of={inspectionStates}
        can={can.steps as Record<'finish' | 'cancel', boolean>}
        dialog={{ hint: t`Staff can read the reason.`, draft: `inspection-cancel:${id}` }}
        onPress={async (event, reason) => {
          toast((await call(transitionInspection, { inspectionId: id, event, reason })).message)
          await reloadInspections()
        }}
      />
      <History history={history} />
    </>
  )
}
