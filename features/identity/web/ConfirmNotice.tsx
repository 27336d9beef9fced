import { Trans } from '@lingui/react/macro'
import { useSession } from '../../../web/session.ts'
import { Measure } from '../../../web/ui/Page.tsx'
import { SendAgain } from './SendAgain.tsx'

/** Notice above each screen of a resident with an unconfirmed email. */
export default function ConfirmNotice() {
  const email = useSession()?.email ?? ''
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
