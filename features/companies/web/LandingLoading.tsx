import { Trans } from '@lingui/react/macro'
import { Logo } from '../../../web/ui/Emblem.tsx'
import type { CachedCompany } from './company-cache.ts'

/** Loading screen of spec 2.8. It covers the page during loading and takes no space in the layout. */
export const LandingLoading = ({ cachedCompany }: { cachedCompany: CachedCompany }) => (
  <div role="status" className="fixed inset-0 z-40 grid place-items-center bg-paper p-6 text-center">
    <div className="flex flex-col items-center gap-4">
      <Logo url={cachedCompany.logoUrl} name={cachedCompany.name} size={88} />
      <p className="font-bold font-display text-h3">
        <Trans>Loading your dashboard...</Trans>
      </p>
      <p className="text-muted">
        <Trans>Please wait while we prepare your experience</Trans>
      </p>
    </div>
  </div>
)
