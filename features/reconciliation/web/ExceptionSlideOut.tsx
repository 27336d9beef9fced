import { Trans, useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import * as z from 'zod/mini'
import { formatDate } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { translated } from '../../../shared/messages.ts'
import { call, messageOf } from '../../../web/call.ts'
import { shortInstant } from '../../../web/clock.ts'
import { useResponse } from '../../../web/query.ts'
import { ResponseSlideOut } from '../../../web/ui/ResponseView.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { DetailList } from '../../../web/ui/Card.tsx'
import { Select } from '../../../web/ui/Choice.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { Link } from '../../../web/ui/Link.tsx'
import { MoveButtons } from '../../../web/ui/MoveButtons.tsx'
import { History } from '../../../web/ui/office/History.tsx'
import { SendButton } from '../../../web/ui/SendButton.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { TextArea, TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { transitionException, ownException, resolveException, showException } from '../contract.ts'
import { exceptionKinds, type ResolutionMethod, resolutionMethodLabels, mayAddRule } from '../rules.ts'
import { exceptionStates } from '../states.ts'
import { refreshReconciliation } from './fresh.ts'

type ShowExceptionResponse = ResponseOf<typeof showException>

/** Slide-out of one exception: its subject, its owner and the ways to resolve it. */
export function ExceptionSlideOut({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useLingui()
  return (
    <ResponseSlideOut
      title={<Trans>Exception</Trans>}
      named={({ kind }) => translated(exceptionKinds[kind])}
      onClose={onClose}
      response={useResponse(showException, { id })}
      loading={<Trans>Loading exception</Trans>}
    >
      {(exceptionView) => (
        <>
          <p className="mb-4 flex flex-wrap items-center gap-3">
            <strong className="text-lg tabular-nums">{formatCents(exceptionView.amountCents)}</strong>{' '}
            <StateBadge of={exceptionStates} state={exceptionView.status} />
          </p>
          <DetailList
            details={[
              [t`Subject`, exceptionView.about],
              [t`Day`, formatDate(exceptionView.day)],
              [t`Date found`, shortInstant(exceptionView.openedAt)],
              [t`Owner`, exceptionView.owner || t`Unassigned`],
              ...(exceptionView.line?.reference ? [[t`Reference`, exceptionView.line.reference] as const] : []),
              ...(exceptionView.line?.code ? [[t`Type code`, exceptionView.line.code] as const] : []),
              ...(exceptionView.reason ? [[t`Reason`, exceptionView.reason] as const] : []),
            ]}
          />
          <ExceptionLinks loaded={exceptionView} />
          {exceptionView.mayResolve && (
            <>
              <Own loaded={exceptionView} />
              <Resolve key={exceptionView.id} loaded={exceptionView} />
            </>
          )}
          <MoveButtons
            of={exceptionStates}
            can={exceptionView.can}
            onPress={async (event, reason) => {
              toast(
                (
                  await call(transitionException, {
                    id,
                    event,
                    reason: reason ?? '',
                    basis: { reason: exceptionView.reason },
                  })
                ).message,
              )
              await refreshReconciliation()
            }}
            dialog={{
              draft: `exception-${id}`,
              hint: t`Enter the reason for reopening this exception. Any entry posted to resolve it will be reversed.`,
            }}
          />
          <History history={exceptionView.history} />
        </>
      )}
    </ResponseSlideOut>
  )
}

const ExceptionLinks = ({ loaded: { payoutId, paymentId } }: { loaded: ShowExceptionResponse }) =>
  payoutId === null && paymentId === null ? null : (
    <p className="mt-4 flex flex-wrap gap-x-6 gap-y-2">
      {payoutId !== null && (
        <Link className="link" to={`/municipality/reports/payouts?payout=${payoutId}`}>
          <Trans>Open payout</Trans>
        </Link>
      )}
      {paymentId !== null && (
        <Link className="link" to={`/municipality/reports/payments?payment=${paymentId}`}>
          <Trans>Open payment P{paymentId}</Trans>
        </Link>
      )}
    </p>
  )

function Own({ loaded: { id, isOwn } }: { loaded: ShowExceptionResponse }) {
  const submit = async () => {
    try {
      toast((await call(ownException, { id, own: !isOwn })).message)
    } catch (problem) {
      toast(messageOf(problem), 'danger')
    }
    await refreshReconciliation()
  }
  return (
    <p className="mt-4">
      <Button size="small" onClick={() => void submit()}>
        {isOwn ? <Trans>Unassign</Trans> : <Trans>Assign to me</Trans>}
      </Button>
    </p>
  )
}

const resolutionForm = z.object({
  how: z.enum(Object.keys(resolutionMethodLabels) as [ResolutionMethod, ...ResolutionMethod[]]),
  payoutId: z.string(),
  addsRule: z.string().check(z.trim(), z.maxLength(80, 'Enter up to 80 characters.')),
  reason: z
    .string()
    .check(
      z.trim(),
      z.minLength(3, 'Enter a reason that auditors can understand.'),
      z.maxLength(300, 'Enter up to 300 characters.'),
    ),
})

function Resolve({ loaded: { id, hows, line, amountCents } }: { loaded: ShowExceptionResponse }) {
  const { t } = useLingui()
  const payouts = line?.payouts ?? []
  const severalProviders = new Set(payouts.map(({ provider }) => provider)).size > 1
  const possible = hows.filter((how) => how !== 'payout' || payouts.length > 0)
  const form = useZodForm(resolutionForm, {
    defaultValues: { how: possible[0] ?? 'explain', payoutId: '', addsRule: '', reason: '' },
    draft: { name: `exception-${id}` },
  })
  const how = form.watch('how')
  return (
    <section className="mt-6">
      <h3 className="mb-2 text-lg">
        <Trans>Resolution</Trans>
      </h3>
      <Form
        form={form}
        onSubmit={async ({ reason, payoutId, addsRule }) => {
          const besides = {
            ...(how === 'payout' && payoutId !== '' && { payoutId: Number(payoutId) }),
            ...(mayAddRule(how) && addsRule !== '' && { addsRule }),
          }
          toast((await call(resolveException, { id, how, reason, basis: { amountCents }, ...besides })).message)
          await refreshReconciliation()
        }}
      >
        {possible.length > 1 && (
          <Select
            label={t`Resolution method`}
            options={possible.map((value) => ({ value, label: translated(resolutionMethodLabels[value]) }))}
            {...form.field('how')}
          />
        )}
        {how === 'payout' && (
          <Select
            label={t`Payout`}
            placeholder={t`Choose a payout`}
            options={payouts.map(({ id: value, provider, trace, arrivesOn, netCents }) => ({
              value: String(value),
              label: [
                formatCents(netCents),
                ...(severalProviders ? [provider] : []),
                trace,
                formatDate(arrivesOn),
              ].join(' · '),
            }))}
            {...form.field('payoutId')}
          />
        )}
        {line && mayAddRule(how) && (
          <TextField
            label={t`Words for a matching rule`}
            optional
            hint={t`The portal will automatically match later transactions that contain these words. Bank description: ${line.text}`}
            {...form.field('addsRule')}
          />
        )}
        <TextArea
          label={t`Reason`}
          hint={t`The reason is saved with the exception. Auditors can read it.`}
          {...form.field('reason')}
        />
        <SendButton form={form} waits={false}>
          <Trans>Resolve exception</Trans>
        </SendButton>
      </Form>
    </section>
  )
}
