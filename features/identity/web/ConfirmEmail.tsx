import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { call, CallError, sentenceOf } from '../../../web/call.ts'
import { currentSession, renameSession, useSession } from '../../../web/session.ts'
import { Button, LinkButton } from '../../../web/ui/Button.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'
import { confirmEmail } from '../contract.ts'

interface ConfirmEmailProps {
  code: string
  /** The link did what it is for, or never will. */
  onUsed: () => void
  signIn: string
  home: string
}

/** On a citizen screen. */
export const ConfirmEmail = (props: ConfirmEmailProps) => (
  <Measure className="py-10 md:py-16">
    <div className="mx-auto max-w-form">
      <PageHead title={<Trans>Confirm Your Email</Trans>} />
      <ConfirmSteps {...props} />
    </div>
  </Measure>
)

/**
 * Takes the link of a mail by a press of a button: programs that look through mails follow links, too, and would confirm
 * what nobody read.
 */
export function ConfirmSteps({ code, onUsed, signIn, home }: ConfirmEmailProps) {
  const session = useSession()
  const [busy, setBusy] = useState(false)
  const [said, setSaid] = useState<{ good: boolean; text: string } | null>(null)
  const confirm = async () => {
    setBusy(true)
    try {
      const { message, email, personId } = await call(confirmEmail, { code })
      if (currentSession()?.userId === String(personId)) renameSession({ email, confirmed: true })
      setSaid({ good: true, text: message })
      onUsed()
    } catch (error) {
      setSaid({ good: false, text: sentenceOf(error) })
      if (error instanceof CallError && (error.status === 409 || error.status === 400)) onUsed()
    } finally {
      setBusy(false)
    }
  }
  const onward: ReactNode = session ? (
    <LinkButton to={home} look="primary">
      <Trans>Go on</Trans>
    </LinkButton>
  ) : (
    <LinkButton to={signIn} look="primary">
      <Trans>Go to the sign-in</Trans>
    </LinkButton>
  )
  if (said)
    return (
      <div className="flex flex-col items-start gap-5">
        <Notice tone={said.good ? 'success' : 'danger'} arrives className="w-full">
          {said.text}
        </Notice>
        {onward}
      </div>
    )
  return (
    <div className="flex flex-col items-start gap-5">
      <p>
        <Trans>Press the button to confirm your email address.</Trans>
      </p>
      <Button look="primary" busy={busy} busyLabel={<Trans>Confirming...</Trans>} onClick={() => void confirm()}>
        <Trans>Confirm my email</Trans>
      </Button>
    </div>
  )
}
