import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Send } from 'lucide-react'
import { useState } from 'react'
import { call, messageOf } from '../../../web/call.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { may } from '../../../web/session.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { ConfirmDialog } from '../../../web/ui/Dialog.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { returnCustomerInvitations, sendCustomerInvitations } from '../contract.ts'

/** Button that invites imported residents. Hidden if no one waits for an invitation. */
export function SendInvitations() {
  const mayInvite = may('customers', 'create')
  const { data } = useResponse(returnCustomerInvitations, {}, { enabled: mayInvite })
  const [isOpen, setIsOpen] = useState(false)
  const count = data?.count ?? 0
  if (!mayInvite || count === 0) return null
  return (
    <>
      <Button icon={Send} onClick={() => setIsOpen(true)}>
        <Trans>Send invitations</Trans>
      </Button>
      {isOpen && <InvitationDialog count={count} onClose={() => setIsOpen(false)} />}
    </>
  )
}

function InvitationDialog({ count, onClose }: { count: number; onClose: () => void }) {
  const { t } = useLingui()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const send = async () => {
    setBusy(true)
    try {
      toast((await call(sendCustomerInvitations, {})).message)
      onClose()
      await reload(returnCustomerInvitations)
    } catch (error) {
      setProblem(messageOf(error))
      setBusy(false)
    }
  }
  return (
    <ConfirmDialog
      title={t`Send invitations?`}
      confirmLabel={<Plural value={count} one="Send # email" other="Send # emails" />}
      onConfirm={() => void send()}
      onClose={onClose}
      busy={busy}
    >
      <Trans>
        Each imported resident without a password gets an email with a link to choose a password. The link is valid for
        14 days. Residents who were invited before get no email.
      </Trans>
      {problem !== '' && (
        <Notice tone="danger" arrives>
          {problem}
        </Notice>
      )}
    </ConfirmDialog>
  )
}
