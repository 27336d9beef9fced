import { boot } from '../../../web/boot.ts'
import { Late } from '../../../web/late-panel.tsx'
import { useSession } from '../../../web/session.ts'
import { Measure } from '../../../web/ui/Page.tsx'
import { Hero } from './Hero.tsx'
import { LandingLoading } from './LandingLoading.tsx'
import { Services } from './Services.tsx'
import { hasNotices, SiteNotices } from './SiteNotices.tsx'
import { useImagesSettled } from './use-images-settled.ts'
import { useTown } from './town-cache.ts'

const openMatters = () => import('../../../web/citizen/OpenMatters.tsx')

/**
 * Where a resident starts (specification 2.8). Everything it shows came with the page. The loading screen lies over it
 * until its images have settled, so that nothing moves when it goes.
 */
export default function LandingScreen() {
  const town = useTown()
  const session = useSession()
  const settled = useImagesSettled(town.logoUrl !== null)
  return (
    <>
      <div inert={!settled}>
        <Hero town={town} />
        {hasNotices && <SiteNotices />}
        <Measure className="flex flex-col gap-12 pt-12 pb-16">
          {session && <Late key={session.userId} load={openMatters} className="empty:hidden" />}
          <Services top={boot.topServices} other={boot.otherServices} />
        </Measure>
      </div>
      {!settled && <LandingLoading town={town} />}
    </>
  )
}
