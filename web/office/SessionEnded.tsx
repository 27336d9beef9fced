import { Trans } from '@lingui/react/macro'
import { useEffect } from 'react'
import { ENDED_MS } from '../../shared/impersonation.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { forgetEnded, useEnded } from './start-impersonation.ts'

/** Dialog after an impersonation window has closed. The dialog closes automatically (spec 4.9, 8.4, 9.1). */
export function SessionEnded() {
  const of = useEnded()
  useEffect(() => {
    if (!of) return
    const timer = setTimeout(forgetEnded, ENDED_MS)
    return () => clearTimeout(timer)
  }, [of])
  if (!of) return null
  return (
    <Dialog title={<Trans>Session Ended</Trans>} onClose={forgetEnded}>
      <p role="status">
        {of === 'municipality' ? (
          <Trans>Municipality access has been closed.</Trans>
        ) : (
          <Trans>Access to the resident’s portal has been closed.</Trans>
        )}
      </p>
    </Dialog>
  )
}
