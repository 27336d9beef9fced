import { Trans } from '@lingui/react/macro'
import { page } from '../../../web/page.ts'
import { call } from '../../../web/call.ts'
import { setQuery } from '../../../web/go.ts'
import { rememberSignIn } from '../../../web/session.ts'
import { Card } from '../../../web/ui/Card.tsx'
import { PageHead } from '../../../web/ui/Page.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { acceptCompanyInvitation, signIn } from '../contract.ts'
import { InvitationForm } from './InvitationForm.tsx'

/** Form for the first password of a new staff member. Loaded only for invitation links. */
export default function CompanyInvitation({ code }: { code: string }) {
  return (
    <>
      <PageHead title={<Trans>Set Your Password</Trans>} />
      <Card as="div">
        <InvitationForm
          accept={(password) => call(acceptCompanyInvitation, { code, password })}
          signIn={async (credentials) => {
            const response = await call(signIn, credentials)
            // The sign-in page handles a required second step.
            if ('second' in response) return false
            rememberSignIn(response)
            return true
          }}
          onSet={() => {
            toast(<Trans>Your password is set. Use it to sign in.</Trans>)
            setQuery({ invitation: null })
          }}
          back={<Trans>Go to the sign-in page</Trans>}
        >
          <Trans>You were invited to the portal for {page().siteName}. Choose a password to sign in.</Trans>
        </InvitationForm>
      </Card>
    </>
  )
}
