import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { formatDate } from '../../../shared/dates.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { useResponse } from '../../../web/query.ts'
import { useParam } from '../../../web/routes.tsx'
import { useSession } from '../../../web/session.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Card, Panel } from '../../../web/ui/Card.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'
import { Failed, LoadingState } from '../../../web/ui/States.tsx'
import { myArrangements } from '../../arrangements/contract.ts'
import { accountYear, showAccount } from '../contract.ts'
import { billPath } from '../rules.ts'
import { AutopayLine, Balance, payableOf } from './AccountCard.tsx'
import { Comparison, WhyTitle } from './Comparison.tsx'
import { Records } from './Records.tsx'
import { SettingsPanel } from './SettingsPanel.tsx'
import { ShutoffNotice } from './ShutoffNotice.tsx'
import { usePay } from './use-pay.ts'
import type { Year } from './year-figures.ts'
import { YearPanels } from './YearPanels.tsx'
import { ToAllAccounts } from './ToAllAccounts.tsx'
import { Code } from '../../../web/ui/Text.tsx'

type ShowAccountResponse = ResponseOf<typeof showAccount>
type Plans = ResponseOf<typeof myArrangements>

/** Account page: balance, explanation, yearly figures, bills, payments and settings. */
export default function AccountScreen() {
  const accountId = Number(useParam('accountId'))
  const [year, setYear] = useState<number>()
  const account = useResponse(showAccount, { accountId, ...(year && { year }) }, { keepPrevious: true })
  const figures = useResponse(accountYear, { accountId })
  const plans = useResponse(myArrangements, {})
  const error = account.error ?? figures.error
  const again = () => void Promise.all([account.refetch(), figures.refetch()])
  return (
    <Measure className="py-10 md:py-14">
      <PageHead title={<Trans>Utility Account</Trans>} actions={<ToAllAccounts />} />
      {error && !(account.data && figures.data) ? (
        <Failed error={error} title={<Trans>Could not load this account</Trans>} onRetry={again} />
      ) : account.data && figures.data && !plans.isPending ? (
        <Parts view={account.data} year={figures.data} plans={plans.data} onYear={setYear} />
      ) : (
        <LoadingState shape="block">
          <Trans>Loading your account</Trans>
        </LoadingState>
      )}
    </Measure>
  )
}

interface PartsProps {
  view: ShowAccountResponse
  year: Year
  /** Payment arrangements. Undefined if they could not be loaded, because the page works without them. */
  plans: Plans | undefined
  onYear: (year: number) => void
}

function Parts({ view, year, plans, onYear }: PartsProps) {
  const { newest, hint } = year
  return (
    <div className="grid gap-6">
      {view.account.shutoff && <ShutoffNotice of={view.account.shutoff} pastDueCents={view.account.pastDueCents} />}
      <Owed view={view} plans={plans} />
      {hint && (
        <Notice tone="warning" title={hint.title}>
          {hint.text}
        </Notice>
      )}
      {newest?.comparison && (
        <Panel
          id="why"
          title={<WhyTitle of={newest.comparison} />}
          aside={
            <Link to={billPath(view.account.id, newest.number)} className="link">
              <Trans>View bill for {formatCents(newest.amountCents)}</Trans>
            </Link>
          }
        >
          <Comparison of={newest.comparison} />
        </Panel>
      )}
      <YearPanels year={year} />
      <Records view={view} onYear={onYear} />
      <SettingsPanel key={view.account.id} view={view} />
    </div>
  )
}

const planOf = (id: number, plans: Plans | undefined) =>
  plans?.items.find((one) => one.kind === 'utility' && one.id === id)

/** Link to the payment arrangement, or to a form for requesting one. */
function Installments({ id, plans }: { id: number; plans: Plans | undefined }) {
  const item = planOf(id, plans)
  if (!item || !(item.plan || item.can.canRequest)) return null
  const { plan } = item
  return (
    <p className="mt-3">
      {plan?.state === 'active' && plan.next && (
        <Trans>
          Your payment arrangement is on track. The next installment is {formatCents(plan.next.openCents)} on{' '}
          {formatDate(plan.next.dueOn)}.
        </Trans>
      )}
      {plan?.state === 'defaulted' && (
        <Trans>Your payment arrangement is in default. {formatCents(plan.overdueCents)} is past due.</Trans>
      )}{' '}
      <Link className="link" to="/payment-arrangements">
        {plan ? <Trans>View payment arrangement</Trans> : <Trans>Pay in installments</Trans>}
      </Link>
    </p>
  )
}

function Owed({ view: { account }, plans }: Pick<PartsProps, 'view' | 'plans'>) {
  const own = !useSession()?.impersonating
  const { t } = useLingui()
  const { pay, add, busy, refusal } = usePay()
  const isByPlan = Boolean(planOf(account.id, plans)?.plan?.next)
  return (
    <Card aria-labelledby="owed">
      <div className="grid items-start gap-4 md:grid-cols-[1fr_auto]">
        <div className="min-w-0">
          <h2 id="owed" className="text-h3">
            {account.owedCents < 0 ? <Trans>Your credit</Trans> : <Trans>Amount due</Trans>}
          </h2>
          <p className="mt-1">
            <strong>{account.nickname || account.customer}</strong>
          </p>
          <p className="text-muted">
            <Trans>Account {account.number}</Trans>, <Code>{account.address}</Code>
          </p>
          {account.pastDueCents > 0 && account.dueDate && (
            <p className="mt-1 text-muted">
              <Trans>
                Part of this amount is from earlier bills. The latest bill is due {formatDate(account.dueDate)}.
              </Trans>
            </p>
          )}
        </div>
        <Balance account={account} />
      </div>
      <AutopayLine of={account.autopay} />
      <Installments id={account.id} plans={plans} />
      {refusal && (
        <Notice tone="danger" className="mt-4" focusable>
          {refusal}
        </Notice>
      )}
      {account.can.pay && own && (
        <div className="mt-4 flex flex-wrap gap-3">
          {isByPlan && (
            <Button variant="primary" busy={busy} onClick={() => void pay([account.id], { byPlan: true })}>
              <Trans>Pay installment</Trans>
            </Button>
          )}
          <Button {...(!isByPlan && { variant: 'primary' })} busy={busy} onClick={() => void pay([account.id])}>
            <Trans>Pay {formatCents(payableOf(account))}</Trans>
          </Button>
          <Button disabled={busy} onClick={() => void add([account.id], t`Account ${account.number} is in your cart.`)}>
            <Trans>Add to cart</Trans>
          </Button>
        </div>
      )}
      {account.can.pay && !own && (
        <p className="mt-4 text-muted">
          <Trans>You cannot pay while impersonating a resident.</Trans>
        </p>
      )}
    </Card>
  )
}
