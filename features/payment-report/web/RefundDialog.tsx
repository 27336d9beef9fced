import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { call } from '../../../web/call.ts'
import { Select } from '../../../web/ui/Choice.tsx'
import { FormDialog } from '../../../web/ui/FormDialog.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { Notice } from '../../../web/ui/Notice.tsx'
import { MoneyField } from '../../../web/ui/MoneyField.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import type { paymentDetails } from '../list.ts'
import { refundForm, refundPayment } from '../../refunds/contract.ts'
import { officeMethods, receiptNumber } from '../../payments/rules.ts'
import { nameOfLine } from '../../payments/web/parts/lines.tsx'

interface RefundDialogProps {
  details: ResponseOf<typeof paymentDetails>
  onDone: (response: Promise<{ message: string }>) => Promise<void>
  onClose: () => void
}

/** Dialog for the amount and the reason of a refund. If the payment has several lines, staff also choose the line. */
export default function RefundDialog({ details, onDone, onClose }: RefundDialogProps) {
  const { t } = useLingui()
  const { payment, method, lines, leftCents, leftOfLines, refunds } = details
  const [opened] = useState(details)
  const others = refunds.filter((one) => !opened.refunds.some(({ id: openedId }) => openedId === one.id))
  const { id } = payment
  const form = useZodForm(refundForm, {
    defaultValues: { amountCents: leftCents, line: null, reason: '' },
    draft: { name: `refund:${id}` },
  })
  const line = form.watch('line') ?? null
  const leftOf = (no: number | null) => leftOfLines.find((one) => one.no === no)?.leftCents ?? leftCents
  const maxAmount = formatCents(leftOf(line))
  const isElsewhere = Object.values<number>(officeMethods).includes(method)
  const choose = (no: number | null) => {
    form.setValue('line', no, { shouldDirty: true })
    form.setValue('amountCents', leftOf(no), { shouldDirty: true })
  }
  const open = lines.filter(({ no }) => leftOf(no) > 0)
  return (
    <FormDialog
      title={t`Refund ${receiptNumber(id)}`}
      form={form}
      submit={<Trans>Refund payment</Trans>}
      busyLabel={<Trans>Refunding...</Trans>}
      danger
      onSubmit={(values) => onDone(call(refundPayment, { paymentId: id, ...values, basis: { leftCents } }))}
      onClose={onClose}
    >
      {others.map((one) => (
        <Notice key={one.id} tone="warning">
          <Trans>
            {one.requestedBy} requested a refund of {formatCents(one.amountCents)} after you opened this payment.{' '}
            {formatCents(leftCents)} can still be refunded.
          </Trans>
        </Notice>
      ))}
      <p>
        <Trans>
          The payer will be notified. Fees will be refunded proportionally, and the refunded amount will be due again.
        </Trans>
      </p>
      {details.separateFee?.status === 'charged' && (
        <p>
          <Trans>
            The service fee of {formatCents(details.separateFee.cents)} was charged separately. A proportional share of
            the fee will be refunded automatically.
          </Trans>
        </p>
      )}
      {isElsewhere && (
        <p>
          <Trans>
            This payment was not made through the payment provider. Refund the payment with a check from the
            municipality, not with cash from a cash drawer.
          </Trans>
        </p>
      )}
      {lines.length > 1 && (
        <Select
          name="line"
          label={t`Line item to refund`}
          hint={t`Choose a line item, or refund the full remaining amount.`}
          options={open.map((one) => ({
            value: one.no,
            label: `${nameOfLine(one)}, ${formatCents(leftOf(one.no))}`,
          }))}
          placeholder={t`Full remaining amount, ${formatCents(leftCents)}`}
          value={line ?? ''}
          error={form.choice('line').error}
          onChange={({ target }) => choose(Number(target.value) || null)}
        />
      )}
      <MoneyField label={t`Amount`} hint={t`Up to ${maxAmount}, including the fee.`} {...form.money('amountCents')} />
      <TextField
        label={t`Reason`}
        hint={t`Visible to staff, not to the payer.`}
        maxLength={200}
        {...form.field('reason')}
      />
    </FormDialog>
  )
}
