import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useId, useState } from 'react'
import { formatDate } from '../../../shared/dates.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { call, messageOf } from '../../../web/call.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { Refusal } from '../../../web/ui/Notice.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { addToCart, cartChoices } from '../contract.ts'
import { detailsText } from '../../payments/web/parts/lines.tsx'
import { Text } from '../../../web/ui/Text.tsx'
import { Money } from '../../../web/ui/Money.tsx'

type Choices = ResponseOf<typeof cartChoices>

export interface ChoicesProps {
  token: string
  /** Numbers of the cart items. If they change, the other choices are loaded again. */
  inCart: string
  /** Called after an item was added. */
  onAdded: () => Promise<unknown>
}

/** Shows the payer's own other bills and the search screens for other items. */
export default function Choices({ token, inCart, onAdded }: ChoicesProps) {
  const [choices, setChoices] = useState<Choices | null>(null)
  const [refusal, setRefusal] = useState('')
  useEffect(() => {
    let left = false
    call(cartChoices, { token }).then(
      (now) => {
        if (left) return
        setChoices(now)
        setRefusal('')
      },
      (error: unknown) => !left && setRefusal(messageOf(error)),
    )
    return () => {
      left = true
    }
  }, [token, inCart])
  return (
    <div className="mt-3">
      <Refusal>{refusal}</Refusal>
      {choices ? (
        <>
          <PaymentPaths paths={choices.paths} token={token} />
          {choices.own.length > 0 && <Own own={choices.own} token={token} onAdded={onAdded} />}
        </>
      ) : (
        !refusal && (
          <p role="status" className="text-muted">
            <Trans>Loading other items to pay…</Trans>
          </p>
        )
      )}
    </div>
  )
}

const PaymentPaths = ({ paths, token }: { paths: Choices['paths']; token: string }) => (
  <ul className="divide-y divide-line border-line border-y">
    {paths.map(({ path, title, note }) => (
      <li key={path}>
        <Link
          to={`${path}?cart=${token}`}
          className="focus-inside flex min-h-11 flex-wrap items-center justify-between gap-x-4 px-2 py-2 hover:bg-tint"
        >
          <span className="link font-bold">{title}</span>
          <span className="text-muted text-sm">{note}</span>
        </Link>
      </li>
    ))}
  </ul>
)

function Own({ own, token, onAdded }: { own: Choices['own'] } & Pick<ChoicesProps, 'token' | 'onAdded'>) {
  const { t } = useLingui()
  const heading = useId()
  const [adding, setAdding] = useState('')
  const add = async ({ kind, id, title }: Choices['own'][number]) => {
    setAdding(`${kind} ${id}`)
    try {
      await call(addToCart, { token, kind, id })
      await onAdded()
      toast(t`${title} was added to your payment.`)
    } catch (error) {
      toast(messageOf(error), 'danger')
    }
    setAdding('')
  }
  return (
    <section aria-labelledby={heading} className="mt-5">
      <h3 id={heading} className="mb-2 text-lg">
        <Trans>Your other bills</Trans>
      </h3>
      <ul className="divide-y divide-line border-line border-y">
        {own.map((one) => {
          const { kind, id, title, details, dueDate, owedCents } = one
          const called = [title, details[0]?.value].filter(Boolean).join(' ')
          return (
            <li key={`${kind} ${id}`} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
              <div className="min-w-0">
                <p className="font-bold">
                  <Text>{title}</Text>{' '}
                  <span className="tabular-nums">
                    <Money cents={owedCents} />
                  </span>
                </p>
                <p className="wrap-anywhere text-muted text-sm">
                  <Text>{detailsText(details.slice(0, 1))}</Text>
                  {dueDate && (
                    <>
                      {' · '}
                      <Trans>Due {formatDate(dueDate)}</Trans>
                    </>
                  )}
                </p>
              </div>
              <Button
                size="small"
                busy={adding === `${kind} ${id}`}
                aria-label={t`Add ${called} to this payment`}
                onClick={() => void add(one)}
              >
                <Trans>Add</Trans>
              </Button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
