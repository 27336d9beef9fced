import { Trans } from '@lingui/react/macro'
import { Construction, SignpostBig } from 'lucide-react'
import { useEffect } from 'react'
import { digitsOf, formatPhone } from '../../../shared/phone.ts'
import { page } from '../../../web/page.ts'
import { go } from '../../../web/go.ts'
import { LinkButton } from '../../../web/ui/Button.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'

/** Screen for a municipality that is offline or unknown (spec 2.2, 2.5). */
export default function OfflineScreen() {
  const { company, footer } = page()
  const online = company?.isOnline === 1 || page().site === 'directory'
  useEffect(() => {
    if (online) go('/home', { replace: true })
  }, [online])
  return (
    <Measure className="py-10 md:py-16">
      {company ? (
        <>
          <PageHead title={<Trans>{company.name} is offline</Trans>} />
          <EmptyState icon={Construction} title={<Trans>This portal is temporarily closed</Trans>}>
            {company.offlineMessage || <Trans>Please try again later. Your payments and submissions are safe.</Trans>}
          </EmptyState>
          {footer?.phone_no && (
            <p className="mt-5">
              <Trans>
                For urgent matters, call{' '}
                <a className="link whitespace-nowrap" href={`tel:${digitsOf(footer.phone_no)}`}>
                  {formatPhone(footer.phone_no)}
                </a>
              </Trans>
            </p>
          )}
          <p className="mt-8 text-sm">
            <Link className="link" to="/sign-in">
              <Trans>Staff sign-in</Trans>
            </Link>
          </p>
        </>
      ) : (
        <>
          <PageHead title={<Trans>No municipality at this web address</Trans>} />
          <EmptyState
            icon={SignpostBig}
            title={<Trans>We could not find this municipality</Trans>}
            action={
              <LinkButton to={page().directoryUrl} variant="primary">
                <Trans>Find your municipality</Trans>
              </LinkButton>
            }
          >
            <Trans>
              Check the first part of the web address for typos, or find your municipality in the directory.
            </Trans>
          </EmptyState>
        </>
      )}
    </Measure>
  )
}
