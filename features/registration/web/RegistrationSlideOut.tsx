import { Trans, useLingui } from '@lingui/react/macro'
import { ClipboardCheck } from 'lucide-react'
import { useState } from 'react'
import { formatDate } from '../../../shared/dates.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import type { Answers } from '../../../shared/fields/answer.ts'
import { translated } from '../../../shared/messages.ts'
import { call } from '../../../web/call.ts'
import { shortInstant } from '../../../web/clock.ts'
import { AnswerSheet } from '../../../web/fields/StaffFields.tsx'
import { useResponse } from '../../../web/query.ts'
import { ResponseView, ResponseSlideOut } from '../../../web/ui/ResponseView.tsx'
import { Button, LinkButton } from '../../../web/ui/Button.tsx'
import { DetailList } from '../../../web/ui/Card.tsx'
import { MoveButtons } from '../../../web/ui/MoveButtons.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { History } from '../../../web/ui/office/History.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { INSPECTIONS_PATH } from '../../inspections/rules.ts'
import { transitionRegistration, showRegistration, showSnapshot } from '../contract.ts'
import { kinds, RENTAL, RENTAL_SUBJECT } from '../rules.ts'
import { registrationStates } from '../states.ts'
import { reloadReport } from './fresh.ts'
import { Text } from '../../../web/ui/Text.tsx'

type ShowRegistrationResponse = ResponseOf<typeof showRegistration>

/** Slide-out of a registration: content, staff actions, history and snapshots. */
export function RegistrationSlideOut({ id, onClose }: { id: number; onClose: () => void }) {
  const response = useResponse(showRegistration, { id })
  const number = response.data?.number
  return (
    <ResponseSlideOut
      title={number ? <Trans>Registration {number}</Trans> : <Trans>Loading</Trans>}
      onClose={onClose}
      response={response}
      loading={<Trans>Loading the registration</Trans>}
      failed={<Trans>Could not load the registration</Trans>}
    >
      {(view) => <Everything registration={view} />}
    </ResponseSlideOut>
  )
}

function Everything({ registration }: { registration: ShowRegistrationResponse }) {
  const { t } = useLingui()
  const { id, kind, name, location, status, confirmBy, inspectBy, inspection, can, today } = registration
  const { parcel, oldNumber } = registration
  const parcelText = parcel
    ? [parcel.number, parcel.owner && t`owner: ${parcel.owner}`, parcel.landUse].filter(Boolean).join(', ')
    : t`No parcel at this address`
  const late = kind === RENTAL && inspectBy !== '' && inspectBy < today
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <StateBadge of={registrationStates} state={status} />
        <strong className="wrap-anywhere">{name}</strong>
      </div>
      {late && (
        <Notice tone="warning" className="mb-4">
          <Trans>
            The inspection was due by {formatDate(inspectBy)}. The registration will not renew automatically until the
            inspection is done.
          </Trans>
        </Notice>
      )}
      <DetailList
        className="text-table"
        details={[
          ...(oldNumber ? ([[t`Previous number`, oldNumber]] as const) : []),
          [t`Kind`, translated(kinds[kind])],
          [t`Address`, location],
          [t`Parcel`, parcelText],
          [t`Registered by`, registration.owner],
          [t`Email`, registration.email],
          [t`Confirmation due`, confirmBy ? formatDate(confirmBy) : t`None (not registered yet)`],
          [t`First responders`, registration.forResponders ? t`Can view` : t`Cannot view`],
          ...(kind === RENTAL ? ([[t`Inspection due`, inspectBy ? formatDate(inspectBy) : t`Not set`]] as const) : []),
          ...(inspection ? ([[t`Next inspection`, inspection.number]] as const) : []),
        ]}
      />
      <MoveButtons
        of={registrationStates}
        can={can.steps}
        dialog={{
          text: (event) =>
            event === 'request_info' ? (
              <Trans>The resident will receive your message and can then change and resubmit the registration.</Trans>
            ) : (
              <Trans>We will email this reason to the resident.</Trans>
            ),
          draft: `registration:${id}`,
        }}
        onPress={async (event, reason) => {
          toast((await call(transitionRegistration, { id, event, ...(reason !== undefined && { reason }) })).message)
          await reloadReport()
        }}
      />
      {can.inspect && !inspection && (
        <LinkButton
          size="small"
          icon={ClipboardCheck}
          className="mt-3"
          to={`${INSPECTIONS_PATH}?panel=new&kind=${RENTAL_SUBJECT}&thing=${id}`}
        >
          <Trans>Schedule an inspection</Trans>
        </LinkButton>
      )}
      <section className="mt-7">
        <AnswerSheet definition={registration.definition} answers={registration.answers as Answers} today={today} />
      </section>
      <History history={registration.history} />
      <Before registration={registration} />
    </>
  )
}

/** Snapshots of the content before each change. They are read-only. */
function Before({ registration: { id, snapshots } }: { registration: ShowRegistrationResponse }) {
  const [open, setOpen] = useState<number | null>(null)
  if (snapshots.length === 0) return null
  return (
    <section className="mt-7">
      <h3 className="mb-2 text-lg">
        <Trans>Earlier versions</Trans>
      </h3>
      <ul className="flex flex-col gap-2 text-sm">
        {snapshots.map(({ no, at, before, by }) => (
          <li key={no}>
            <Button size="small" aria-expanded={open === no} onClick={() => setOpen(open === no ? null : no)}>
              <Text>{translated(before)}</Text>, <Text>{shortInstant(at)}</Text>
            </Button>{' '}
            <span className="text-muted">{by}</span>
            {open === no && <Snapshot id={id} no={no} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Snapshot({ id, no }: { id: number; no: number }) {
  const { t } = useLingui()
  const response = useResponse(showSnapshot, { id, no })
  return (
    <ResponseView response={response} shape="lines" loading={<Trans>Loading the earlier version</Trans>}>
      {(was) => (
        <div className="my-3 border-line border-s-2 ps-4">
          <DetailList
            className="mb-4"
            details={[
              [t`Registered by`, was.owner],
              [t`Address`, was.location],
            ]}
          />
          <AnswerSheet definition={was.definition} answers={was.answers as Answers} today={was.today} />
        </div>
      )}
    </ResponseView>
  )
}
