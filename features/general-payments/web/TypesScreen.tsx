import { Trans, useLingui } from '@lingui/react/macro'
import { Plus, ReceiptText } from 'lucide-react'
import { formatCents } from '../../../shared/money.ts'
import { translated } from '../../../shared/messages.ts'
import { call, messageOf } from '../../../web/call.ts'
import { setQuery } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { reload } from '../../../web/query.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { may } from '../../../web/session.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { changePaymentType, showPaymentType } from '../contract.ts'
import { paymentTypes } from '../list.ts'
import { amountKinds } from '../rules.ts'
import { paymentTypeStates } from '../states.ts'
import { AddStock } from './AddStock.tsx'
import { ImportItems } from './ImportItems.tsx'
import { MakeLink } from './MakeLink.tsx'
import { AddType, EditType } from './TypeForm.tsx'
import { TypeSlideOut } from './TypeSlideOut.tsx'

/** Screen with payment types other than utility bills, which staff define here (spec 2.3). */
export default function TypesScreen() {
  const { t } = useLingui()
  const id = Number(useQueryParam('type')) || 0
  const work = useQueryParam('work')
  const mayAdd = may('general_payments', 'create')
  const close = () => setQuery({ type: null, work: null })
  const back = () => setQuery({ work: null })
  const move = async (typeId: number, event: 'open' | 'close') => {
    try {
      toast((await call(changePaymentType, { typeId, event })).message)
    } catch (error) {
      toast(messageOf(error), 'danger')
    }
    await Promise.all([reload(paymentTypes.call), reload(showPaymentType)])
  }
  const open = (typeId: number, what: string | null = null) => setQuery({ type: String(typeId), work: what })
  const add = mayAdd && (
    <Button variant="primary" icon={Plus} onClick={() => setQuery({ work: 'add' })}>
      <Trans>Add payment type</Trans>
    </Button>
  )
  return (
    <>
      <ListScreen
        of={paymentTypes}
        rowName={({ title }) => title}
        cells={{
          title: ({ title }) => <strong>{title}</strong>,
          amountKind: ({ amountKind, amountCents }) =>
            amountKind === 'fixed' ? formatCents(amountCents ?? 0) : translated(amountKinds[amountKind]),
          status: ({ status }) => <StateBadge of={paymentTypeStates} state={status} />,
        }}
        actions={{
          view: (row) => open(row.id),
          edit: (row) => open(row.id, 'edit'),
        }}
        onRow={(row) => open(row.id)}
        headActions={add}
        empty={
          <EmptyState icon={ReceiptText} title={t`No payment types yet`} action={add}>
            <Trans>
              Add the payments that the municipality accepts, for example a tax, a permit fee or a dog license.
            </Trans>
          </EmptyState>
        }
      />
      {work === 'add' && mayAdd && <AddType onClose={close} />}
      {id > 0 && work === null && <TypeSlideOut id={id} onClose={close} onMove={(event) => move(id, event)} />}
      {id > 0 && work === 'edit' && <EditType id={id} onClose={back} />}
      {id > 0 && work === 'link' && <MakeLink id={id} onClose={back} />}
      {id > 0 && work === 'stock' && <AddStock id={id} onClose={back} />}
      {id > 0 && work === 'items' && <ImportItems id={id} onClose={back} />}
    </>
  )
}
