import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import * as z from 'zod/mini'
import { formatDate } from '../../../shared/dates.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { translated } from '../../../shared/messages.ts'
import { call, messageOf } from '../../../web/call.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { useSession } from '../../../web/session.ts'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { Panel } from '../../../web/ui/Card.tsx'
import { Checkbox } from '../../../web/ui/Choice.tsx'
import { ConfirmDialog } from '../../../web/ui/Dialog.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { FormActions } from '../../../web/ui/FormButtons.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { Link } from '../../../web/ui/Link.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import {
  agreeArrangement,
  requestArrangement,
  arrangementForm,
  declineArrangement,
  myArrangements,
} from '../contract.ts'
import { limitsOf, type Terms } from '../rules.ts'
import { arrangementStates } from '../states.ts'
import { HowFar, Schedule } from './Schedule.tsx'
import { TermsFields } from './TermsFields.tsx'
import { Text } from '../../../web/ui/Text.tsx'

const agreement = z.pick(arrangementForm, { agree: true })

type MyArrangementsResponse = ResponseOf<typeof myArrangements>
type ArrangementItem = MyArrangementsResponse['items'][number]
type Plan = NonNullable<ArrangementItem['plan']>

export default function MyArrangementsScreen() {
  const response = useResponse(myArrangements, {})
  return (
    <Measure className="py-10 md:py-14">
      <PageHead title={<Trans>Payment Arrangements</Trans>}>
        <Trans>Pay the amount due in installments, each with its own due date.</Trans>
      </PageHead>
      <ResponseView
        response={response}
        shape="block"
        loading={<Trans>Loading your accounts</Trans>}
        failed={<Trans>Could not load your accounts</Trans>}
      >
        {(loaded) => (
          <div className="grid gap-6">
            {loaded.items.length === 0 && (
              <Notice tone="info">
                <Trans>You have not linked any accounts yet.</Trans>{' '}
                <Link className="link" to="/utility-portal">
                  <Trans>Link an account</Trans>
                </Link>
              </Notice>
            )}
            {loaded.items.map((item) => (
              <ItemPanel key={`${item.kind} ${item.id}`} item={item} loaded={loaded} />
            ))}
          </div>
        )}
      </ResponseView>
    </Measure>
  )
}

function ItemPanel({ item, loaded }: { item: ArrangementItem; loaded: MyArrangementsResponse }) {
  const [isRequesting, setIsRequesting] = useState(false)
  const own = !useSession()?.impersonating
  const { reference, title, owedCents, plan, autopay, can } = item
  return (
    <Panel id={`arrangement-${item.kind}-${item.id}`} title={<Trans>Account {reference}</Trans>}>
      <p className="mb-3 text-muted">
        <Text>{title}</Text> ·{' '}
        {owedCents > 0 ? <Trans>{formatCents(owedCents)} owed</Trans> : <Trans>No amount due.</Trans>}
      </p>
      {autopay && (plan?.state === 'active' || plan?.state === 'proposed' || isRequesting) && (
        <Notice tone="info" className="mb-4">
          <Trans>AutoPay is on for this account. It pays installments and new bills as they come due.</Trans>
        </Notice>
      )}
      {plan && <OfPlan plan={plan} loaded={loaded} own={own} />}
      {!plan && !can.canRequest && owedCents > 0 && (
        <p>
          {loaded.limits.byResidents ? (
            <Trans>You can pay amounts of {formatCents(loaded.limits.minCents)} or more in installments.</Trans>
          ) : (
            <Trans>To pay in installments, contact your municipality. Staff set up each arrangement.</Trans>
          )}
        </p>
      )}
      {can.canRequest && own && !isRequesting && (
        <Button onClick={() => setIsRequesting(true)}>
          <Trans>Pay account {reference} in installments</Trans>
        </Button>
      )}
      {can.canRequest && own && isRequesting && (
        <ArrangementRequestForm item={item} loaded={loaded} onDone={() => setIsRequesting(false)} />
      )}
    </Panel>
  )
}

function OfPlan({ plan, loaded, own }: { plan: Plan; loaded: MyArrangementsResponse; own: boolean }) {
  const { t } = useLingui()
  const { id, state, next, overdueCents, installments, can } = plan
  const form = useZodForm(agreement, { defaultValues: { agree: false } })
  const [isDeclining, setDeclining] = useState(false)
  const decline = async () => {
    try {
      toast((await call(declineArrangement, { id })).message)
    } catch (problem) {
      toast(messageOf(problem), 'danger')
    }
    setDeclining(false)
    await reload(myArrangements)
  }
  return (
    <>
      <HowFar of={plan} />
      {state === 'defaulted' && (
        <Notice tone="danger" className="my-4">
          <Trans>
            {formatCents(overdueCents)} is past due, and the grace period has ended. This arrangement is in default. Pay
            the past due amount to reinstate the arrangement.
          </Trans>
        </Notice>
      )}
      {state === 'active' && next && (
        <p className="my-3">
          <Trans>
            Next installment: {formatCents(next.openCents)} on {formatDate(next.dueOn)}. Payments on this account apply
            to the oldest unpaid installment first. New bills are not part of the arrangement.
          </Trans>
        </p>
      )}
      <Schedule installments={installments} today={loaded.today} />
      {(state === 'active' || state === 'defaulted') && (
        <p className="mt-4">
          <Link className="link" to={`/utility-portal/accounts/${plan.payableId}`}>
            <Trans>Make a payment on account {plan.reference}</Trans>
          </Link>
        </p>
      )}
      {isDeclining && (
        <ConfirmDialog
          title={<Trans>Decline this arrangement?</Trans>}
          confirmLabel={<Trans>Decline arrangement</Trans>}
          onConfirm={() => void decline()}
          onClose={() => setDeclining(false)}
        >
          {translated(arrangementStates.steps.decline.confirm ?? '')}
        </ConfirmDialog>
      )}
      {can.agree && own && (
        <Form
          form={form}
          onSubmit={async () => {
            toast((await call(agreeArrangement, { id, termsVersion: loaded.currentTerms.version })).message)
            await reload(myArrangements)
          }}
        >
          <p className="mt-4 whitespace-pre-wrap">{loaded.currentTerms.text}</p>
          <Checkbox label={t`I agree to these terms`} {...form.field('agree')} />
          <div className="flex flex-wrap gap-3">
            <Button type="submit" variant="primary" busy={form.formState.isSubmitting}>
              <Trans>Start arrangement</Trans>
            </Button>
            <Button onClick={() => setDeclining(true)}>
              <Trans>Decline arrangement</Trans>
            </Button>
          </div>
        </Form>
      )}
    </>
  )
}

interface ArrangementRequest extends Terms {
  agree: boolean
}

function ArrangementRequestForm({
  item,
  loaded,
  onDone,
}: {
  item: ArrangementItem
  loaded: MyArrangementsResponse
  onDone: () => void
}) {
  const { t } = useLingui()
  const { kind, id, owedCents, reference } = item
  const { limits, currentTerms, today } = loaded
  const count = Math.min(3, limits.maxInstallments)
  const form = useZodForm<ArrangementRequest, ArrangementRequest>(arrangementForm, {
    defaultValues: { totalCents: owedCents, firstCents: null, count, firstOn: today, every: 'month', agree: false },
    draft: { name: `arrangement:${kind}:${id}`, leaveOut: ['agree'] },
  })
  return (
    <Form
      form={form}
      onSubmit={async (request) => {
        toast(
          (await call(requestArrangement, { kind, itemId: id, termsVersion: currentTerms.version, form: request }))
            .message,
        )
        await reload(myArrangements)
        onDone()
      }}
    >
      <p>
        {limits.minFirstPercent > 0 ? (
          <Trans>
            Account {reference}: up to {limits.maxInstallments} installments within {limits.maxDays} days. The first
            installment must be at least {limits.minFirstPercent}% of the total.
          </Trans>
        ) : (
          <Trans>
            Account {reference}: up to {limits.maxInstallments} installments within {limits.maxDays} days.
          </Trans>
        )}
      </p>
      <TermsFields form={form} owedCents={owedCents} today={today} limits={limitsOf(limits)} />
      <p className="whitespace-pre-wrap">{currentTerms.text}</p>
      <Checkbox label={t`I agree to these terms`} {...form.field('agree')} />
      <FormActions
        form={form}
        submit={<Trans>Start arrangement</Trans>}
        busyLabel={<Trans>Starting...</Trans>}
        onCancel={onDone}
      />
    </Form>
  )
}
