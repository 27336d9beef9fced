import { useState } from 'react'
import { boot } from '../../../web/boot.ts'
import { Late } from '../../../web/late-panel.tsx'
import { useSession } from '../../../web/session.ts'
import { Measure } from '../../../web/ui/Page.tsx'
import { Hero } from './Hero.tsx'
import { LandingLoading } from './LandingLoading.tsx'
import { Services } from './Services.tsx'
import { hasNotices, SiteNotices } from './SiteNotices.tsx'
import { useTown } from './town-cache.ts'
import { useLandingSettled } from './use-landing-settled.ts'

/** It comes with what it shows, so that it doesn't grow under somebody's finger. */
const openMatters = async () => {
  const part = await import('../../../web/citizen/OpenMatters.tsx')
  await part.loadMatters()
  return part
}

/** Whose matters stood here already: whoever comes back to this page waits for nothing. */
let stoodFor: string | undefined

/**
 * Where a resident starts (specification 2.8). Everything it shows came with the page. The loading screen lies over it
 * until its images and the resident's own matters have settled, so that nothing moves when it goes.
 */
export default function LandingScreen() {
  const town = useTown()
  const session = useSession()
  const [mattersThere, setMattersThere] = useState(!session || session.userId === stoodFor)
  const settled = useLandingSettled(town.logoUrl !== null, mattersThere)
  const onMattersThere = () => {
    stoodFor = session?.userId
    setMattersThere(true)
  }
  return (
    <>
      <div inert={!settled}>
        <Hero town={town} />
        {hasNotices && <SiteNotices />}
        <Measure className="flex flex-col gap-12 pt-12 pb-16">
          {session && (
            <Late key={session.userId} load={openMatters} className="empty:hidden" onSettled={onMattersThere} />
          )}
          <Services top={boot.topServices} other={boot.otherServices} />
        </Measure>
      </div>
      {!settled && <LandingLoading town={town} />}
    </>
  )
}
