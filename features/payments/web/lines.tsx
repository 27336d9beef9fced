import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import type { paymentDetails } from '../list.ts'
import { Code, Text } from '../../../web/ui/Text.tsx'

type Line = ResponseOf<typeof paymentDetails>['lines'][number]
type LineDetails = Line['facts']

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
export const factsOf = (facts: LineDetails): (readonly [ReactNode, ReactNode])[] =>
  facts.map(({ name, value }) => [
    <span key={name}>{words[name] ?? name}</span>,
    <Code key={name} className="tabular-nums">
      {value}
    </Code>,
  ])

/** The same as a line of text. */
export const factsInWords = (facts: LineDetails): ReactNode =>
  facts.map((fact, n) => (
    <span key={fact.name}>
      <Text>{n > 0 && ' · '}</Text>
      <Text>{withWord(fact)}</Text>
    </span>
  ))

/** What a payment pays: of one line what its amount is made of, of several each with its facts below it. */
export function amountsOf(lines: readonly Line[], feeName: ReactNode) {
  const [only] = lines
  if (lines.length === 1 && only && only.items.length > 0)
    return only.items.map(({ text, note, amountCents }, i) => ({
      id: `item ${i}`,
      label: labelOf(text, note ? [note] : []),
      amount: formatCents(amountCents),
    }))
  const several = lines.length > 1
  return lines.flatMap(({ no, title, facts, amountCents, feeCents }) => [
    {
      id: `line ${no}`,
      label: labelOf(title, several ? facts.map(withWord) : []),
      amount: formatCents(amountCents),
    },
    // Of one line the fee stands by itself, of several each below its own.
    ...(several && feeCents > 0
      ? [{ id: `fee ${no}`, label: feeOf(feeName, { title, facts }), amount: formatCents(feeCents) }]
      : []),
  ])
}

const withWord = ({ name, value }: LineDetails[number]): ReactNode => (
  <>
    <Text>{words[name] ?? name}</Text> <Code>{value}</Code>
  </>
)

/** A line as people tell it from another, as plain text: "Utility bill 100001". */
export const nameOfLine = ({ title, facts: [fact] }: Pick<Line, 'title' | 'facts'>): string =>
  fact ? `${title} ${fact.value}` : title

/** A fee, and which line it is for. */
const feeOf = (feeName: ReactNode, { title, facts: [fact] }: Pick<Line, 'title' | 'facts'>): ReactNode => (
  <>
    <Text>{feeName}</Text>
    <Text>{', '}</Text>
    <Text>{fact ? withWord(fact) : title}</Text>
  </>
)

const labelOf = (text: string, below: readonly ReactNode[]): ReactNode => (
  <>
    <Text>{text}</Text>
    {below.map((note, i) => (
      <span key={i} className="block text-muted text-sm">
        {note}
      </span>
    ))}
  </>
)
