import { Trans } from '@lingui/react/macro'
import { dateIn, formatDate } from '../../shared/dates.ts'
import { page } from '../page.ts'
import { Notice } from './Notice.tsx'

export interface SignInMethodView {
  kind: 'app' | 'passkey' | 'sso'
  name: string
  since: string
  /** False if setting the new password removed this sign-in method. */
  stays: boolean
}

/**
 * Notice after a person sets a new password. It shows the other sign-in methods, the removed ones, and whether a
 * pending email change was cancelled.
 */
export function OtherSignInMethods({
  others,
  changeEnded,
}: {
  others: readonly SignInMethodView[]
  changeEnded: boolean
}) {
  const ended = others.filter(({ stays }) => !stays)
  const left = others.filter(({ stays }) => stays)
  return (
    <>
      {changeEnded && (
        <Notice tone="info" className="w-full">
          <Trans>Your pending email change was cancelled.</Trans>
        </Notice>
      )}
      {ended.length > 0 && (
        <Notice tone="info" className="w-full" title={<Trans>Removed</Trans>}>
          <p>
            <Trans>
              We removed these sign-in methods because they were added after you last opened a link that we emailed you.
              If they are yours, add them again.
            </Trans>
          </p>
          <SignInMethods methods={ended} />
        </Notice>
      )}
      {left.length > 0 && (
        <div className="w-full">
          <p>
            <Trans>
              These sign-in methods are still active, in addition to your password. If you do not recognize one of them,
              remove it.
            </Trans>
          </p>
          <SignInMethods methods={left} />
        </div>
      )}
    </>
  )
}

const SignInMethods = ({ methods }: { methods: readonly SignInMethodView[] }) => (
  <ul className="mt-2 list-disc ps-5">
    {methods.map((method) => (
      <li key={method.kind + method.name + method.since} className="wrap-anywhere">
        <SignInMethodRow {...method} />
      </li>
    ))}
  </ul>
)

function SignInMethodRow({ kind, name, since }: SignInMethodView) {
  const day = formatDate(dateIn(page().company?.timeZone ?? 'America/New_York', new Date(since)))
  if (kind === 'app') return <Trans>Authenticator app, added on {day}</Trans>
  if (kind === 'passkey')
    return (
      <Trans>
        Passkey “{name}”, added on {day}
      </Trans>
    )
  return (
    <Trans>
      Sign-in with {name}, added on {day}
    </Trans>
  )
}
