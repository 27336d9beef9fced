import { plural } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Gauge, Link2 } from 'lucide-react'
import { useState } from 'react'
import { isMunicipalityRole } from '../../../shared/privileges.ts'
import { formatCents } from '../../../shared/money.ts'
import { useResponse } from '../../../web/query.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { useSession } from '../../../web/session.ts'
import { OwnOnly } from '../../../web/ui/OwnOnly.tsx'
import { Button, LinkButton } from '../../../web/ui/Button.tsx'
import { Dialog } from '../../../web/ui/Dialog.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'
import { EmptyState, Failed, LoadingState } from '../../../web/ui/States.tsx'
import { linkedAccounts } from '../contract.ts'
import { SHARING } from '../rules.ts'
import { type Account, AccountCard, payableOf } from './AccountCard.tsx'
import { LinkForm } from './LinkForm.tsx'
import { usePay } from './use-pay.ts'

/** Utility accounts of the resident, with balances and combined payment. */
export default function PortalScreen() {
  const session = useSession()
  const staff = isMunicipalityRole(session?.un ?? 0)
  return (
    <Measure className="py-10 md:py-14">{staff && !session?.impersonating ? <ForResidents /> : <Accounts />}</Measure>
  )
}

/** Message for staff, who may open this screen but have no linked accounts. */
const ForResidents = () => (
  <>
    <PageHead title={<Trans>Utility Portal</Trans>} />
    <EmptyState
      icon={Gauge}
      title={<Trans>Only residents can link utility accounts</Trans>}
      action={
        <LinkButton to="/utility-index" variant="primary">
          <Trans>Pay a utility bill</Trans>
        </LinkButton>
      }
    >
      <Trans>You are signed in as staff. Residents find their bills, payments and usage here.</Trans>
    </EmptyState>
  </>
)

function Accounts() {
  const { data, error, refetch } = useResponse(linkedAccounts, {})
  const [linking, setLinking] = useState(useQueryParam('account') !== null)
  const accounts = data?.accounts ?? []
  return (
    <>
      <PageHead
        title={<Trans>Utility Portal</Trans>}
        actions={
          accounts.length > 0 && (
            <Button icon={Link2} onClick={() => setLinking(true)}>
              <Trans>Link an account</Trans>
            </Button>
          )
        }
      >
        <Trans>Your utility accounts: amounts due, bills and usage.</Trans>
      </PageHead>
      {error && !data && (
        <Failed error={error} title={<Trans>Could not load your accounts</Trans>} onRetry={() => void refetch()} />
      )}
      {!error && !data && (
        <LoadingState shape="block">
          <Trans>Loading your accounts</Trans>
        </LoadingState>
      )}
      {data && accounts.length === 0 && <FirstAccount />}
      {accounts.length > 0 && <List accounts={accounts} />}
      {data && (
        <p className="mt-8">
          <Link className="link" to={SHARING}>
            <Trans>Share the usage history or the status of an account, for example with a landlord</Trans>
          </Link>
        </p>
      )}
      {data && (
        <p className="mt-3">
          <Link className="link" to="/profile/paid-in-year">
            <Trans>Annual statement of your payments, for your taxes</Trans>
          </Link>
        </p>
      )}
      {linking && accounts.length > 0 && (
        <Dialog title={<Trans>Link a utility account</Trans>} onClose={() => setLinking(false)}>
          <OwnOnly>
            <LinkForm onLinked={() => setLinking(false)} />
          </OwnOnly>
        </Dialog>
      )}
    </>
  )
}

/** Form to link the first account, shown instead of the list. */
const FirstAccount = () => (
  <section aria-labelledby="first" className="grid items-start gap-8 lg:grid-cols-[30rem_1fr] lg:gap-12">
    <div className="rounded-sm border border-line bg-surface p-5 md:p-7">
      <h2 id="first" className="mb-4 text-h3">
        <Trans>Link your first account</Trans>
      </h2>
      <OwnOnly>
        <LinkForm onLinked={() => {}} />
      </OwnOnly>
    </div>
    <div className="max-w-text">
      <h2 className="mb-3 text-h3">
        <Trans>Why link your account?</Trans>
      </h2>
      <ul className="list-disc space-y-2 ps-5">
        <li>
          <Trans>See and print every bill, and find out why it is higher or lower than the previous one.</Trans>
        </li>
        <li>
          <Trans>Compare a year of usage with the year before, and get an alert when usage is much higher.</Trans>
        </li>
        <li>
          <Trans>Pay several accounts with one payment.</Trans>
        </li>
      </ul>
    </div>
  </section>
)

function List({ accounts }: { accounts: readonly Account[] }) {
  const session = useSession()
  const payable = accounts.filter(({ can }) => can.pay)
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set())
  const { t } = useLingui()
  const { pay, add, busy, refusal } = usePay()
  const chosen = payable.filter(({ id }) => !left.has(id))
  const choose = (id: number) =>
    setLeft((before) => (before.has(id) ? new Set([...before].filter((one) => one !== id)) : new Set([...before, id])))
  const amount = formatCents(chosen.reduce((sum, account) => sum + payableOf(account), 0))
  const own = !session?.impersonating
  return (
    <>
      {refusal && (
        <Notice tone="danger" className="mb-4" focusable>
          {refusal}
        </Notice>
      )}
      <ul className="grid gap-4">
        {accounts.map((account) => (
          <AccountCard
            key={account.id}
            account={account}
            chosen={payable.length > 1 && own && account.can.pay ? !left.has(account.id) : null}
            onChoose={() => choose(account.id)}
            onPay={own && account.can.pay ? () => void pay([account.id]) : null}
            onAdd={
              own && account.can.pay
                ? () => void add([account.id], t`Account ${account.number} is in your cart.`)
                : null
            }
          />
        ))}
      </ul>
      {!own && payable.length > 0 && (
        <Notice tone="info" className="mt-6">
          <Trans>You cannot pay while impersonating a resident.</Trans>
        </Notice>
      )}
      {payable.length > 1 && own && (
        <div className="mt-6 flex flex-wrap items-center gap-x-6 gap-y-3 border-line border-t pt-5">
          <Button
            variant="primary"
            busy={busy}
            disabled={chosen.length === 0}
            onClick={() => void pay(chosen.map(({ id }) => id))}
          >
            <Trans>Pay {amount}</Trans>
          </Button>
          <p role="status" className="text-muted">
            {chosen.length === 0 ? (
              <Trans>Choose at least one account to pay.</Trans>
            ) : (
              <Plural value={chosen.length} one="One payment for # account" other="One payment for # accounts" />
            )}
          </p>
          <Button
            disabled={busy || chosen.length === 0}
            onClick={() =>
              void add(
                chosen.map(({ id }) => id),
                plural(chosen.length, { one: 'The account is in your cart.', other: 'The accounts are in your cart.' }),
              )
            }
          >
            <Trans>Add selected accounts to cart</Trans>
          </Button>
        </div>
      )}
    </>
  )
}
