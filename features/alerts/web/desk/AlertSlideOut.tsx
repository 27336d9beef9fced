import { Trans, useLingui } from '@lingui/react/macro'
import { FlaskConical, Pencil, Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { call, messageOf } from '../../../../web/call.ts'
import { setQuery } from '../../../../web/go.ts'
import { useResponse } from '../../../../web/query.ts'
import { ResponseView } from '../../../../web/ui/ResponseView.tsx'
import { Button } from '../../../../web/ui/Button.tsx'
import { CloseAction, ConfirmDialog, SlideOut } from '../../../../web/ui/Dialog.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { countAudience, transitionAlert, removeAlert, showAlert, submitAlert, testAlert } from '../../contract-staff.ts'
import { refreshAlerts } from './fresh.ts'
import { ExistingAlert } from './ExistingAlert.tsx'
import { Leaves, SecondPerson } from './Audience.tsx'

type ShowAlertResponse = ResponseOf<typeof showAlert>
type Confirmation = 'send' | 'approve' | 'remove'

interface Props {
  id: number
  onClose: () => void
}

/** Shows an alert as recipients see it, with its audience and delivery results. */
export function AlertSlideOut({ id, onClose }: Props) {
  const { t } = useLingui()
  const response = useResponse(showAlert, { alertId: id })
  const { data } = response
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null)
  const audience = useResponse(countAudience, { alertId: id })
  const [busy, setBusy] = useState(false)
  const runAction = async (work: () => Promise<{ message: string }>, then?: () => void) => {
    setBusy(true)
    try {
      toast((await work()).message)
      then?.()
    } catch (error) {
      toast(messageOf(error), 'danger')
    }
    setConfirmation(null)
    setBusy(false)
    await refreshAlerts()
  }
  return (
    <>
      <SlideOut
        title={data?.form.en.headline ?? t`Alert`}
        onClose={onClose}
        actions={
          <>
            {data && (
              <AlertButtons
                alert={data}
                isCounted={audience.data !== undefined}
                busy={busy}
                onConfirm={setConfirmation}
                onTest={() => void runAction(() => call(testAlert, { alertId: id }))}
              />
            )}
            <CloseAction onClose={onClose} />
          </>
        }
      >
        <ResponseView response={response} loading={<Trans>Loading alert</Trans>} shape="lines">
          {(loaded) => (
            <ExistingAlert
              id={id}
              loaded={loaded}
              audience={audience.data}
              onApprove={() => setConfirmation('approve')}
            />
          )}
        </ResponseView>
      </SlideOut>
      {confirmation === 'send' && audience.data && (
        <ConfirmDialog
          title={<Trans>Send this alert?</Trans>}
          confirmLabel={audience.data.secondPerson ? <Trans>Submit for approval</Trans> : <Trans>Send alert</Trans>}
          busy={busy}
          onConfirm={() =>
            void runAction(() => call(submitAlert, { alertId: id, people: audience.data?.counted.people ?? 0 }))
          }
          onClose={() => setConfirmation(null)}
        >
          <Leaves audience={audience.data} sendAt={data?.sendAt ?? null} />
          <SecondPerson of={audience.data} className="mt-3" />
        </ConfirmDialog>
      )}
      {confirmation === 'approve' && (
        <ConfirmDialog
          title={<Trans>Approve and send this alert?</Trans>}
          confirmLabel={<Trans>Approve and send</Trans>}
          busy={busy}
          onConfirm={() => void runAction(() => call(transitionAlert, { alertId: id, event: 'approve' }))}
          onClose={() => setConfirmation(null)}
        >
          <ResponseView response={audience} loading={<Trans>Counting recipients</Trans>} shape="lines">
            {(counted) => <Leaves audience={counted} sendAt={data?.sendAt ?? null} />}
          </ResponseView>
        </ConfirmDialog>
      )}
      {confirmation === 'remove' && (
        <ConfirmDialog
          title={<Trans>Remove this draft?</Trans>}
          confirmLabel={<Trans>Remove draft</Trans>}
          danger
          busy={busy}
          onConfirm={() => void runAction(() => call(removeAlert, { alertId: id }), onClose)}
          onClose={() => setConfirmation(null)}
        >
          <Trans>The draft will be permanently deleted. No one has received it.</Trans>
        </ConfirmDialog>
      )}
    </>
  )
}

interface AlertButtonsProps {
  alert: ShowAlertResponse
  /** True if the portal has counted the recipients. Staff confirm this count when they send the alert. */
  isCounted: boolean
  busy: boolean
  onConfirm: (confirmation: Confirmation) => void
  onTest: () => void
}

const AlertButtons = ({ alert: { can, hindrance }, isCounted, busy, onConfirm, onTest }: AlertButtonsProps) => (
  <>
    {can.submit && (
      <Button variant="primary" icon={Send} disabled={!isCounted || hindrance !== ''} onClick={() => onConfirm('send')}>
        <Trans>Send</Trans>
      </Button>
    )}
    {can.edit && (
      <Button icon={Pencil} onClick={() => setQuery({ edit: '1' })}>
        <Trans>Edit alert</Trans>
      </Button>
    )}
    {can.test && (
      <Button icon={FlaskConical} disabled={busy} onClick={onTest}>
        <Trans>Send me a test</Trans>
      </Button>
    )}
    {can.remove && (
      <Button icon={Trash2} onClick={() => onConfirm('remove')}>
        <Trans>Remove</Trans>
      </Button>
    )}
  </>
)
