import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { useResponse } from '../../../web/query.ts'
import { DateField, Select } from '../../../web/ui/Choice.tsx'
import { CloseAction, SlideOut } from '../../../web/ui/Dialog.tsx'
import { MoneyField } from '../../../web/ui/MoneyField.tsx'
import { SettingsOf } from '../../../web/ui/SettingsOf.tsx'
import { type Brand, feeTermsFor, type Funding, quoteBy } from '../../payments/rules-fees.ts'
import type { Location } from '../../payments/rules.ts'
import { feeBook } from '../contract.ts'
import { termsText } from '../rules.ts'
import { cardChoices, channelChoices, kindChoices } from './choices.ts'

/** Calculator for the fee on an amount on any day. It applies the same rules as a real charge. */
export const FeeCalculator = ({ onClose }: { onClose: () => void }) => (
  <SettingsOf response={useResponse(feeBook, {})} title={<Trans>Calculate a fee</Trans>} onClose={onClose}>
    {(book) => <Trial book={book} onClose={onClose} />}
  </SettingsOf>
)

const LOCATIONS: Record<string, Location> = { online: 1, phone: 3, autopay: 6 }

function Trial({ book, onClose }: { book: ResponseOf<typeof feeBook>; onClose: () => void }) {
  const { t } = useLingui()
  const [on, setOn] = useState(book.today)
  const [kind, setKind] = useState(book.kinds[0]?.kind ?? '')
  const [method, setMethod] = useState('1')
  const [channel, setChannel] = useState('online')
  const [card, setCard] = useState('')
  const [cents, setCents] = useState<number | null>(100_00)
  const isFunding = card === 'credit' || card === 'debit'
  const about = {
    on: on || book.today,
    kind,
    method: method === '1' ? (1 as const) : (2 as const),
    location: LOCATIONS[channel] ?? 1,
    brand: method === '2' || card === '' || isFunding ? null : (card as Brand),
    funding: method === '1' && isFunding ? (card as Funding) : null,
  }
  const terms = feeTermsFor(book.rules, about)
  const quote = cents === null ? null : quoteBy(terms, cents)
  return (
    <SlideOut title={<Trans>Calculate a fee</Trans>} onClose={onClose} actions={<CloseAction onClose={onClose} />}>
      <div className="flex flex-col gap-4">
        <MoneyField label={t`Bill amount`} name="cents" value={cents} onChange={setCents} />
        <DateField label={t`On`} name="on" value={on} onChange={(event) => setOn(event.target.value)} />
        <Select
          label={t`Items to pay`}
          name="kind"
          options={kindChoices(book.kinds).slice(1)}
          value={kind}
          onChange={(event) => setKind(event.target.value)}
        />
        <Select
          label={t`Method`}
          name="method"
          options={[
            { value: '1', label: t`Card` },
            { value: '2', label: t`eCheck` },
          ]}
          value={method}
          onChange={(event) => setMethod(event.target.value)}
        />
        <Select
          label={t`Channel`}
          name="channel"
          options={channelChoices().slice(1)}
          value={channel}
          onChange={(event) => setChannel(event.target.value)}
        />
        {method === '1' && (
          <Select
            label={t`Cards`}
            name="card"
            options={cardChoices()}
            value={card}
            onChange={(event) => setCard(event.target.value)}
          />
        )}
        <div role="status" className="rounded-sm bg-tint px-4 py-3">
          <p>{termsText({ ...terms, ends: false })}</p>
          {quote && (
            <p className="mt-1 font-bold tabular-nums">
              <Trans>
                {formatCents(quote.billCents)} plus a fee of {formatCents(quote.feeCents)}:{' '}
                {formatCents(quote.totalCents)} total
              </Trans>
            </p>
          )}
          {quote && quote.absorbedFeeCents > 0 && (
            <p className="text-sm">
              <Trans>The municipality absorbs {formatCents(quote.absorbedFeeCents)}.</Trans>
            </p>
          )}
        </div>
      </div>
    </SlideOut>
  )
}
