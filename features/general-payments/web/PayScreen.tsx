import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { formatDate } from '../../../shared/dates.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { call, CallError } from '../../../web/call.ts'
import { cartPath, useCartFromUrl } from '../../../web/cart.ts'
import { useIntoCart } from '../../../web/citizen/IntoCart.tsx'
import { dropDraft } from '../../../web/drafts.ts'
import FieldSteps from '../../../web/fields/FieldSteps.tsx'
import { go } from '../../../web/go.ts'
import { useResponse } from '../../../web/query.ts'
import { type ScreenUrl, useParam, useTitle } from '../../../web/routes.tsx'
import { useSession } from '../../../web/session.ts'
import { LinkButton } from '../../../web/ui/Button.tsx'
import { Card, DetailList } from '../../../web/ui/Card.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { SubmitButton } from '../../../web/ui/FormButtons.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'
import { Scripted } from '../../../web/ui/PlainForm.tsx'
import { Failed, LoadingState } from '../../../web/ui/States.tsx'
import { PrintedAmountField, TextField } from '../../../web/ui/TextField.tsx'
import { startGeneralPayment, findItemForm, findOpenItem, payableType } from '../contract.ts'
import { uploadForCharge } from './upload.ts'
import { pricesIn } from '../../../shared/fields/prices.ts'
import { formatCents } from '../../../shared/money.ts'
import { priceText } from '../rules.ts'
import { PriceList } from '../../../web/fields/PriceList.tsx'

type Type = ResponseOf<typeof payableType>

export const calls = ({ params: { slug = '' } }: ScreenUrl) => [[payableType, { slug }]] as const

/** Screen of one payment type. The payer fills in its fields or finds an open item, then pays. */
export default function PayScreen() {
  const { t } = useLingui()
  const slug = useParam('slug')
  const named = useCartFromUrl()
  const session = useSession()
  const { data, error, refetch } = useResponse(payableType, { slug })
  useTitle(data?.title ?? t`Pay`)
  return (
    <Measure className="py-10 md:py-14">
      {named !== null && (
        <p className="mb-3">
          <Link className="link" to={cartPath(named)}>
            <Trans>Back to your payment</Trans>
          </Link>
        </p>
      )}
      {named === null && session && (
        <p className="mb-3">
          <Link className="link" to="/pay-bills">
            <Trans>All payments</Trans>
          </Link>
        </p>
      )}
      <PageHead title={data?.title ?? <Trans>Pay</Trans>}>
        {data?.description && <p className="whitespace-pre-line">{data.description}</p>}
      </PageHead>
      {data ? (
        <PayContent type={data} />
      ) : error ? (
        <Unknown error={error} onRetry={() => void refetch()} />
      ) : (
        <LoadingState shape="lines" rows={8}>
          <Trans>Loading questions</Trans>
        </LoadingState>
      )}
    </Measure>
  )
}

/** Message that explains why the payer can't pay here and what to do next. */
function Unknown({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const code = error instanceof CallError ? error.code : ''
  if (code === 'sign_in_first')
    return (
      <div className="flex max-w-text flex-col items-start gap-4">
        <Notice>{error.message}</Notice>
        <LinkButton to="/sign-in" variant="primary">
          <Trans>Sign In</Trans>
        </LinkButton>
      </div>
    )
  if (['closed', 'not_open', 'not_found'].includes(code))
    return (
      <Notice tone="warning" className="max-w-text">
        {error.message}
      </Notice>
    )
  return <Failed error={error} onRetry={onRetry} />
}

function PayContent({ type }: { type: Type }) {
  const { t } = useLingui()
  const session = useSession()
  const { cart, choice } = useIntoCart()
  const { slug, version, definition, prefill, today, soldOut, amountKind } = type
  const draft = `general-payment-${slug}-${version}`
  const [charged, setCharged] = useState<number | null>(null)
  const prices = amountKind === 'computed' ? pricesIn(definition) : []
  return (
    <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,38rem)_minmax(0,1fr)] lg:gap-12">
      {amountKind === 'listed' ? (
        <Card as="div">
          <FindItem type={type} />
        </Card>
      ) : soldOut ? (
        <Card as="div">
          <Notice tone="warning">
            <Trans>This item is sold out. Ask the office when more will be available.</Trans>
          </Notice>
        </Card>
      ) : (
        <Scripted>
          <Card as="div">
            <FieldSteps
              definition={definition}
              start={prefill}
              today={today}
              upload={uploadForCharge}
              draft={draft}
              doneLabel={<Trans>Continue to payment</Trans>}
              beforeDone={choice}
              onCharged={setCharged}
              onDone={async (answers) => {
                const { token } = await call(startGeneralPayment, { slug, answers, ...cart })
                dropDraft(draft)
                go(`/guest/payment/${token}`)
              }}
            />
          </Card>
        </Scripted>
      )}
      <div>
        <h2 className="mb-3 text-h3">
          <Trans>Payment details</Trans>
        </h2>
        <DetailList
          details={[
            [t`Amount`, <strong key="amount">{charged === null ? priceText(type) : formatCents(charged)}</strong>],
            ...(type.dueDate ? ([[t`Due`, formatDate(type.dueDate)]] as const) : []),
            ...(type.closesOn ? ([[t`Open until`, formatDate(type.closesOn)]] as const) : []),
          ]}
        />
        <PriceList prices={prices} />
        <p className="mt-4 max-w-text text-muted text-sm">
          {session ? (
            <Trans>You choose card or eCheck on the next page and see the total cost before you pay.</Trans>
          ) : (
            <Trans>
              You do not need an account or password. You choose card or eCheck on the next page and see the total cost
              before you pay.
            </Trans>
          )}
        </p>
      </div>
    </div>
  )
}

/** Form that finds an open item by its number or owner. It needs only data from the notice. */
function FindItem({ type: { slug, itemLabel, proof } }: { type: Type }) {
  const { t } = useLingui()
  const { cart, choice } = useIntoCart()
  const form = useZodForm(findItemForm, {
    defaultValues: { named: '', proof: '' },
    draft: { name: `general-item-${slug}`, leaveOut: ['proof'] },
    plain: findOpenItem,
  })
  return (
    <Form
      form={form}
      onSubmit={async (values) => {
        const { token } = await call(findOpenItem, { slug, ...values, ...cart })
        go(`/guest/payment/${token}`)
      }}
    >
      <h2 className="text-h3">
        <Trans>Find your notice</Trans>
      </h2>
      <TextField
        label={t`${itemLabel}, or the name on the notice`}
        hint={t`Enter the number or name as printed on your notice. Spaces and dashes in a number do not matter.`}
        autoComplete="off"
        spellCheck={false}
        {...form.field('named')}
      />
      {proof === 'amount' ? (
        <PrintedAmountField
          label={t`Amount on the notice`}
          hint={t`We use this amount to confirm that the notice is yours. Example: 1234.50.`}
          {...form.field('proof')}
        />
      ) : (
        <TextField
          label={t`Code on the notice`}
          hint={t`We use this code to confirm that the notice is yours.`}
          autoComplete="off"
          spellCheck={false}
          className="max-w-60"
          {...form.field('proof')}
        />
      )}
      {choice}
      <SubmitButton form={form} busyLabel={<Trans>Searching…</Trans>}>
        <Trans>Find notice</Trans>
      </SubmitButton>
    </Form>
  )
}
