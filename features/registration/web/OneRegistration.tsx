import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { formatDate } from '../../../shared/dates.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import type { Answers } from '../../../shared/fields/answer.ts'
import { translated } from '../../../shared/messages.ts'
import type { EditConflict } from '../../../shared/edits.ts'
import type { LocationValue } from '../../../shared/places.ts'
import { call, CallError, messageOf } from '../../../web/call.ts'
import { shortDay, shortInstant } from '../../../web/clock.ts'
import { AnswerSheet } from '../../../web/fields/StaffFields.tsx'
import { go } from '../../../web/go.ts'
import { useResponse } from '../../../web/query.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { useSession } from '../../../web/session.ts'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { Button, LinkButton } from '../../../web/ui/Button.tsx'
import { DetailList, Panel } from '../../../web/ui/Card.tsx'
import { ConfirmDialog } from '../../../web/ui/Dialog.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { FormDialog } from '../../../web/ui/FormDialog.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import {
  leaveRegistration,
  myRegistration,
  offerForm,
  offerRegistration,
  saveRegistration,
  withdrawOffer,
} from '../contract.ts'
import { kinds, OWN_PATH } from '../rules.ts'
import { registrationStates } from '../states.ts'
import { ChooseWhatCounts } from './ChooseWhatCounts.tsx'
import { ConfirmButton } from './ConfirmButton.tsx'
import { Filled } from './Filled.tsx'
import { reloadOwn } from './fresh.ts'
import { Text } from '../../../web/ui/Text.tsx'

type MyRegistrationResponse = ResponseOf<typeof myRegistration>

/** One registration of a resident: its status, content and actions. */
export function OneRegistration({ id }: { id: number }) {
  const response = useResponse(myRegistration, { id })
  const editing = useQueryParam('edit') !== null
  return (
    <ResponseView response={response} shape="block" loading={<Trans>Loading the registration</Trans>}>
      {(one) => (editing && one.can.edit ? <Edit one={one} /> : <Everything one={one} />)}
    </ResponseView>
  )
}

function Edit({ one }: { one: MyRegistrationResponse }) {
  const { id, answers, where, newest, today, number } = one
  // Original values of the form. They show which fields other household members changed since then. The server then
  // merges the changes or reports a conflict.
  const [basis] = useState<Record<string, unknown>>({ ...answers, location: where })
  const [collided, setCollided] = useState<EditConflict>()
  const save = async (input: Record<string, unknown>, from: Record<string, unknown>) => {
    const { location, ...rest } = input
    try {
      const { message } = await call(saveRegistration, {
        id,
        location: location as LocationValue,
        answers: rest,
        basis: from,
      })
      toast(message)
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== 'edit_conflict') throw error
      return setCollided(error.details as unknown as EditConflict)
    }
    await reloadOwn()
    go(`${OWN_PATH}?registration=${id}`)
  }
  return (
    <>
      <p className="mb-4 text-lg">
        <Trans>Change registration {number}</Trans>
      </p>
      {collided ? (
        <ChooseWhatCounts definition={newest.definition} of={collided} onChosen={save} />
      ) : (
        <Filled
          definition={newest.definition}
          start={answers}
          location={where}
          listedAddressOnly={one.listedAddressOnly}
          today={today}
          draft={`registration-change-${id}-${newest.version}`}
          doneLabel={<Trans>Save changes</Trans>}
          onSend={(location, answers) => save({ ...answers, location }, basis)}
        />
      )}
    </>
  )
}

function Everything({ one }: { one: MyRegistrationResponse }) {
  const { t } = useLingui()
  const { id, number, kind, name, location, status, confirmBy, text, can, history, snapshots } = one
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,20rem)]">
      <Panel id="what" title={name} aside={<StateBadge of={registrationStates} state={status} />}>
        {text && (
          <Notice tone="warning" className="mb-4" title={<Trans>Message from our staff</Trans>}>
            {text}
          </Notice>
        )}
        {status === 'due' && (
          <Notice tone="warning" className="mb-4">
            <Trans>Is everything still correct? Confirm your registration by {formatDate(confirmBy)}.</Trans>
          </Notice>
        )}
        {status === 'lapsed' && (
          <Notice tone="danger" className="mb-4">
            <Trans>
              You did not confirm this registration in time. Confirm or change it now to keep the same registration
              number.
            </Trans>
          </Notice>
        )}
        <div className="mb-5 flex flex-wrap gap-3 empty:hidden">
          {can.confirm && <ConfirmButton id={id} />}
          {can.edit && (
            <LinkButton to={`${OWN_PATH}?registration=${id}&edit=1`}>
              {text ? <Trans>Make changes and resubmit</Trans> : <Trans>Change registration</Trans>}
            </LinkButton>
          )}
        </div>
        <DetailList
          className="mb-6"
          details={[
            [t`Number`, number],
            ...(one.oldNumber ? ([[t`Previous number`, one.oldNumber]] as const) : []),
            [t`Kind`, translated(kinds[kind])],
            [t`Address`, location],
            ...(confirmBy ? ([[t`Valid until`, formatDate(confirmBy)]] as const) : []),
          ]}
        />
        <AnswerSheet definition={one.definition} answers={one.answers as Answers} today={one.today} />
      </Panel>
      <div className="grid gap-6">
        <Panel id="steps" title={<Trans>History</Trans>}>
          <ol className="border-line border-s-2 ps-4">
            {history.map((step) => (
              <li key={step.at + step.label} className="py-1.5">
                <p className="font-bold">{step.label}</p>
                {step.reason && <p className="wrap-anywhere">{step.reason}</p>}
                <p className="text-muted text-sm tabular-nums">{shortInstant(step.at)}</p>
              </li>
            ))}
          </ol>
          {snapshots.length > 0 && (
            <>
              <h3 className="mt-4 mb-1">
                <Trans>Earlier versions</Trans>
              </h3>
              <ul className="text-sm">
                {snapshots.map(({ no, at, before }) => (
                  <li key={no}>
                    <Text>{translated(before)}</Text>, <Text>{shortDay(at)}</Text>
                  </li>
                ))}
              </ul>
            </>
          )}
        </Panel>
        {(can.leave || can.offer) && <Ending one={one} />}
      </div>
    </div>
  )
}

const showMessage = async (work: Promise<{ message: string }>) => {
  try {
    toast((await work).message)
    await reloadOwn()
  } catch (error) {
    toast(messageOf(error), 'danger')
  }
}

function Ending({ one: { id, number, offer, can } }: { one: MyRegistrationResponse }) {
  const own = !useSession()?.impersonating
  const [openDialog, setOpenDialog] = useState<'leave' | 'offer' | null>(null)
  return (
    <Panel id="ending" title={<Trans>Is this registration no longer yours?</Trans>}>
      <div className="flex flex-col items-start gap-3">
        {offer && (
          <>
            <p className="wrap-anywhere">
              <Trans>
                Transfer offered to {offer.email}. The offer expires on {shortDay(offer.until)}.
              </Trans>
            </p>
            {own && (
              <Button onClick={() => void showMessage(call(withdrawOffer, { id }))}>
                <Trans>Withdraw offer</Trans>
              </Button>
            )}
          </>
        )}
        {can.offer && own && !offer && (
          <Button onClick={() => setOpenDialog('offer')}>
            <Trans>Transfer to a new owner</Trans>
          </Button>
        )}
        {can.leave && (
          <Button variant="quiet" onClick={() => setOpenDialog('leave')}>
            <Trans>End registration</Trans>
          </Button>
        )}
      </div>
      {openDialog === 'offer' && <Offer id={id} number={number} onClose={() => setOpenDialog(null)} />}
      {openDialog === 'leave' && (
        <ConfirmDialog
          title={<Trans>End registration {number}?</Trans>}
          confirmLabel={<Trans>End registration</Trans>}
          danger
          onClose={() => setOpenDialog(null)}
          onConfirm={() => {
            setOpenDialog(null)
            void showMessage(call(leaveRegistration, { id }))
          }}
        >
          <Trans>
            This registration will no longer be valid, and first responders will no longer see it. If you change your
            mind, you must register again.
          </Trans>
        </ConfirmDialog>
      )}
    </Panel>
  )
}

function Offer({ id, number, onClose }: { id: number; number: string; onClose: () => void }) {
  const { t } = useLingui()
  const form = useZodForm(offerForm, { defaultValues: { email: '' }, draft: { name: `registration-offer-${id}` } })
  return (
    <FormDialog
      title={<Trans>Transfer registration {number}</Trans>}
      form={form}
      submit={<Trans>Send link</Trans>}
      onClose={onClose}
      onSubmit={async ({ email }) => {
        toast((await call(offerRegistration, { id, email })).message)
        await reloadOwn()
        onClose()
      }}
    >
      <p className="mb-4">
        <Trans>
          We will email the new owner a link to accept the registration. The registration stays yours until the new
          owner accepts it. The new owner will see all of its information.
        </Trans>
      </p>
      <TextField label={t`New owner's email`} type="email" autoComplete="off" {...form.field('email')} />
    </FormDialog>
  )
}
