import { Trans } from '@lingui/react/macro'
import { CircleUserRound, type LucideIcon, ReceiptText, UserPlus } from 'lucide-react'
import type { ReactNode } from 'react'
import { isBuilt } from '../../../shared/screens.ts'
import { useSession } from '../../../web/session.ts'
import { LinkButton } from '../../../web/ui/Button.tsx'
import { cx } from '../../../web/ui/cx.ts'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'

/** Screen with the options for paying a utility bill: as a guest, or signed in (product rules, section 3). */
export default function UtilityIndexScreen() {
  const session = useSession()
  return (
    <Measure className="py-10 md:py-14">
      <PageHead title={<Trans>Utility Payment Index</Trans>}>
        {session ? (
          <Trans>Signed in as {session.profileName}.</Trans>
        ) : (
          <Trans>Choose how you want to pay your utility bill.</Trans>
        )}
      </PageHead>
      <ul className={cx('grid gap-4 md:grid-cols-2 md:gap-5', isBuilt('/sign-up') && 'lg:grid-cols-3')}>
        <PaymentOption
          illustration={ReceiptText}
          title={session ? <Trans>Pay a utility bill</Trans> : <Trans>Pay without signing in</Trans>}
          to="/guest-utility-payment"
          label={<Trans>Find your bill</Trans>}
          isFirst
        >
          <Trans>
            Use the account number and the ZIP code on your bill. Pay by card or eCheck. We will email you a receipt.
          </Trans>
        </PaymentOption>
        {!session && (
          <PaymentOption
            illustration={CircleUserRound}
            title={<Trans>Sign in and pay</Trans>}
            to="/sign-in"
            label={<Trans>Sign In</Trans>}
          >
            <Trans>Use the email and password for your account in this portal.</Trans>
          </PaymentOption>
        )}
        {(session || isBuilt('/sign-up')) && (
          <PaymentOption
            illustration={session ? CircleUserRound : UserPlus}
            title={session ? <Trans>Your utility accounts</Trans> : <Trans>New here?</Trans>}
            to={session ? '/utility-portal' : '/sign-up'}
            label={session ? <Trans>Utility Portal</Trans> : <Trans>Sign Up</Trans>}
          >
            <Trans>See a year of bills, payments and usage, and pay in two clicks.</Trans>
          </PaymentOption>
        )}
      </ul>
    </Measure>
  )
}

interface ActionCardProps {
  illustration: LucideIcon
  title: ReactNode
  children: ReactNode
  /** Path that the button opens. */
  to: string
  label: ReactNode
  isFirst?: boolean
}

const PaymentOption = ({ illustration: Icon, title, children, to, label, isFirst }: ActionCardProps) => (
  <li className="flex rounded-sm border border-line bg-surface">
    <div
      aria-hidden
      className="grid w-16 shrink-0 place-items-start justify-center rounded-s-[3px] bg-tint pt-6 text-link md:w-20"
    >
      <Icon size={30} strokeWidth={1.75} />
    </div>
    <div className="flex min-w-0 flex-1 flex-col items-start gap-2 border-line border-s-2 border-dotted p-5">
      <h2 className="text-tile">{title}</h2>
      <p className="flex-1 text-muted">{children}</p>
      <LinkButton to={to} className="mt-2" {...(isFirst && { variant: 'primary' })}>
        {label}
      </LinkButton>
    </div>
  </li>
)
