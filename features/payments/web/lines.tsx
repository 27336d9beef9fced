import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { AnswerOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import type { paymentDetails } from '../list.ts'

type Line = AnswerOf<typeof paymentDetails>['lines'][number]
type LineFacts = Line['facts']

/** The names of `factLabels`, in the reader's language. */
const words: Record<string, ReactNode> = {
  account: <Trans>Account</Trans>,
  customer: <Trans>Customer</Trans>,
  street: <Trans>Street</Trans>,
  address: <Trans>Service address</Trans>,
  bill: <Trans>Bill</Trans>,
  reference: <Trans>Reference</Trans>,
  citation: <Trans>Citation</Trans>,
  plate: <Trans>Plate</Trans>,
  violation: <Trans>Violation</Trans>,
}

/** What is known of something that is paid, each fact with its word. */
export const factsOf = (facts: LineFacts): (readonly [ReactNode, ReactNode])[] =>
  facts.map(({ name, value }) => [
    <span key={name}>{words[name] ?? name}</span>,
    <span key={name} className="tabular-nums">
      {value}
    </span>,
  ])

/** What a payment pays: of one line what its amount is made of, of several each with its facts below it. */
export function amountsOf(lines: readonly Line[]) {
  const [only] = lines
  if (lines.length === 1 && only && only.items.length > 0)
    return only.items.map(({ text, note, amountCents }, i) => ({
      id: `item ${i}`,
      label: labelOf(text, note ? [note] : []),
      amount: formatCents(amountCents),
    }))
  return lines.map(({ title, facts, amountCents }, i) => ({
    id: `line ${i}`,
    label: labelOf(title, lines.length > 1 ? facts.map(withWord) : []),
    amount: formatCents(amountCents),
  }))
}

const withWord = ({ name, value }: LineFacts[number]): ReactNode => (
  <>
    {words[name] ?? name} {value}
  </>
)

const labelOf = (text: string, below: readonly ReactNode[]): ReactNode => (
  <>
    {text}
    {below.map((note, i) => (
      <span key={i} className="block text-muted text-sm">
        {note}
      </span>
    ))}
  </>
)
