import { Trans, useLingui } from '@lingui/react/macro'
import { call } from '../../../../web/call.ts'
import { MoveButtons } from '../../../../web/ui/MoveButtons.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { changeRequestStatus } from '../../contract.ts'
import { requestStates } from '../../states.ts'
import type { Details } from './details.ts'
import { reloadRequests } from './fresh-requests.ts'

/** Buttons for the available transitions of a request. */
export function Steps({ request: { companyId, id: subjectId }, can }: Details) {
  const { t } = useLingui()
  return (
    <MoveButtons
      of={requestStates}
      can={can.steps}
      dialog={{
        text: () => <Trans>The request will be permanently closed. The requester will not be notified.</Trans>,
        hint: t`Only staff can read this text.`,
        draft: `support:${subjectId}`,
      }}
      onPress={async (event, reason) => {
        try {
          toast((await call(changeRequestStatus, { companyId, subjectId, event, reason })).message)
        } finally {
          await reloadRequests()
        }
      }}
    />
  )
}
