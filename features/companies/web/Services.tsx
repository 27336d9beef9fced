import { Trans } from '@lingui/react/macro'
import { useId } from 'react'
import type { BootService } from '../../../shared/boot.ts'
import { EmptyState } from '../../../web/ui/States.tsx'
import { ServiceTile } from './ServiceTile.tsx'

interface ServicesProps {
  /** Services to show first, at most five. */
  top: readonly BootService[]
  other: readonly BootService[]
}

/** The company's services (spec 2.8). */
export function Services({ top, other }: ServicesProps) {
  const id = useId()
  return (
    <>
      <section aria-labelledby={`${id}-top`}>
        <h2 id={`${id}-top`} className="mb-5">
          <Trans>Top Services</Trans>
        </h2>
        {top.length > 0 ? (
          <Tiles services={top} firstWide={top.length > 2} />
        ) : (
          <EmptyState title={<Trans>No services online yet</Trans>}>
            <Trans>
              We are still setting up this portal. To contact us, use the phone number and address at the bottom of the
              page.
            </Trans>
          </EmptyState>
        )}
      </section>
      {other.length > 0 && (
        <section aria-labelledby={`${id}-other`}>
          <h2 id={`${id}-other`} className="mb-5">
            <Trans>Other Services</Trans>
          </h2>
          <Tiles services={other} />
        </section>
      )}
    </>
  )
}

const Tiles = ({ services, firstWide }: { services: readonly BootService[]; firstWide?: boolean }) => (
  <ul className="grid gap-4 md:grid-cols-2 md:gap-5 lg:grid-cols-3">
    {services.map((service, i) => (
      <ServiceTile key={service.id} service={service} wide={i === 0 && firstWide === true} />
    ))}
  </ul>
)
