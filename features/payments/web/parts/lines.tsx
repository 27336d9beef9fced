import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { z } from 'zod/mini'
import { formatCents } from '../../../../shared/money.ts'
import type { line } from '../../contract.ts'
import type { FeeProgram } from '../../rules-fees.ts'
import { Code, Text } from '../../../../web/ui/Text.tsx'

type Line = z.output<typeof line>
type LineDetails = Line['details']

/** Translated labels of the details in `factLabels`. */
const labels: Record<string, ReactNode> = {
  account: <Trans>Account</Trans>,
  customer: <Trans>Customer</Trans>,
  street: <Trans>Street</Trans>,
  address: <Trans>Service address</Trans>,
  bill: <Trans>Bill</Trans>,
  reference: <Trans>Reference</Trans>,
  citation: <Trans>Citation number</Trans>,
  plate: <Trans>Plate</Trans>,
  violation: <Trans>Violation</Trans>,
}

/** Details of a paid item, each with its label. */
export const detailRowsOf = (details: LineDetails): (readonly [ReactNode, ReactNode])[] =>
  details.map(({ name, value }) => [
    <span key={name}>{labels[name] ?? name}</span>,
    <Code key={name} className="tabular-nums">
      {value}
    </Code>,
  ])

/** Details as one line of text. */
export const detailsText = (details: LineDetails): ReactNode =>
  details.map((fact, n) => (
    <span key={fact.name}>
      <Text>{n > 0 && ' · '}</Text>
      <Text>{withWord(fact)}</Text>
    </span>
  ))

/** Builds the amount rows of a payment. A single line shows its breakdown, several lines their details. */
export function amountsOf(lines: readonly Line[], feeName: ReactNode) {
  const [only] = lines
  if (lines.length === 1 && only && only.items.length > 0)
    return only.items.map(({ text, note, amountCents }, i) => ({
      id: `item ${i}`,
      label: labelOf(text, note ? [note] : []),
      amount: formatCents(amountCents),
    }))
  const several = lines.length > 1
  return lines.flatMap(({ no, title, details, amountCents, feeCents }) => [
    {
      id: `line ${no}`,
      label: labelOf(title, several ? details.map(withWord) : []),
      amount: formatCents(amountCents),
    },
    // If the payment has one line, the caller adds the fee row. Otherwise each fee follows its line.
    ...(several && feeCents > 0
      ? [{ id: `fee ${no}`, label: feeOf(feeName, { title, details }), amount: formatCents(feeCents) }]
      : []),
  ])
}

const withWord = ({ name, value }: LineDetails[number]): ReactNode => (
  <>
    <Text>{labels[name] ?? name}</Text> <Code>{value}</Code>
  </>
)

/** Name that identifies a line in plain text: "Utility bill 100001". */
export const nameOfLine = ({ title, details: [fact] }: Pick<Line, 'title' | 'details'>): string =>
  fact ? `${title} ${fact.value}` : title

/** Fee label with the name of its line. */
const feeOf = (feeName: ReactNode, { title, details: [fact] }: Pick<Line, 'title' | 'details'>): ReactNode => (
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

/** Name of the fee. If the lines have fees of several programs, the name is neutral. */
export function FeeName({ programs }: { programs: readonly FeeProgram[] }) {
  const charged = new Set(programs.filter((program) => program !== 'none'))
  if (charged.size > 1) return <Trans>Fees</Trans>
  return charged.has('service') ? <Trans>Service fee</Trans> : <Trans>Convenience fee</Trans>
}
