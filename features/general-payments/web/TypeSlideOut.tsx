import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { FilePlus2, Hash, Link as LinkIcon, ListChecks, Pencil, Power, PowerOff, ReceiptText } from 'lucide-react'
import { useState } from 'react'
import { formatDate } from '../../../shared/dates.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { translated } from '../../../shared/messages.ts'
import { Preview } from '../../../web/fields/Preview.tsx'
import { setQuery } from '../../../web/go.ts'
import { useResponse } from '../../../web/query.ts'
import { ResponseSlideOut } from '../../../web/ui/ResponseView.tsx'
import { Button, LinkButton } from '../../../web/ui/Button.tsx'
import { DetailList } from '../../../web/ui/Card.tsx'
import { ConfirmDialog } from '../../../web/ui/Dialog.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { showPaymentType } from '../contract.ts'
import { amountKinds, audiences, categories, proofs } from '../rules.ts'
import { paymentTypeStates } from '../states.ts'
import { PayLink } from './PayLink.tsx'
import { Money } from '../../../web/ui/Money.tsx'

type Type = ResponseOf<typeof showPaymentType>

interface Props {
  id: number
  onClose: () => void
  onMove: (event: 'open' | 'close') => Promise<void>
}

/** Panel of one payment type with its settings, payment URL and audience. */
export function TypeSlideOut({ id, onClose, onMove }: Props) {
  const response = useResponse(showPaymentType, { typeId: id })
  const [busy, setBusy] = useState(false)
  const [isClosing, setClosing] = useState(false)
  const move = async (event: 'open' | 'close') => {
    setBusy(true)
    await onMove(event)
    setBusy(false)
  }
  return (
    <ResponseSlideOut
      title={<Trans>Payment</Trans>}
      named={({ form }) => form.title}
      onClose={onClose}
      response={response}
      loading={<Trans>Loading the payment</Trans>}
      actions={({ can }) => (
        <>
          {can['open'] && (
            <Button variant="primary" icon={Power} busy={busy} onClick={() => void move('open')}>
              <Trans>Open for payment</Trans>
            </Button>
          )}
          {can['edit'] && (
            <Button icon={Pencil} onClick={() => setQuery({ work: 'edit' })}>
              <Trans>Edit</Trans>
            </Button>
          )}
          {can['close'] && (
            <Button icon={PowerOff} busy={busy} onClick={() => setClosing(true)}>
              <Trans>Close payment type</Trans>
            </Button>
          )}
        </>
      )}
    >
      {(type) => (
        <>
          <TypeContent type={type} />
          {isClosing && (
            <ConfirmDialog
              title={<Trans>Close payment type “{type.form.title}”?</Trans>}
              confirmLabel={<Trans>Close payment type</Trans>}
              busy={busy}
              danger
              onConfirm={() => void move('close').then(() => setClosing(false))}
              onClose={() => setClosing(false)}
            >
              <p>{translated(paymentTypeStates.steps.close.confirm ?? '')}</p>
              {type.items.open > 0 && (
                <p className="mt-2">
                  <Plural
                    value={type.items.open}
                    one="# open item will no longer be payable"
                    other="# open items will no longer be payable"
                  />
                  : <Money cents={type.items.owedCents} />
                </p>
              )}
            </ConfirmDialog>
          )}
        </>
      )}
    </ResponseSlideOut>
  )
}

function TypeContent({ type }: { type: Type }) {
  const { t } = useLingui()
  const { id, form, status, url, latestVersion, stock, items, can } = type
  const isListed = form.amountKind === 'listed'
  const range = [form.minCents, form.maxCents].map((cents) => (cents === null ? t`none` : formatCents(cents)))
  const amounts: Record<typeof form.amountKind, string> = {
    fixed: formatCents(form.amountCents ?? 0),
    computed: translated(amountKinds.computed),
    open: t`${translated(amountKinds.open)} (minimum: ${range[0] ?? ''}, maximum: ${range[1] ?? ''})`,
    listed: translated(amountKinds.listed),
  }
  return (
    <div className="flex flex-col gap-6">
      {form.description && <p className="whitespace-pre-line">{form.description}</p>}
      <DetailList
        details={[
          [t`Status`, <StateBadge key="status" of={paymentTypeStates} state={status} />],
          [t`Category`, translated(categories[form.category])],
          [t`Amount`, amounts[form.amountKind]],
          [t`GL account`, form.glAccount],
          [t`Visible to`, translated(audiences[form.seenBy])],
          ...(isListed
            ? ([
                [t`Search by`, t`${form.itemLabel} or name, plus: ${translated(proofs[form.proof])}`],
                [t`Partial payments`, form.inParts ? t`Yes` : t`No`],
                [
                  t`Open items`,
                  t`${items.open.toLocaleString('en-US')} open (${formatCents(items.owedCents)}), ${items.paid.toLocaleString('en-US')} paid`,
                ],
              ] as const)
            : ([
                [t`Fields`, latestVersion === 0 ? t`None published` : t`Version ${latestVersion}`],
                ...(form.numberLabel
                  ? [
                      [
                        form.numberLabel,
                        stock.left === 0
                          ? t`${stock.issued} issued, none left`
                          : t`${stock.issued} issued, ${stock.left} left, next number: ${stock.next}`,
                      ] as const,
                    ]
                  : []),
              ] as const)),
          ...(form.dueDate ? [[t`Due`, formatDate(form.dueDate)] as const] : []),
          ...(form.opensOn ? [[t`Opens on`, formatDate(form.opensOn)] as const] : []),
          ...(form.closesOn ? [[t`Open until`, formatDate(form.closesOn)] as const] : []),
        ]}
      />
      <div className="flex flex-wrap gap-2">
        {can['edit'] && !isListed && (
          <LinkButton to={`/municipality/manage/manage-General-payments/${id}/fields`} icon={ListChecks}>
            <Trans>Fields</Trans>
          </LinkButton>
        )}
        {can['edit'] && !isListed && status === 'open' && (
          <Button icon={LinkIcon} onClick={() => setQuery({ work: 'link' })}>
            <Trans>Create payment link</Trans>
          </Button>
        )}
        {can['edit'] && form.numberLabel !== '' && (
          <Button icon={Hash} onClick={() => setQuery({ work: 'stock' })}>
            <Trans>Add numbers</Trans>
          </Button>
        )}
        {can['edit'] && isListed && (
          <Button icon={FilePlus2} onClick={() => setQuery({ work: 'items' })}>
            <Trans>Import open items</Trans>
          </Button>
        )}
        <LinkButton to={`/municipality/reports/general-payments?typeId=${id}`} icon={ReceiptText}>
          <Trans>Payments</Trans>
        </LinkButton>
      </div>
      {status === 'open' && (
        <section aria-label={t`Payment page`} className="border-line border-t pt-5">
          <h3 className="mb-2">
            <Trans>Payment page</Trans>
          </h3>
          <p className="mb-3 text-muted">
            {form.seenBy === 'link' ? (
              <Trans>Anyone with this link can pay. This payment type is not listed in the portal.</Trans>
            ) : (
              <Trans>
                This payment type is listed under Pay Bills. You can also use this link on your own website, in a letter
                or on a poster.
              </Trans>
            )}
          </p>
          <PayLink url={url} title={form.title} />
        </section>
      )}
      {!isListed && <Preview name={`payment-${id}`} of={type} doneLabel={<Trans>Continue to payment</Trans>} />}
    </div>
  )
}
