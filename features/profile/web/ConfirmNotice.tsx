import { Trans } from '@lingui/react/macro'
import { useEffect } from 'react'
import { useResponse } from '../../../web/query.ts'
import { renameSession, useSession } from '../../../web/session.ts'
import { useReturn } from '../../../web/use-return.ts'
import { Measure } from '../../../web/ui/Page.tsx'
import { returnProfile } from '../contract.ts'
import { SendAgain } from './SendAgain.tsx'

/** Notice above each screen of a resident with an unconfirmed email. */
export default function ConfirmNotice() {
  const email = useSession()?.email ?? ''
  // Always reloads the profile, because people often open the link on another device.
  const { data, refetch } = useResponse(returnProfile, {}, { staleTime: 0 })
  const isConfirmed = data?.user.email_confirmed === true
  useEffect(() => {
    if (isConfirmed) renameSession({ confirmed: true })
  }, [isConfirmed])
  useReturn(true, refetch)
  return (
    <aside className="flex items-center border-info border-b-2 bg-info-tint print:hidden">
      <Measure className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
        <p className="min-w-0 wrap-anywhere">
          <Trans>
            Please confirm your email: open the link that we sent to <strong>{email}</strong>.
          </Trans>
        </p>
        <SendAgain />
      </Measure>
    </aside>
  )
}
