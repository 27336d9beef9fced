import { Trans } from '@lingui/react/macro'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { shortInstant } from '../../../web/clock.ts'
import { Code, Text } from '../../../web/ui/Text.tsx'
import type { paymentDetails } from '../list.ts'

type Details = ResponseOf<typeof paymentDetails>

/** Transitions of the payment. */
export const Steps = ({ steps }: Pick<Details, 'steps'>) => (
  <ol className="border-line border-s-2 ps-4">
    {steps.map(({ at, event, from, to }, i) => (
      <li key={i} className="py-1.5">
        <p className="font-bold">{codeText(event)}</p>
        <p className="text-muted text-sm tabular-nums">
          <Text>{shortInstant(at)}</Text> ·{' '}
          <Text>
            {from ? (
              <Trans>
                {from} to {to}
              </Trans>
            ) : (
              to
            )}
          </Text>
        </p>
      </li>
    ))}
  </ol>
)

/** Payment attempts with the provider. */
export const Attempts = ({ attempts }: Pick<Details, 'attempts'>) =>
  attempts.length === 0 ? (
    <p className="text-muted">
      <Trans>No payment attempts were sent to the payment provider.</Trans>
    </p>
  ) : (
    <ol>
      {attempts.map(({ no, part, at, step, reference, error }) => (
        <li key={no} className="border-line border-t py-2 first:border-t-0">
          <p>
            <Trans>
              <strong>Attempt {no}</strong>: {codeText(step)}
            </Trans>
          </p>
          <p className="wrap-anywhere text-muted text-sm tabular-nums">
            <Text>{shortInstant(at)}</Text>
            {part === 'fee' && (
              <>
                {' '}
                <Text>·</Text> <Trans>for the fee</Trans>
              </>
            )}
            {reference && (
              <>
                {' '}
                <Text>·</Text> <Code>{reference}</Code>
              </>
            )}
          </p>
          {error && <p className="text-danger text-sm">{error}</p>}
        </li>
      ))}
    </ol>
  )

/** Ledger transfers of the payment. If the payment has several lines, each transfer shows its line. */
export const Ledger = ({ transfers, several }: Pick<Details, 'transfers'> & { several: boolean }) =>
  transfers.length === 0 ? (
    <p className="text-muted">
      <Trans>No money moved, so the ledger has no entries.</Trans>
    </p>
  ) : (
    <table className="w-full border-collapse text-sm tabular-nums">
      <thead>
        <tr className="border-link border-b-2 text-start">
          <th scope="col" className="py-1.5 pe-3 text-start">
            <Trans>Debit and credit</Trans>
          </th>
          <th scope="col" className="py-1.5 text-end">
            <Trans>Amount</Trans>
          </th>
        </tr>
      </thead>
      <tbody>
        {transfers.map(({ at, debit, credit, amountCents, kind, lineNo }, i) => (
          <tr key={i} className="border-line border-b align-top">
            <td className="py-2 pe-3">
              <span className="block">{debit}</span>
              <span className="block ps-4">
                <Trans>to {credit}</Trans>
              </span>
              <span className="text-muted text-xs">
                <Text>{codeText(kind)}</Text> · {several && lineNo !== null && <Trans>line item {lineNo} · </Trans>}
                <Text>{shortInstant(at)}</Text>
              </span>
            </td>
            <td className="py-2 text-end">{formatCents(amountCents)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )

/** Formats codes for people: `new_attempt` and `capture.bill` become `New attempt` and `Capture bill`. */
const codeText = (code: string): string => code.charAt(0).toUpperCase() + code.slice(1).replaceAll(/[._]/g, ' ')
