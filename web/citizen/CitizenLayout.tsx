import { Trans } from '@lingui/react/macro'
import { lazy, Suspense, useEffect } from 'react'
import { screenAt } from '../../shared/screens.ts'
import { page } from '../page.ts'
import { setOwnCart } from '../cart.ts'
import { isClosedTo } from '../guard.ts'
import { LazyContent, type LazyPart, type LazyPanel } from '../lazy-panel.tsx'
import { usePath } from '../routes.tsx'
import { Outlet } from '../router/Outlet.tsx'
import { useSession } from '../session.ts'
import { Measure, SkipLink } from '../ui/Page.tsx'
import { Toasts } from '../ui/Toasts.tsx'
import { Footer } from './Footer.tsx'
import { Brand, Header } from './Header.tsx'

/** Screens without the user header (spec 2.1). Only the municipality's logo links to another screen. */
const WITHOUT_HEADER = new Set([
  '/sign-in',
  '/sign-up',
  '/reset-password',
  '/offline',
  '/citizen/initialize-impersonation',
  '/sso-verification',
  '/sso-auth-complete',
  '/sso/verify-ccs-token',
])

/** Space reserved for notices above each page, by number of notices. */
const BANNER_ROOM = [undefined, 'min-h-16', 'min-h-32']

/** Loaded on demand, because residents never need it. */
const ImpersonationBar = lazy(() => import('./ImpersonationBar.tsx'))

/**
 * Loads the code that fades in elements if the layout changes late. Loading it does not delay the page. Content that is
 * visible first does not need this, because its space is reserved. Returns a function that stops the fading.
 */
function watchLateChanges(root: HTMLElement | null): () => void {
  const watching = import('./late-changes.ts').then(
    ({ fadeMovedElements }) => fadeMovedElements(root),
    () => () => {},
  )
  return () => void watching.then((stop) => stop())
}

interface Props {
  alerts: LazyPart
  cart: () => Promise<{ followCart: () => Promise<void> }>
  /** Chat with the municipality, for signed-in residents. */
  chat: LazyPart
  confirmNotice: LazyPart
  /** Bar of a preview by staff. */
  previewBar: LazyPart
  /** Search over FAQs, services, payments and forms. */
  search: LazyPart
  supportDialog: LazyPanel
}

export function CitizenLayout({ alerts, cart, chat, confirmNotice, previewBar, search, supportDialog }: Props) {
  const path = usePath()
  const session = useSession()
  const impersonation = session?.impersonation
  const person = session?.userId
  useEffect(() => {
    if (person === undefined) setOwnCart(0)
    else
      void cart()
        .then(({ followCart }) => followCart())
        .catch(() => {})
  }, [cart, person])
  // People without access to an offline company get no header, because each of its links would lead back to this page.
  const bare = page().site !== 'company' || isClosedTo(session) || WITHOUT_HEADER.has(screenAt(path)?.path ?? '')
  return (
    <div ref={watchLateChanges} className="flex min-h-[max(100dvh,var(--kept-height,0px))] flex-col">
      <SkipLink to="main">
        <Trans>Skip to content</Trans>
      </SkipLink>
      {impersonation?.isPreview && <LazyContent load={previewBar} className="min-h-14" />}
      {impersonation && !impersonation.isPreview && (
        <Suspense fallback={<div className="min-h-14" />}>
          <ImpersonationBar {...impersonation} />
        </Suspense>
      )}
      <LazyContent load={alerts} className={BANNER_ROOM[(page().alerts[0] ? 1 : 0) + page().notices.length]} />
      {bare ? <BareHeader /> : <Header chat={chat} search={search} />}
      {!bare && session?.emailUnconfirmed && !session.impersonating && (
        <LazyContent load={confirmNotice} className="grid min-h-32 md:min-h-16" />
      )}
      {/* The footer starts below the visible area, so that it does not visibly move when a screen grows. */}
      <main id="main" tabIndex={-1} className="min-h-[calc(100dvh-3rem)] flex-1">
        <Outlet />
      </main>
      <Footer supportDialog={supportDialog} />
      <Toasts />
    </div>
  )
}

const BareHeader = () => (
  <header className="border-line border-b bg-surface print:hidden">
    <Measure className="flex min-h-19 items-center py-3">
      <Brand />
    </Measure>
  </header>
)
