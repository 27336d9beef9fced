import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { call, messageOf } from '../../../web/call.ts'
import { useTitle } from '../../../web/routes.tsx'
import { Button, LinkButton } from '../../../web/ui/Button.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { undoSso } from '../contract.ts'
import { Narrow } from './Stopped.tsx'

type State = 'asking' | 'working' | { failed: string } | { done: string }

/**
 * Screen that removes an unwanted link, opened from its notification email. Removes the link only after the person
 * presses the button.
 */
export function UndoLink({ code }: { code: string }) {
  const { t } = useLingui()
  const [state, setState] = useState<State>('asking')
  useTitle(t`Take it back`)
  const undo = async () => {
    setState('working')
    try {
      setState({ done: (await call(undoSso, { code })).message })
    } catch (error) {
      setState({ failed: messageOf(error) })
    }
  }
  const result = typeof state === 'object' ? state : null
  return (
    <Narrow title={<Trans>Take it back</Trans>}>
      <div className="flex flex-col items-start gap-5">
        {!result && (
          <>
            <p>
              <Trans>
                Somebody who knew your password linked your account with another way to sign in. If it was not you, take
                it back here: it signs nobody in any more, and everybody who is signed in to your account is signed out.
              </Trans>
            </p>
            <Button
              look="danger"
              busy={state === 'working'}
              busyLabel={<Trans>Taking it back...</Trans>}
              onClick={() => void undo()}
            >
              <Trans>It was not me: take it back</Trans>
            </Button>
          </>
        )}
        {result && (
          <>
            <Notice tone={'done' in result ? 'success' : 'danger'} focusable className="w-full">
              {'done' in result ? result.done : result.failed}
            </Notice>
            <LinkButton look="primary" to="/reset-password">
              <Trans>Set a new password</Trans>
            </LinkButton>
          </>
        )}
      </div>
    </Narrow>
  )
}
