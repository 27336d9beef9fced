import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { messageOf } from '../call.ts'
import { endImpersonation } from '../end-impersonation.ts'
import type { Impersonation } from '../session.ts'
import { Button } from '../ui/Button.tsx'
import { Measure } from '../ui/Page.tsx'
import { toast } from '../ui/Toasts.tsx'
import { useOpenWindow } from './use-open-window.ts'

/**
 * Shows that staff impersonate the resident, and ends the impersonation (spec 2.8, 4.9). Also confirms to the opening
 * window that this window is open.
 */
export default function ImpersonationBar(impersonation: Impersonation) {
  const { by, as, handOff } = impersonation
  const { t } = useLingui()
  const [busy, setBusy] = useState(false)
  useOpenWindow(handOff)
  const end = () => {
    setBusy(true)
    endImpersonation(impersonation)
      .catch((error: unknown) => toast(messageOf(error), 'danger'))
      .finally(() => setBusy(false))
  }
  return (
    <aside aria-label={t`Impersonation`} className="min-h-14 border-warning border-b-2 bg-warning-tint print:hidden">
      <Measure className="flex flex-wrap items-center justify-between gap-3 py-2">
        <p className="min-w-0 text-warning">
          <Trans>
            <strong>{by}</strong> is impersonating <strong>{as}</strong>. All activity is logged under both names.
          </Trans>
        </p>
        <Button size="small" onClick={end} busy={busy}>
          <Trans>End Impersonate Session</Trans>
        </Button>
      </Measure>
    </aside>
  )
}
