import { Trans, useLingui } from '@lingui/react/macro'
import { CreditCard, TriangleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import { call } from '../../../web/call.ts'
import { isClosedTo } from '../../../web/guard.ts'
import { page } from '../../../web/page.ts'
import { currentSession } from '../../../web/session.ts'
import { Link } from '../../../web/ui/Link.tsx'
import { Measure } from '../../../web/ui/Page.tsx'
import { ALERTS_POLL_MS, BANNER_LEADS_TO, currentAlerts } from '../contract-banner.ts'

/** Window event for changed notices. Pages that show notices then reload their data. */
const NOTICES = 'notices'

/** Loads the current alerts. Pauses polling on hidden pages, and reloads as soon as the page is visible. */
function useCurrent() {
  const [current, setCurrent] = useState({ alerts: page().alerts, notices: page().notices })
  useEffect(() => {
    let isLoading = false
    let lastNotices = page()
      .notices.map(({ text }) => text)
      .join()
    const loadNotices = async () => {
      if (document.hidden || isLoading || page().site !== 'company' || isClosedTo(currentSession())) return
      isLoading = true
      try {
        const now = await call(currentAlerts, {})
        setCurrent(now)
        const noticesText = now.notices.map(({ text }) => text).join()
        if (noticesText !== lastNotices) globalThis.dispatchEvent(new Event(NOTICES))
        lastNotices = noticesText
      } catch {
        // Shows the last response until the next poll succeeds.
      }
      isLoading = false
    }
    const timer = setInterval(() => void loadNotices(), ALERTS_POLL_MS)
    // The script of a page may start long after the page was loaded.
    if (performance.now() > ALERTS_POLL_MS) void loadNotices()
    const onVisibilityChange = () => void loadNotices()
    document.addEventListener('visibilitychange', onVisibilityChange)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', onVisibilityChange)
    }
  }, [])
  return current
}

/** Shows the most severe alert in force, the number of other alerts, and other notices of the page. */
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
          {/* The page layout reserves this height for the banner. */}
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
      {notices.map(({ text, label, path }) => (
        <div key={path} className="border-warning border-b bg-warning-tint text-ink">
          <Measure className="flex h-16 items-center gap-3">
            <CreditCard size={22} aria-hidden className="shrink-0" />
            <p className="min-w-0 flex-1 md:flex md:gap-2">
              <strong className="line-clamp-1 wrap-anywhere">{text}</strong>
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
