import { useState } from 'react'
import { page } from '../../../web/page.ts'
import { LazyContent } from '../../../web/lazy-panel.tsx'
import { useSession } from '../../../web/session.ts'
import { Measure } from '../../../web/ui/Page.tsx'
import { Hero } from './Hero.tsx'
import { LandingLoading } from './LandingLoading.tsx'
import { Services } from './Services.tsx'
import { hasNotices, SiteNotices } from './SiteNotices.tsx'
import { useCachedCompany } from './company-cache.ts'
import { useLandingLoaded } from './use-landing-loaded.ts'

/** Loads the panel together with its data, so that the panel does not grow while someone taps it. */
const loadOngoingItems = async () => {
  const part = await import('../../../web/citizen/OngoingItems.tsx')
  await part.loadOngoingItems()
  return part
}

/**
 * Id of the person for whom the open items were already shown. If this person returns to the page, the page does not
 * wait for the items again.
 */
let openItemsOwner: string | undefined

/**
 * Landing page for residents (spec 2.8). The server embeds its content in the page. The loading screen covers the page
 * until the images and the resident's open items have loaded, to avoid layout shifts.
 */
export default function LandingScreen() {
  const company = useCachedCompany()
  const session = useSession()
  const [hasOngoingItems, setHasOngoingItems] = useState(!session || session.userId === openItemsOwner)
  const isLoaded = useLandingLoaded(company.logoUrl !== null, hasOngoingItems)
  const onOngoingItemsLoaded = () => {
    openItemsOwner = session?.userId
    setHasOngoingItems(true)
  }
  return (
    <>
      <div inert={!isLoaded}>
        <Hero cachedCompany={company} />
        {hasNotices() && <SiteNotices />}
        <Measure className="flex flex-col gap-12 pt-12 pb-16">
          {session && (
            <LazyContent
              key={session.userId}
              load={loadOngoingItems}
              className="empty:hidden"
              onSettled={onOngoingItemsLoaded}
            />
          )}
          <Services top={page().topServices} other={page().otherServices} />
        </Measure>
      </div>
      {!isLoaded && <LandingLoading cachedCompany={company} />}
    </>
  )
}
