import { Trans } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import { takeFromUrl } from '../../../web/from-url.ts'
import { go, setQuery } from '../../../web/go.ts'
import { useQueryParam, useTitle } from '../../../web/routes.tsx'
import { acceptSignIn } from '../../../web/pending-second-step.ts'
import { useSession } from '../../../web/session.ts'
import { LoadingState } from '../../../web/ui/States.tsx'
import { nextPath } from '../../../web/next-path.ts'
import { dropPending, readPending } from './arrive.ts'
import { ProveForm } from './ProveForm.tsx'
import { headings, Narrow, Stopped } from './Stopped.tsx'
import { UndoLink } from './UndoLink.tsx'
import { say } from '../../../shared/messages.ts'

/**
 * Last step of single sign-on (spec 2.2). Asks for the account if needed, then opens the page that the person came
 * from.
 */
export default function AuthCompleteScreen() {
  const [undo] = useState(useQueryParam('undo'))
  // Removes the code from the browser history. Does nothing without a code, because the change would override the next
  // navigation.
  useEffect(() => {
    if (undo !== null) setQuery({ undo: null })
  }, [undo])
  return undo === null ? <Complete /> : <UndoLink code={undo} />
}

function Complete() {
  const session = useSession()
  const [pending, setPending] = useState(readPending)
  const forwarded = useRef(false)
  const done = session !== null && pending === null
  useTitle(done ? say`Signed in` : pending ? say`One more step` : say`You are not signed in`)
  useEffect(() => {
    if (!done || forwarded.current) return
    forwarded.current = true
    go(nextPath(session.un, takeFromUrl()), { replace: true })
  }, [done, session])
  const leave = () => {
    dropPending()
    setPending(null)
  }
  if (pending)
    return (
      <Narrow title={<Trans>One more step</Trans>}>
        <ProveForm
          pending={pending}
          signedInAs={session?.email ?? ''}
          onLinked={(response) => {
            leave()
            acceptSignIn(response)
          }}
          onLeave={() => {
            leave()
            go(session ? '/home' : '/sign-in', { replace: true })
          }}
        />
      </Narrow>
    )
  if (!session)
    return (
      <Narrow title={headings.stopped}>
        <Stopped
          message={<Trans>No sign-in is in progress in this window. Start again from the sign-in page.</Trans>}
        />
      </Narrow>
    )
  return (
    <Narrow title={<Trans>Signed in</Trans>}>
      <LoadingState shape="block">
        <Trans>Opening your page</Trans>
      </LoadingState>
    </Narrow>
  )
}
