import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { messageOf } from '../call.ts'
import { endImpersonation } from '../end-impersonation.ts'
import type { Impersonation } from '../session.ts'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog, Dialog } from '../ui/Dialog.tsx'

/**
 * Bar that shows the impersonator and the impersonated person. Its button ends the impersonation after a confirmation
 * (spec 2.9, 4.9).
 */
export function ImpersonationBar(impersonation: Impersonation) {
  const { by, as } = impersonation
  const { t } = useLingui()
  const [confirming, setConfirming] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState('')
  const end = () => {
    setBusy(true)
    endImpersonation(impersonation)
      .catch((error: unknown) => setFailure(messageOf(error)))
      .finally(() => {
        setBusy(false)
        setConfirming(false)
      })
  }
  return (
    <aside
      aria-label={t`Impersonation`}
      className="flex flex-wrap items-center justify-between gap-3 border-warning border-b-2 bg-warning-tint px-4 py-2 md:px-6 print:hidden"
    >
      <p className="min-w-0 text-warning">
        <Trans>
          <strong>{by}</strong> is impersonating <strong>{as}</strong>. All activity is logged under both names.
        </Trans>
      </p>
      <Button size="small" onClick={() => setConfirming(true)}>
        <Trans>End Impersonate Session</Trans>
      </Button>
      {confirming && (
        <ConfirmDialog
          title={<Trans>End this session?</Trans>}
          confirmLabel={<Trans>End session and close window</Trans>}
          cancelLabel={<Trans>Stay in session</Trans>}
          onConfirm={end}
          onClose={() => setConfirming(false)}
          busy={busy}
        >
          <p>
            <Trans>You will stop impersonating {as}, and this window will close. Unsaved changes will be lost.</Trans>
          </p>
        </ConfirmDialog>
      )}
      {failure && (
        <Dialog title={<Trans>Error</Trans>} onClose={() => setFailure('')}>
          <p>{failure}</p>
        </Dialog>
      )}
    </aside>
  )
}
