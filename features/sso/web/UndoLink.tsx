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
 * Screen that removes an unwanted link between an identity and an account. The email about the link opens the screen,
 * and the person must press a button to confirm.
 */
export function UndoLink({ code }: { code: string }) {
  const { t } = useLingui()
  const [state, setState] = useState<State>('asking')
  useTitle(t`Undo Account Link`)
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
    <Narrow title={<Trans>Undo Account Link</Trans>}>
      <div className="flex flex-col items-start gap-5">
        {!result && (
          <>
            <p>
              <Trans>
                Someone who knew your password linked your account to another sign-in method. If this was not you, undo
                the link here. That method will stop working, and we will sign out everyone who uses your account.
              </Trans>
            </p>
            <Button
              variant="danger"
              busy={state === 'working'}
              busyLabel={<Trans>Undoing...</Trans>}
              onClick={() => void undo()}
            >
              <Trans>This was not me: undo the link</Trans>
            </Button>
          </>
        )}
        {result && (
          <>
            <Notice tone={'done' in result ? 'success' : 'danger'} focusable className="w-full">
              {'done' in result ? result.done : result.failed}
            </Notice>
            <LinkButton variant="primary" to="/reset-password">
              <Trans>Set a new password</Trans>
            </LinkButton>
          </>
        )}
      </div>
    </Narrow>
  )
}
