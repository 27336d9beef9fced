import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { call, messageOf } from '../../../web/call.ts'
import { shortInstant } from '../../../web/clock.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { retrySending, requestAtPortal } from '../contract.ts'

/** Status of a request at the portal that received it, with a button to retry. */
export default function RequestAtPortal({ id }: { id: number }) {
  const { t } = useLingui()
  const { data } = useResponse(requestAtPortal, { subjectId: id })
  const [busy, setBusy] = useState(false)
  if (!data?.sent) return null
  const { portal, state, theirId, theirStatus, problem, nextAt } = data.sent
  const retry = async () => {
    setBusy(true)
    try {
      toast((await call(retrySending, { subjectId: id })).message)
    } catch (error) {
      toast(messageOf(error), 'danger')
    }
    await reload(requestAtPortal)
    setBusy(false)
  }
  const stateText = {
    waiting: problem
      ? t`Not sent to ${portal} yet: ${problem} Next attempt: ${shortInstant(nextAt)}.`
      : t`Sending to ${portal}.`,
    token: t`Sent to ${portal}, which has not assigned a number yet.`,
    sent:
      theirStatus === 'closed'
        ? t`Sent to ${portal} as request ${theirId}. The request is closed there.`
        : t`Sent to ${portal} as request ${theirId}. The request is open there.`,
    refused: t`The request has a problem at ${portal}: ${problem}`,
    abandoned: t`Not sent to ${portal}: ${problem}`,
  }[state]
  const isBad = state === 'refused' || state === 'abandoned'
  return (
    <Notice className="mb-4" {...(isBad && { tone: 'danger' as const })}>
      <p className="wrap-anywhere">{stateText}</p>
      {data.can.retry && (
        <Button size="small" className="mt-2" busy={busy} onClick={() => void retry()}>
          <Trans>Try again</Trans>
        </Button>
      )}
    </Notice>
  )
}
