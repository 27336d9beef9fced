import { Trans, useLingui } from '@lingui/react/macro'
import { TriangleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import { boot } from '../../../web/boot.ts'
import { call } from '../../../web/call.ts'
import { usePath } from '../../../web/routes.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { Measure } from '../../../web/ui/Page.tsx'
import { currentAlerts } from '../contract.ts'
import { READ_PATH } from '../rules.ts'

/** So that an alert stands on each open page within ten seconds. */
const ASKS_EVERY_MS = 8000

/** What is in force now. Pages that nobody looks at don't ask, and ask at once when somebody looks again. */
function useCurrent() {
  const [alerts, setAlerts] = useState(boot.alerts)
  useEffect(() => {
    let asked = false
    const ask = async () => {
      if (document.hidden || asked) return
      asked = true
      try {
        setAlerts((await call(currentAlerts, {})).alerts)
      } catch {
        // What is known stays until an answer comes.
      }
      asked = false
    }
    const timer = setInterval(() => void ask(), ASKS_EVERY_MS)
    const look = () => void ask()
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [])
  return alerts
}

/** The gravest alert that is in force, and how many more there are. */
export default function AlertBanner() {
  const { i18n } = useLingui()
  const path = usePath()
  const [first, ...more] = useCurrent()
  const isSpanish = i18n.locale.startsWith('es') && first?.headlineEs
  // The page of alerts says it all by itself.
  const shown = path === READ_PATH ? undefined : first
  const isGrave = shown?.severity === 'Extreme' || shown?.severity === 'Severe'
  return (
    <div aria-live="polite" className="print:hidden">
      {shown && (
        <div className={isGrave ? 'bg-danger text-white' : 'border-warning border-b bg-warning-tint text-ink'}>
          {/* As high as the room that the page keeps for it. */}
          <Measure className="flex h-24 items-center gap-3 md:h-13">
            <TriangleAlert size={22} aria-hidden className="shrink-0" />
            <p className="min-w-0 flex-1 md:flex md:gap-2">
              <strong lang={isSpanish ? 'es' : 'en'} className="line-clamp-2 wrap-anywhere md:line-clamp-1">
                {isSpanish ? shown.headlineEs : shown.headline}
              </strong>
              <span className="whitespace-nowrap">
                <Link className="underline" to={`${READ_PATH}?alert=${shown.id}`}>
                  <Trans>Read more</Trans>
                </Link>
                {more.length > 0 && (
                  <>
                    {' · '}
                    <Link className="underline" to={READ_PATH}>
                      <Trans>and {more.length} more</Trans>
                    </Link>
                  </>
                )}
              </span>
            </p>
          </Measure>
        </div>
      )}
    </div>
  )
}
