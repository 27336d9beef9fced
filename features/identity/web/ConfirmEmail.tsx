import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { call, CallError, messageOf } from '../../../web/call.ts'
import { currentSession, renameSession, useSession } from '../../../web/session.ts'
import { Button, LinkButton } from '../../../web/ui/Button.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'
import { confirmEmail } from '../contract.ts'

interface ConfirmEmailProps {
  code: string
  /** Called when the link can no longer be used, because it has just been used or is not valid. */
  onUsed: () => void
  signIn: string
  home: string
}

/** Email confirmation in the layout of resident screens. */
export const ConfirmEmail = (props: ConfirmEmailProps) => (
  <Measure className="py-10 md:py-16">
    <div className="mx-auto max-w-form">
      <PageHead title={<Trans>Confirm Your Email</Trans>} />
      <ConfirmSteps {...props} />
    </div>
  </Measure>
)

/**
 * Uses an emailed link only when the person presses a button. Mail scanners follow links and would confirm emails that
 * people never read.
 */
export function ConfirmSteps({ code, onUsed, signIn, home }: ConfirmEmailProps) {
  const session = useSession()
  const [busy, setBusy] = useState(false)
  const [result, setResult] = useState<{ good: boolean; text: string } | null>(null)
  const confirm = async () => {
    setBusy(true)
    try {
      const { message, email, personId } = await call(confirmEmail, { code })
      if (currentSession()?.userId === String(personId)) renameSession({ email, confirmed: true })
      setResult({ good: true, text: message })
      onUsed()
    } catch (error) {
      setResult({ good: false, text: messageOf(error) })
      if (error instanceof CallError && (error.status === 409 || error.status === 400)) onUsed()
    } finally {
      setBusy(false)
    }
  }
  const onward: ReactNode = session ? (
    <LinkButton to={home} variant="primary">
      <Trans>Continue</Trans>
    </LinkButton>
  ) : (
    <LinkButton to={signIn} variant="primary">
      <Trans>Go to the sign-in page</Trans>
    </LinkButton>
  )
  if (result)
    return (
      <div className="flex flex-col items-start gap-5">
        <Notice tone={result.good ? 'success' : 'danger'} arrives className="w-full">
          {result.text}
        </Notice>
        {onward}
      </div>
    )
  return (
    <div className="flex flex-col items-start gap-5">
      <p>
        <Trans>Press the button to confirm your email address.</Trans>
      </p>
      <Button variant="primary" busy={busy} busyLabel={<Trans>Confirming...</Trans>} onClick={() => void confirm()}>
        <Trans>Confirm my email</Trans>
      </Button>
    </div>
  )
}
