import { Trans, useLingui } from '@lingui/react/macro'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { RequestInputOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { translated } from '../../../shared/messages.ts'
import { useAct } from '../../../web/act.ts'
import { call } from '../../../web/call.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { optionsOf, Select } from '../../../web/ui/Choice.tsx'
import { FormDialog } from '../../../web/ui/FormDialog.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { MoneyField } from '../../../web/ui/MoneyField.tsx'
import { Refusal } from '../../../web/ui/Notice.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { addCost, costForm, voidCost } from '../contract.ts'
import { costLabels } from '../rules.ts'
import { type OrderDetails, reloadOrders } from './fresh.ts'
import { PartsToBring } from './PartsToBring.tsx'
import { useFormatLength } from './ScheduleOrder.tsx'
import { Code, Text } from '../../../web/ui/Text.tsx'

/** Labor, parts and other costs with their total. */
export function Costs({ order }: { order: OrderDetails }) {
  const { t } = useLingui()
  const formatLength = useFormatLength()
  const { act, busy, refusal } = useAct(reloadOrders)
  const [adding, setAdding] = useState(false)
  const { id, costs, can, minutes, costCents } = order
  if (costs.length === 0 && order.details.parts.length === 0 && !can.work) return null
  return (
    <section className="mt-7">
      <h3 className="mb-2 text-lg">
        <Trans>Hours, parts and costs</Trans>
      </h3>
      <Refusal>{refusal}</Refusal>
      <PartsToBring
        order={order}
        disabled={busy}
        onUse={(part) => void act(() => call(addCost, { ...part, kind: 'part', orderId: id }))}
      />
      {costs.length > 0 && (
        <ul className="mb-3 border-line border-t">
          {costs.map(({ no, kind, text, quantity, cents, by, voided }) => (
            <li key={no} className="flex flex-wrap items-baseline gap-x-3 border-line border-b py-2 text-sm">
              <span className="min-w-0 flex-1 basis-48 wrap-anywhere">
                <strong className={voided ? 'line-through' : ''}>{text}</strong>
                <span className="block text-muted">
                  <Text>{translated(costLabels[kind])}</Text>,{' '}
                  <Text>{kind === 'labor' ? formatLength(quantity) : t`Quantity: ${quantity}`}</Text>, <Code>{by}</Code>
                </span>
              </span>
              {voided ? (
                <Trans>voided</Trans>
              ) : (
                <>
                  <span className="tabular-nums">{formatCents(cents)}</span>
                  {can.work && (
                    <Button
                      size="small"
                      variant="quiet"
                      disabled={busy}
                      aria-label={t`Void ${text}`}
                      onClick={() => void act(() => call(voidCost, { orderId: id, no }))}
                    >
                      <Trans>Void</Trans>
                    </Button>
                  )}
                </>
              )}
            </li>
          ))}
          <li className="flex justify-between gap-3 py-2 font-bold">
            <span>{minutes > 0 ? t`Total, including ${formatLength(minutes)} of labor` : t`Total`}</span>
            <span className="tabular-nums">{formatCents(costCents)}</span>
          </li>
        </ul>
      )}
      {can.work && (
        <Button size="small" icon={Plus} onClick={() => setAdding(true)}>
          <Trans>Add hours or parts</Trans>
        </Button>
      )}
      {adding && (
        <AddCost
          onAdd={async (cost) => {
            toast((await call(addCost, { ...cost, orderId: id })).message)
            await reloadOrders()
          }}
          onClose={() => setAdding(false)}
        />
      )}
    </section>
  )
}

type Cost = RequestInputOf<typeof addCost>

/** Form for labor or parts. `onAdd` saves the cost. */
export function AddCost({
  onAdd,
  onClose,
}: {
  onAdd: (cost: Omit<Cost, 'orderId' | 'companyId'>) => Promise<void>
  onClose: () => void
}) {
  const { t } = useLingui()
  const form = useZodForm(costForm, {
    defaultValues: { kind: 'labor', text: '', quantity: 60, unitCents: null as unknown as number },
  })
  const kind = form.watch('kind')
  const quantity = form.choice('quantity')
  return (
    <FormDialog
      title={<Trans>Add hours or parts</Trans>}
      form={form}
      submit={<Trans>Add</Trans>}
      onClose={onClose}
      onSubmit={onAdd}
    >
      <Select label={t`Kind`} options={optionsOf(costLabels)} {...form.field('kind')} />
      <TextField label={t`Purpose`} autoComplete="off" {...form.field('text')} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={kind === 'labor' ? t`Minutes` : t`Quantity`}
          inputMode="numeric"
          autoComplete="off"
          name={quantity.name}
          error={quantity.error}
          value={Number.isNaN(quantity.value) ? '' : String(quantity.value)}
          onChange={({ target }) => quantity.onChange(target.value === '' ? Number.NaN : Number(target.value))}
        />
        <MoneyField label={kind === 'labor' ? t`Cost per hour` : t`Cost per unit`} {...form.money('unitCents')} />
      </div>
    </FormDialog>
  )
}
