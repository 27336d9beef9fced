import type { Ref } from 'react'
import { useLingui, Trans } from '@lingui/react/macro'
import { Trash2 } from 'lucide-react'
import type { Line } from './use-counter-payment.ts'
import { MoneyField } from '../../../web/ui/MoneyField.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { beyondOwed } from '../rules.ts'
import { Checkbox } from '../../../web/ui/Choice.tsx'
import { useResponse } from '../../../web/query.ts'
import { arrangementOf } from '../../arrangements/contract.ts'
import { Owed } from '../../../web/office/FindToPay.tsx'
import { formatCents } from '../../../shared/money.ts'
import { formatShortDate } from '../../../shared/dates.ts'

interface PaymentLinesProps {
  ref: Ref<HTMLUListElement>
  lines: readonly Line[]
  onChange: (at: number, changed: Partial<Line>) => void
  onRemove: (at: number) => void
}

/** Items of the payment with their amounts. */
export function PaymentLines({ ref, lines, onChange, onRemove }: PaymentLinesProps) {
  const { t } = useLingui()
  return (
    <ul ref={ref} className="mb-5 flex flex-col gap-4">
      {lines.map((line, at) => (
        <li key={`${line.kind}/${line.id}`} className="flex flex-wrap items-end gap-x-3">
          <MoneyField
            className="min-w-0 flex-1"
            label={`${line.label} ${line.reference}, ${line.name}`}
            hint={<OwedHint line={line} />}
            value={line.amountCents}
            onChange={(amountCents) => onChange(at, { amountCents })}
          />
          <Button icon={Trash2} aria-label={t`Remove ${line.label} ${line.reference}`} onClick={() => onRemove(at)}>
            <Trans>Remove</Trans>
          </Button>
          <p role="status" className="w-full text-sm not-empty:mt-1">
            {beyondOwed(line.amountCents, line)}
          </p>
          {line.takesCredit && beyondOwed(line.amountCents, line) && (
            <Checkbox
              className="w-full"
              label={t`The payer wants to pay more than the amount due`}
              checked={line.confirmedCents === line.amountCents}
              onChange={({ target }) => onChange(at, { confirmedCents: target.checked ? line.amountCents : null })}
            />
          )}
        </li>
      ))}
    </ul>
  )
}

/** Amount due and, for a payment arrangement, the next installment. */
function OwedHint({ line: { kind, id, owedCents } }: { line: Line }) {
  const next = useResponse(arrangementOf, { kind, itemId: id }).data?.plan?.next
  return (
    <>
      <Owed cents={owedCents} />
      {next && (
        <Trans>
          {' '}
          · in installments, next payment of {formatCents(next.openCents)} due {formatShortDate(next.dueOn)}
        </Trans>
      )}
    </>
  )
}
