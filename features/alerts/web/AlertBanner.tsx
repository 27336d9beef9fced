import { Trans, useLingui } from '@lingui/react/macro'
import { CreditCard, TriangleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import { boot } from '../../../web/boot.ts'
import { call } from '../../../web/call.ts'
import { Link } from '../../../web/ui/Link.tsx'
import { Measure } from '../../../web/ui/Page.tsx'
import { BANNER_LEADS_TO, currentAlerts } from '../contract-banner.ts'

/** So that an alert stands on each open page within ten seconds. */
const ASKS_EVERY_MS = 8000

/** Is told on the window when something else is to be said: a page that depends on it looks again. */
const NOTICES = 'notices'

/** What is in force now. Pages that nobody looks at don't ask, and ask at once when somebody looks again. */
function useCurrent() {
  const [current, setCurrent] = useState({ alerts: boot.alerts, notices: boot.notices })
  useEffect(() => {
    let asked = false
    let lastSaid = boot.notices.map(({ says }) => says).join()
    const ask = async () => {
      if (document.hidden || asked || boot.site !== 'town') return
      asked = true
      try {
        const now = await call(currentAlerts, {})
        setCurrent(now)
        const said = now.notices.map(({ says }) => says).join()
        if (said !== lastSaid) globalThis.dispatchEvent(new Event(NOTICES))
        lastSaid = said
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
  return current
}

/** The gravest alert that is in force, and how many more there are; and what else is to be said on each page. */
export default function AlertBanner() {
  const { i18n } = useLingui()
  const {
    alerts: [first, ...more],
    notices,
  } = useCurrent()
  const isSpanish = i18n.locale.startsWith('es') && first?.headlineEs
  const isGrave = first?.severity === 'Extreme' || first?.severity === 'Severe'
  return (
    <div aria-live="polite" className="print:hidden">
      {first && (
        <div className={isGrave ? 'bg-danger text-white' : 'border-warning border-b bg-warning-tint text-ink'}>
          {/* As high as the room that the page keeps for it. */}
          <Measure className="flex h-16 items-center gap-3">
            <TriangleAlert size={22} aria-hidden className="shrink-0" />
            <p className="min-w-0 flex-1 md:flex md:gap-2">
              <strong lang={isSpanish ? 'es' : 'en'} className="line-clamp-1 wrap-anywhere">
                {isSpanish ? first.headlineEs : first.headline}
              </strong>
              <span className="whitespace-nowrap">
                <Link className="underline" to={`${BANNER_LEADS_TO}?alert=${first.id}`}>
                  <Trans>Read more</Trans>
                </Link>
                {more.length > 0 && (
                  <>
                    {' · '}
                    <Link className="underline" to={BANNER_LEADS_TO}>
                      <Trans>and {more.length} more</Trans>
                    </Link>
                  </>
                )}
              </span>
            </p>
          </Measure>
        </div>
      )}
      {notices.map(({ says, label, path }) => (
        <div key={path} className="border-warning border-b bg-warning-tint text-ink">
          <Measure className="flex h-16 items-center gap-3">
            <CreditCard size={22} aria-hidden className="shrink-0" />
            <p className="min-w-0 flex-1 md:flex md:gap-2">
              <strong className="line-clamp-1 wrap-anywhere">{says}</strong>
              <Link className="whitespace-nowrap underline" to={path}>
                {label}
              </Link>
            </p>
          </Measure>
        </div>
      ))}
    </div>
  )
}
