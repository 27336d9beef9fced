import { Trans, useLingui } from '@lingui/react/macro'
import { Printer, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { AnswerOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { translated } from '../../../shared/words.ts'
import { call, sentenceOf } from '../../../web/call.ts'
import { type Found, Owed } from '../../../web/office/FindToPay.tsx'
import { download } from '../../../web/download.ts'
import { reload } from '../../../web/query.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { BookkeeperTotal, Panel } from '../../../web/ui/Card.tsx'
import { RadioCards } from '../../../web/ui/Choice.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { MoneyField } from '../../../web/ui/MoneyField.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { paymentReceipt } from '../../payments/contract.ts'
import { methodLabels, officeMethods, type OfficeMethod } from '../../payments/rules.ts'
import { findPayables, takePayment, tenderForm } from '../contract.ts'
import { changeOf } from '../rules.ts'
import { FindPayable } from './FindPayable.tsx'

type Taken = AnswerOf<typeof takePayment>

interface Line extends Found {
  amountCents: number | null
}

const METHODS = [officeMethods.cash, officeMethods.check, officeMethods.moneyOrder] as const
const isCash = (method: OfficeMethod) => method === officeMethods.cash

/** One payment at the counter: what is paid, by what, and what goes back over the counter. */
export function TakePayment({ drawerId, onTaken }: { drawerId: number; onTaken: () => void }) {
  const { t } = useLingui()
  const [lines, setLines] = useState<readonly Line[]>([])
  const [taken, setTaken] = useState<Taken | null>(null)
  const totalCents = lines.reduce((sum, { amountCents }) => sum + (amountCents ?? 0), 0)
  const set = (at: number, amountCents: number | null) =>
    setLines(lines.map((line, n) => (n === at ? { ...line, amountCents } : line)))
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <Panel id="find-payable" title={<Trans>What is paid</Trans>}>
        <FindPayable
          chosen={lines}
          onChoose={(found) => {
            setTaken(null)
            setLines([...lines, { ...found, amountCents: found.owedCents > 0 ? found.owedCents : null }])
          }}
        />
      </Panel>
      <Panel id="take-payment" title={<Trans>This payment</Trans>}>
        {taken && <Done taken={taken} />}
        {lines.length === 0 && !taken && (
          <p className="text-muted">
            <Trans>Find what is to be paid, and add it.</Trans>
          </p>
        )}
        {lines.length > 0 && (
          <>
            <ul className="mb-5 flex flex-col gap-4">
              {lines.map((line, at) => (
                <li key={`${line.kind}/${line.id}`} className="flex items-end gap-3">
                  <MoneyField
                    className="min-w-0 flex-1"
                    label={`${line.label} ${line.reference}, ${line.name}`}
                    hint={<Owed cents={line.owedCents} />}
                    value={line.amountCents}
                    onChange={(cents) => set(at, cents)}
                  />
                  <Button
                    icon={Trash2}
                    aria-label={t`Remove ${line.label} ${line.reference}`}
                    onClick={() => setLines(lines.filter((_, n) => n !== at))}
                  >
                    <Trans>Remove</Trans>
                  </Button>
                </li>
              ))}
            </ul>
            <BookkeeperTotal label={t`Together`} amount={formatCents(totalCents)} className="mb-5" />
            <TenderForm
              drawerId={drawerId}
              lines={lines}
              totalCents={totalCents}
              onTaken={(answer) => {
                setTaken(answer)
                setLines([])
                void reload(findPayables)
                onTaken()
              }}
            />
          </>
        )}
      </Panel>
    </div>
  )
}

interface TenderProps {
  drawerId: number
  lines: readonly Line[]
  totalCents: number
  onTaken: (taken: Taken) => void
}

function TenderForm({ drawerId, lines, totalCents, onTaken }: TenderProps) {
  const { t } = useLingui()
  const form = useZodForm(tenderForm, {
    defaultValues: { method: officeMethods.cash, tenderedCents: 1, number: '', email: '' },
  })
  const method = form.watch('method')
  const [given, setGiven] = useState<number | null>(null)
  const tenderedCents = isCash(method) ? given : totalCents
  const busy = form.formState.isSubmitting
  return (
    <Form
      form={form}
      onSubmit={async ({ number, email }) => {
        if (lines.some(({ amountCents }) => !amountCents))
          return form.setError('root.server', { message: t`Enter how much is paid of each, or remove it.` })
        if (tenderedCents === null || tenderedCents < totalCents)
          return form.setError('tenderedCents', {
            message: t`Enter what was handed over: at least ${formatCents(totalCents)}.`,
          })
        if (!isCash(method) && number === '') return form.setError('number', { message: t`Enter the number on it.` })
        const pays = lines.map(({ kind, id, amountCents }) => ({ kind, id, amountCents: amountCents ?? 0 }))
        onTaken(await call(takePayment, { drawerId, pays, method, tenderedCents, number, email }))
      }}
    >
      <RadioCards
        label={t`Paid by`}
        columns={3}
        options={METHODS.map((value) => ({ value, label: translated(methodLabels[value]) }))}
        {...form.choice('method')}
      />
      {isCash(method) ? (
        <>
          <MoneyField
            label={t`Cash handed over`}
            value={given}
            onChange={setGiven}
            error={form.field('tenderedCents').error}
          />
          <p role="status" className="text-lg tabular-nums">
            <Trans>
              Change{' '}
              <strong>
                {formatCents(given === null ? 0 : changeOf({ method, totalCents, tenderedCents: given }))}
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
        <Button type="submit" look="primary" busy={busy} busyLabel={<Trans>Taking...</Trans>}>
          <Trans>Take {formatCents(totalCents)}</Trans>
        </Button>
      </div>
    </Form>
  )
}

/** What to give back over the counter, and the receipt on either paper. */
function Done({ taken }: { taken: Taken }) {
  const print = (paper: 'letter' | 'roll') =>
    void download(paymentReceipt, { paymentId: taken.paymentId, paper }).catch((error: unknown) =>
      toast(sentenceOf(error), 'danger'),
    )
  return (
    <Notice tone="success" className="mb-4">
      <p role="status">{taken.message}</p>
      <p className="my-2 font-bold font-display text-tile-wide tabular-nums">
        <Trans>Change {formatCents(taken.changeCents)}</Trans>
      </p>
      <span className="flex flex-wrap gap-2">
        <Button size="small" icon={Printer} onClick={() => print('roll')}>
          <Trans>Receipt, 80 mm</Trans>
        </Button>
        <Button size="small" icon={Printer} onClick={() => print('letter')}>
          <Trans>Receipt, Letter</Trans>
        </Button>
      </span>
    </Notice>
  )
}
