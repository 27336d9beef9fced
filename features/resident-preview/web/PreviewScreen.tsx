import { Trans } from '@lingui/react/macro'
import { CircleCheck, CircleDashed } from 'lucide-react'
import { useState } from 'react'
import { HAND_OFF_PREFIX } from '../../../shared/impersonation.ts'
import { call, messageOf } from '../../../web/call.ts'
import { openWindow } from '../../../web/office/start-impersonation.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { currentSession } from '../../../web/session.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Refusal } from '../../../web/ui/Notice.tsx'
import { PageHead } from '../../../web/ui/Page.tsx'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { useReturn } from '../../../web/use-return.ts'
import { cleanUp } from '../../impersonation/contract.ts'
import { returnPreview, startPreview } from '../contract.ts'

/** Screen on which staff open the portal as a temporary resident, and see which steps of the preview are done. */
export default function PreviewScreen() {
  const response = useResponse(returnPreview, {})
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState('')
  useReturn(true, () => reload(returnPreview))
  const start = () => {
    setBusy(true)
    setFailure('')
    open()
      .catch((error: unknown) => setFailure(messageOf(error)))
      .finally(() => setBusy(false))
  }
  return (
    <>
      <PageHead title={<Trans>Resident Preview</Trans>}>
        <Trans>
          Try the portal as a resident before it goes online. The pages are the real ones, but nothing is charged. Only
          you get the emails. The end of a preview removes its records.
        </Trans>
      </PageHead>
      <ResponseView response={response} loading={<Trans>Loading the steps</Trans>} rows={5}>
        {({ steps }) => (
          <>
            <ol className="flex max-w-text flex-col">
              {steps.map(({ name, label, isDone }) => (
                <li key={name} className="flex items-center gap-3 border-line border-t py-2 first:border-t-0">
                  {isDone ? (
                    <CircleCheck size={20} aria-hidden className="shrink-0 text-success" />
                  ) : (
                    <CircleDashed size={20} aria-hidden className="shrink-0 text-warning" />
                  )}
                  <span className="min-w-0 flex-1 font-bold">{label}</span>
                  <span className="text-sm">{isDone ? <Trans>Done</Trans> : <Trans>To do</Trans>}</span>
                </li>
              ))}
            </ol>
            <div className="mt-6">
              <Button variant="primary" busy={isBusy} onClick={start}>
                <Trans>Start the preview</Trans>
              </Button>
              <Refusal>{failure}</Refusal>
            </div>
          </>
        )}
      </ResponseView>
    </>
  )
}

/** Starts a preview in a new window. */
async function open(): Promise<void> {
  const session = currentSession()
  const reqId = Number(session?.userId)
  const { sessionToken, adminToken, handOff } = await call(startPreview, {})
  const key = HAND_OFF_PREFIX + sessionToken
  localStorage.setItem(key, JSON.stringify({ userId: session?.userId, companyId: session?.companyId, UN: '999' }))
  const end = () => {
    localStorage.removeItem(key)
    return call(cleanUp, { reqId, adminToken }).finally(() => reload(returnPreview))
  }
  openWindow({ url: `/citizen/initialize-impersonation?at=${sessionToken}`, handOff, of: 'citizen', end })
}
