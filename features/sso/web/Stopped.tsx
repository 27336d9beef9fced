import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { LinkButton } from '../../../web/ui/Button.tsx'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'
import { ErrorState, LoadingState } from '../../../web/ui/States.tsx'
import { Text } from '../../../web/ui/Text.tsx'

/** What the screens say as long as all goes well, and once somebody is not let in. */
export const headings = { working: <Trans>Signing you in</Trans>, stopped: <Trans>You are not signed in</Trans> }

/** A screen of a few lines in the middle, as the sign-in page. */
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
    <Trans>Checking who you are</Trans>
  </LoadingState>
)

/** Nobody was signed in: why, and the ways on. */
export const Stopped = ({ sentence }: { sentence: ReactNode }) => (
  <ErrorState
    title={<Trans>This sign-in did not finish</Trans>}
    actions={
      <>
        <LinkButton look="primary" to="/sign-in">
          <Trans>Go to Sign In</Trans>
        </LinkButton>
        <LinkButton to="/home">
          <Trans>Home</Trans>
        </LinkButton>
      </>
    }
  >
    {sentence}
  </ErrorState>
)
