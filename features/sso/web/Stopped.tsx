import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { LinkButton } from '../../../web/ui/Button.tsx'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'
import { ErrorState, LoadingState } from '../../../web/ui/States.tsx'
import { Text } from '../../../web/ui/Text.tsx'

/** Headings shown during a sign-in and after a refused sign-in. */
export const headings = { working: <Trans>Signing you in</Trans>, stopped: <Trans>You are not signed in</Trans> }

/** Narrow centered layout, like the sign-in page. */
export const Narrow = ({ title, children }: { title: ReactNode; children: ReactNode }) => (
  <Measure className="py-10 md:py-16">
    <div className="mx-auto max-w-form">
      <PageHead title={title} />
      <Text>{children}</Text>
    </div>
  </Measure>
)

export const Working = () => (
  <LoadingState shape="block">
    <Trans>Verifying your identity</Trans>
  </LoadingState>
)

/** Reason for a refused sign-in, with links to the sign-in page and the home page. */
export const Stopped = ({ message }: { message: ReactNode }) => (
  <ErrorState
    title={<Trans>The sign-in was not completed</Trans>}
    actions={
      <>
        <LinkButton variant="primary" to="/sign-in">
          <Trans>Go to the sign-in page</Trans>
        </LinkButton>
        <LinkButton to="/home">
          <Trans>Home</Trans>
        </LinkButton>
      </>
    }
  >
    {message}
  </ErrorState>
)
