import { Trans, useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { translated } from '../../../shared/messages.ts'
import { call } from '../../../web/call.ts'
import { shortInstant } from '../../../web/clock.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { ResponseSlideOut } from '../../../web/ui/ResponseView.tsx'
import { DetailList } from '../../../web/ui/Card.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { MoveButtons } from '../../../web/ui/MoveButtons.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { transitionArrangement, returnArrangement } from '../contract.ts'
import { arrangementList } from '../list.ts'
import { arrangementStates } from '../states.ts'
import { HowFar, Schedule } from './Schedule.tsx'
import { Code, Text } from '../../../web/ui/Text.tsx'

type ReturnArrangementResponse = ResponseOf<typeof returnArrangement>

export function ArrangementSlideOut({ id, onClose }: { id: number; onClose: () => void }) {
  const response = useResponse(returnArrangement, { id })
  const reference = response.data?.plan.reference
  return (
    <ResponseSlideOut
      title={reference ? <Trans>Arrangement for account {reference}</Trans> : <Trans>Loading</Trans>}
      onClose={onClose}
      response={response}
      loading={<Trans>Loading the arrangement</Trans>}
      failed={<Trans>Could not load this arrangement</Trans>}
    >
      {(loaded) => <Everything view={loaded} />}
    </ResponseSlideOut>
  )
}

function Everything({ view: { plan, agreed, history } }: { view: ReturnArrangementResponse }) {
  const { t } = useLingui()
  const { id, remainingCents, overdueCents, graceDays, can } = plan
  return (
    <>
      <HowFar of={plan} />
      {overdueCents > 0 && (
        <Notice tone="warning" className="mt-4">
          <Trans>{formatCents(overdueCents)} is past due.</Trans>
        </Notice>
      )}
      <DetailList
        className="mt-4 text-table"
        details={[
          [t`Name`, plan.name],
          [t`Remaining amount`, formatCents(remainingCents)],
          [t`Grace period (days)`, String(graceDays)],
          [t`Created`, `${shortInstant(plan.madeAt)}, ${plan.madeBy}`],
        ]}
      />
      {plan.kind === 'utility' && (
        <p className="mt-3">
          <Link className="link" to={`/municipality/reports/customers/citizen?account=${plan.payableId}`}>
            <Trans>View account {plan.reference}</Trans>
          </Link>
        </p>
      )}
      <h3 className="mt-7 mb-2 text-lg">
        <Trans>Installments</Trans>
      </h3>
      <Schedule installments={plan.installments} />
      <MoveButtons
        of={arrangementStates}
        can={{ sign: can.sign, decline: false, end: can.end }}
        dialog={{
          text: (event) =>
            event === 'end' ? (
              <Trans>
                The full amount owed will become due. The resident will be notified and will see the reason.
              </Trans>
            ) : (
              <Trans>Enter how the resident agreed, for example: signed at the counter, or agreed by phone.</Trans>
            ),
          draft: `arrangement:${id}`,
        }}
        onPress={async (event, reason = '') => {
          if (event === 'decline') return
          toast((await call(transitionArrangement, { id, event, reason })).message)
          await Promise.all([reload(returnArrangement), reload(arrangementList.call)])
        }}
      />
      <h3 className="mt-7 mb-2 text-lg">
        <Trans>Agreement</Trans>
      </h3>
      {agreed ? (
        <>
          <p className="text-muted text-sm tabular-nums">
            <Trans>
              {shortInstant(agreed.at)} · {agreed.by} · IP address {agreed.address} · version {agreed.version}
            </Trans>
          </p>
          <p className="wrap-anywhere text-muted text-sm">{agreed.device}</p>
          <p className="mt-2 whitespace-pre-wrap">{agreed.text}</p>
        </>
      ) : (
        <p className="text-muted">
          <Trans>No one has agreed to this arrangement yet.</Trans>
        </p>
      )}
      <h3 className="mt-7 mb-2 text-lg">
        <Trans>History</Trans>
      </h3>
      <ol className="border-line border-s-2 ps-4">
        {history.map((step) => (
          <li key={step.at + step.state} className="py-1.5">
            <p className="font-bold">{translated(arrangementStates.labels[step.state])}</p>
            {step.reason && <p className="wrap-anywhere">{step.reason}</p>}
            <p className="text-muted text-sm tabular-nums">
              <Text>{shortInstant(step.at)}</Text> · <Code>{step.by}</Code>
            </p>
          </li>
        ))}
      </ol>
    </>
  )
}
