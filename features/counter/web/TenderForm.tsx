import { useLingui, Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { type ManualTender, type Line, type TakePaymentResponse, isCash, paysOf } from './use-counter-payment.ts'
import { useZodForm, FormRefused } from '../../../web/ui/form.ts'
import { tenderForm, takePayment } from '../contract.ts'
import { Form } from '../../../web/ui/Form.tsx'
import { amountsRefusal, needsNumber, NUMBER_MISSING, changeOf } from '../rules.ts'
import { formatCents } from '../../../shared/money.ts'
import { translated } from '../../../shared/messages.ts'
import { call } from '../../../web/call.ts'
import { MoneyField } from '../../../web/ui/MoneyField.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { officeMethods } from '../../payments/rules.ts'
import { Button } from '../../../web/ui/Button.tsx'

interface TenderProps {
  method: ManualTender
  drawerId: number
  lines: readonly Line[]
  totalCents: number
  /** Reloads the amounts due if they changed, and rethrows the error. */
  onStale: (error: unknown) => never
  onPaid: (payment: TakePaymentResponse) => void
}

/** Form to pay the lines with cash, a check or a money order. */
export function TenderForm({ method, drawerId, lines, totalCents, onStale, onPaid }: TenderProps) {
  const { t } = useLingui()
  const form = useZodForm(tenderForm, {
    defaultValues: { method, tenderedCents: 1, number: '', email: '' },
  })
  const [receivedCents, setReceivedCents] = useState<number | null>(null)
  const tenderedCents = isCash(method) ? receivedCents : totalCents
  const busy = form.formState.isSubmitting
  return (
    <Form
      form={form}
      onSubmit={async ({ number, email }) => {
        const against = amountsRefusal(lines)
        if (against) throw new FormRefused(against)
        if (tenderedCents === null || tenderedCents < totalCents)
          throw new FormRefused(
            t`Enter the cash received. It must be at least ${formatCents(totalCents)}.`,
            'tenderedCents',
          )
        if (needsNumber({ method, number })) throw new FormRefused(translated(NUMBER_MISSING), 'number')
        const request = { drawerId, pays: paysOf(lines), method, tenderedCents, number, email }
        onPaid(await call(takePayment, request).catch(onStale))
      }}
    >
      {isCash(method) ? (
        <>
          <MoneyField
            label={t`Cash received`}
            value={receivedCents}
            onChange={setReceivedCents}
            error={form.field('tenderedCents').error}
          />
          <p role="status" className="text-lg tabular-nums">
            <Trans>
              Change due{' '}
              <strong>
                {formatCents(
                  receivedCents === null ? 0 : changeOf({ method, totalCents, tenderedCents: receivedCents }),
                )}
              </strong>
            </Trans>
          </p>
        </>
      ) : (
        <TextField
          label={method === officeMethods.check ? t`Check number` : t`Money order number`}
          maxLength={30}
          autoComplete="off"
          {...form.field('number')}
        />
      )}
      <TextField label={t`Email for the receipt`} optional type="email" autoComplete="off" {...form.field('email')} />
      <div>
        <Button type="submit" variant="primary" busy={busy} busyLabel={<Trans>Accepting...</Trans>}>
          <Trans>Accept {formatCents(totalCents)}</Trans>
        </Button>
      </div>
    </Form>
  )
}
