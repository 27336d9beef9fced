import { Trans, useLingui } from '@lingui/react/macro'
import { CircleCheck, CircleDashed } from 'lucide-react'
import { useEffect, useState } from 'react'
import { openedAct, PHONE_WIDTH } from '../../../shared/resident-preview.ts'
import { screenAt } from '../../../shared/screens.ts'
import { call, messageOf } from '../../../web/call.ts'
import { useOpenWindow } from '../../../web/citizen/use-open-window.ts'
import { endImpersonation } from '../../../web/end-impersonation.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { usePath } from '../../../web/routes.tsx'
import { useSession } from '../../../web/session.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { Measure } from '../../../web/ui/Page.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { completeStep, currentPreview, endPreview } from '../contract.ts'

/** Interval at which the bar loads the completed steps, in milliseconds. */
const POLL_MS = 3000

/** Opens the same page in a window as wide as a phone. */
const openPhone = () => void globalThis.open(location.href, 'phone', 'popup,width=390,height=844')

/** Bar above each page of a preview. Shows the steps and ends the preview. */
export default function PreviewBar() {
  const { t } = useLingui()
  const impersonation = useSession()?.impersonation
  const path = usePath()
  const { data } = useResponse(currentPreview, {})
  const [isBusy, setBusy] = useState(false)
  useOpenWindow(impersonation?.handOff)
  useEffect(() => {
    const poll = setInterval(() => void reload(currentPreview), POLL_MS)
    return () => clearInterval(poll)
  }, [])
  useEffect(() => {
    const steps = [openedAct(screenAt(path)?.path ?? ''), innerWidth <= PHONE_WIDTH ? 'phone' : undefined] as const
    for (const step of steps)
      if (step)
        void call(completeStep, { step })
          .then(() => reload(currentPreview))
          .catch(() => {})
  }, [path])
  if (!impersonation) return null
  const end = () => {
    setBusy(true)
    call(endPreview, {})
      .then(({ message }) => {
        toast(message)
        return endImpersonation(impersonation)
      })
      .catch((error: unknown) => toast(messageOf(error), 'danger'))
      .finally(() => setBusy(false))
  }
  return (
    <aside aria-label={t`Preview as a resident`} className="border-warning border-b-2 bg-warning-tint print:hidden">
      <Measure className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-2">
        <p className="min-w-0 text-warning">
          <Trans>
            <strong>Preview.</strong> Nothing is charged, and only you get the emails.
          </Trans>
        </p>
        <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
          {data?.steps.map(({ name, label, path: page, isDone }) => (
            <li key={name} className="flex items-center gap-1">
              {isDone ? (
                <CircleCheck size={16} aria-label={t`Done`} role="img" className="text-success" />
              ) : (
                <CircleDashed size={16} aria-label={t`To do`} role="img" className="text-warning" />
              )}
              {page === null ? (
                <button type="button" className="link" onClick={openPhone}>
                  {label}
                </button>
              ) : (
                <Link className="link" to={page}>
                  {label}
                </Link>
              )}
            </li>
          ))}
        </ul>
        <Button size="small" onClick={end} busy={isBusy}>
          <Trans>End the preview</Trans>
        </Button>
      </Measure>
    </aside>
  )
}
