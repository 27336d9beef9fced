import { Trans, useLingui } from '@lingui/react/macro'
import { FileDown, Link as LinkIcon } from 'lucide-react'
import { useState } from 'react'
import { formatDate } from '../../../shared/dates.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import type { Answers } from '../../../shared/fields/answer.ts'
import { formatCents } from '../../../shared/money.ts'
import { translated } from '../../../shared/messages.ts'
import { call, messageOf } from '../../../web/call.ts'
import { shortInstant } from '../../../web/clock.ts'
import { download } from '../../../web/download.ts'
import { AnswerSheet } from '../../../web/fields/StaffFields.tsx'
import { useResponse } from '../../../web/query.ts'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { DetailList } from '../../../web/ui/Card.tsx'
import { CloseAction, SlideOut } from '../../../web/ui/Dialog.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { Link } from '../../../web/ui/Link.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { EmailField } from '../../../web/ui/TextField.tsx'
import { downloadChargeFile, linkForm, type PaymentLink, sendPaymentLink, showCharge } from '../contract.ts'
import { chargeStatuses } from '../rules.ts'
import { LinkMade } from './MakeLink.tsx'

type Charge = ResponseOf<typeof showCharge>

/** Panel of one charge, paid or unpaid, with its answers and payments. */
export function ChargeSlideOut({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useLingui()
  const response = useResponse(showCharge, { chargeId: id })
  const { data } = response
  return (
    <SlideOut
      title={data ? `${data.title} ${data.number}` : t`Payment`}
      onClose={onClose}
      actions={<CloseAction onClose={onClose} />}
    >
      <ResponseView response={response} loading={<Trans>Loading the payment</Trans>} shape="lines">
        {(charge) => <ChargeContent charge={charge} />}
      </ResponseView>
    </SlideOut>
  )
}

function ChargeContent({ charge }: { charge: Charge }) {
  const { t } = useLingui()
  const { payer, email, address, status, amountCents, paidCents, dueDate, stockNumber, numberLabel } = charge
  const { madeBy, createdAt, definition, answers, today, version, payments, files, can } = charge
  return (
    <div className="flex flex-col gap-6">
      <DetailList
        details={[
          [t`Status`, translated(chargeStatuses[status])],
          [t`Payer`, payer],
          ...(email ? [[t`Email`, email] as const] : []),
          ...(address ? [[t`Address`, address] as const] : []),
          [t`Amount`, formatCents(amountCents)],
          [t`Paid`, formatCents(paidCents)],
          ...(dueDate ? [[t`Due`, formatDate(dueDate)] as const] : []),
          ...(numberLabel ? [[numberLabel, stockNumber || t`None`] as const] : []),
          [t`Created`, madeBy ? t`${shortInstant(createdAt)} by ${madeBy}` : shortInstant(createdAt)],
        ]}
      />
      {version > 0 && (
        <section aria-label={t`Answers`} className="border-line border-t pt-5">
          <h3 className="mb-2">
            <Trans>Answers (version {version} of the fields)</Trans>
          </h3>
          <AnswerSheet definition={definition} answers={answers as Answers} today={today} />
        </section>
      )}
      {files.length > 0 && (
        <section aria-label={t`Files`} className="border-line border-t pt-5">
          <h3 className="mb-2">
            <Trans>Files</Trans>
          </h3>
          <ul className="flex flex-col gap-2">
            {files.map((file) => (
              <li key={file.id}>
                <ChargeFile chargeId={charge.id} file={file} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {payments.length > 0 && (
        <section aria-label={t`Payments`} className="border-line border-t pt-5">
          <h3 className="mb-2">
            <Trans>Payments</Trans>
          </h3>
          <ul>
            {payments.map((payment) => (
              <li key={payment.id} className="flex justify-between gap-4 border-line border-b py-2">
                <span>
                  <Link className="link" to={`/municipality/reports/payments?search=${payment.receipt}`}>
                    {payment.receipt}
                  </Link>{' '}
                  <span className="text-muted">{shortInstant(payment.at)}</span>
                </span>
                <span className="tabular-nums">{formatCents(payment.cents)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {can.send && <SendLink charge={charge} />}
    </div>
  )
}

/** Form that creates a new link for an unpaid charge. Earlier links stay valid. */
function SendLink({ charge: { id, title, email } }: { charge: Charge }) {
  const [made, setMade] = useState<PaymentLink | null>(null)
  const form = useZodForm(linkForm, { defaultValues: { email } })
  if (made) return <LinkMade link={made} title={title} />
  return (
    <section className="border-line border-t pt-5">
      <h3 className="mb-2">
        <Trans>Payment link</Trans>
      </h3>
      <Form form={form} onSubmit={async (values) => setMade(await call(sendPaymentLink, { chargeId: id, ...values }))}>
        <EmailField
          label={<Trans>Payer’s email</Trans>}
          hint={
            <Trans>
              The portal emails the link to this address. If you leave this field empty, you can print the link.
            </Trans>
          }
          optional
          {...form.field('email')}
        />
        <Button type="submit" icon={LinkIcon} className="self-start" busy={form.formState.isSubmitting}>
          <Trans>Create link</Trans>
        </Button>
      </Form>
    </section>
  )
}

function ChargeFile({ chargeId, file: { id, name, state } }: { chargeId: number; file: Charge['files'][number] }) {
  if (state === 'refused')
    return (
      <span className="text-muted">
        <Trans>{name}: rejected by the virus scanner and not saved</Trans>
      </span>
    )
  if (state === 'waiting')
    return (
      <span className="text-muted">
        <Trans>{name}: waiting for the virus scanner</Trans>
      </span>
    )
  return (
    <Button
      size="small"
      icon={FileDown}
      onClick={() =>
        download(downloadChargeFile, { chargeId, fileId: id }).catch((error: unknown) =>
          toast(messageOf(error), 'danger'),
        )
      }
    >
      {name}
    </Button>
  )
}
