import { Trans } from '@lingui/react/macro'
import { Signpost } from 'lucide-react'
import { LinkButton } from './ui/Button.tsx'
import { EmptyState } from './ui/States.tsx'
import { Measure, PageHead } from './ui/Page.tsx'

/** For a path that leads nowhere. */
export const NotFound = ({ home = '/home' }: { home?: string }) => (
  <Measure className="py-10">
    <PageHead title={<Trans>Page not found</Trans>} />
    <EmptyState
      icon={Signpost}
      title={<Trans>There is no street by this name</Trans>}
      action={
        <LinkButton to={home} look="primary">
          <Trans>Back to the start</Trans>
        </LinkButton>
      }
    >
      <Trans>The page you asked for does not exist, or it has moved. Check the address for typing mistakes.</Trans>
    </EmptyState>
  </Measure>
)
