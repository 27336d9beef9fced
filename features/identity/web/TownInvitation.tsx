import { Trans } from '@lingui/react/macro'
import { placeName } from '../../../web/boot.ts'
import { call } from '../../../web/call.ts'
import { setQuery } from '../../../web/go.ts'
import { rememberSignIn } from '../../../web/session.ts'
import { Card } from '../../../web/ui/Card.tsx'
import { PageHead } from '../../../web/ui/Page.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { acceptTownInvitation, signIn } from '../contract.ts'
import { InvitationForm } from './InvitationForm.tsx'

/** A new member of a town's staff sets their password. Loaded by those alone who follow an invitation. */
export default function TownInvitation({ code }: { code: string }) {
  return (
    <>
      <PageHead title={<Trans>Set Your Password</Trans>} />
      <Card as="div">
        <InvitationForm
          accept={(password) => call(acceptTownInvitation, { code, password })}
          signIn={async (credentials) => {
            const answer = await call(signIn, credentials)
            // What else is asked for is the sign-in page's business.
            if ('second' in answer) return false
            rememberSignIn(answer)
            return true
          }}
          onSet={() => {
            toast(<Trans>Your password is set. Sign in with it now.</Trans>)
            setQuery({ invitation: null })
          }}
          back={<Trans>Go to the sign-in page</Trans>}
        >
          <Trans>You were invited to the portal of {placeName}. Choose a password, and you are in.</Trans>
        </InvitationForm>
      </Card>
    </>
  )
}
