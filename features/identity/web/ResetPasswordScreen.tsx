import { Trans } from '@lingui/react/macro'
import { go } from '../../../web/go.ts'
import { useOneTimeCode } from '../../../web/one-time-code.ts'
import { Card } from '../../../web/ui/Card.tsx'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'
import { RequestLink, SetByLink } from './PasswordForms.tsx'

/**
 * Screen that requests the email of the account. If the URL has a link's code, sets the new password instead (product
 * rules, section 9).
 */
export default function ResetPasswordScreen() {
  const [code, forget, spend] = useOneTimeCode('token')
  return (
    <Measure className="py-10 md:py-16">
      <div className="mx-auto max-w-form">
        <PageHead title={<Trans>Reset Password</Trans>} />
        <Card as="div">
          {code === null ? (
            <RequestLink signIn="/sign-in" />
          ) : (
            <SetByLink code={code} onUsed={spend} onSignIn={() => go('/sign-in')} onRequestAgain={forget} />
          )}
        </Card>
      </div>
    </Measure>
  )
}
