import { Trans } from '@lingui/react/macro'
import { Signpost } from 'lucide-react'
import { translated } from '../shared/messages.ts'
import { digitsOf, formatPhone } from '../shared/phone.ts'
import { page } from './page.ts'
import { LinkButton } from './ui/Button.tsx'
import { Measure, PageHead } from './ui/Page.tsx'
import { EmptyState } from './ui/States.tsx'

/** Page for the screens of a module that is off. */
export default function NotOffered({ name }: { name: string }) {
  const phone = page().footer?.phone_no
  return (
    <Measure className="py-10">
      <PageHead title={translated(name)} />
      <EmptyState
        icon={Signpost}
        title={<Trans>This service is not available online</Trans>}
        action={
          <LinkButton to="/home" variant="primary">
            <Trans>See all services</Trans>
          </LinkButton>
        }
      >
        {phone ? (
          <Trans>
            {page().siteName} does not offer it in this portal. To ask about it, call{' '}
            <a className="link" href={`tel:${digitsOf(phone)}`}>
              {formatPhone(phone)}
            </a>
            .
          </Trans>
        ) : (
          <Trans>{page().siteName} does not offer it in this portal.</Trans>
        )}
      </EmptyState>
    </Measure>
  )
}
