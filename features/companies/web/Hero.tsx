import { Trans } from '@lingui/react/macro'
import { page } from '../../../web/page.ts'
import { Logo, Plat } from '../../../web/ui/Emblem.tsx'
import { cx } from '../../../web/ui/cx.ts'
import { Measure } from '../../../web/ui/Page.tsx'
import { PayCard } from './PayCard.tsx'
import { hasNotices } from './SiteNotices.tsx'
import type { CachedCompany } from './company-cache.ts'

/** True if the company takes utility payments. */
function takesPayments(): boolean {
  const { components, topServices, otherServices } = page()
  return [...components, ...topServices, ...otherServices].some(
    ({ url, is_active }) => is_active === 1 && /^\/?utility-portal\b/i.test(url),
  )
}

/** Banner of the landing page (spec 2.8): the company's seal and name on a street map, and the fastest way to pay. */
export function Hero({ cachedCompany }: { cachedCompany: CachedCompany }) {
  const { company, footer } = page()
  const cityAndState = [company?.city, company?.state].filter(Boolean).join(', ')
  return (
    <section className="relative overflow-hidden bg-deep text-white print:hidden">
      <Plat seed={company?.subdomain ?? cachedCompany.name} className="absolute inset-0 size-full" />
      <Measure
        className={cx(
          'relative grid items-center gap-x-12 gap-y-8 pt-8 md:pt-12 lg:min-h-100 lg:grid-cols-[1fr_27rem]',
          hasNotices() ? 'pb-18 md:pb-22' : 'pb-10 md:pb-14',
        )}
      >
        <div className="min-w-0">
          <div className="mb-5 flex items-center gap-4">
            <span className={cx('shrink-0', cachedCompany.logoUrl && 'rounded-sm bg-white p-1.5')}>
              <Logo url={cachedCompany.logoUrl} name={cachedCompany.name} size={64} />
            </span>
            <p className="min-w-0">
              <span className="block font-bold font-display text-h3 leading-tight wrap-anywhere md:text-h2">
                {cachedCompany.name}
              </span>
              {cityAndState && (
                <span className="block font-bold text-on-deep-soft text-sm">
                  <Trans>Online services · {cityAndState}</Trans>
                </span>
              )}
            </p>
          </div>
          <h1 className="text-h1">
            <Trans>Our Services</Trans>
          </h1>
          <p className="mt-4 max-w-text text-lg text-on-deep-soft">
            {company?.tagline && <span className="block text-white">{company.tagline}</span>}
            {footer?.address1 ? (
              <Trans>City hall online, 24 hours a day. No trip to {footer.address1} needed.</Trans>
            ) : (
              <Trans>City hall online, 24 hours a day.</Trans>
            )}
          </p>
        </div>
        {takesPayments() && <PayCard />}
      </Measure>
    </section>
  )
}
