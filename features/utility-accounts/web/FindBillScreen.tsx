import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect } from 'react'
import { call } from '../../../web/call.ts'
import { page } from '../../../web/page.ts'
import { cartPath, useCartFromUrl } from '../../../web/cart.ts'
import { useIntoCart } from '../../../web/citizen/IntoCart.tsx'
import { go } from '../../../web/go.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { SubmitButton } from '../../../web/ui/FormButtons.tsx'
import { Card } from '../../../web/ui/Card.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { Link } from '../../../web/ui/Link.tsx'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'
import { PrintedAmountField, PrintedCodeField, TextField, ZipField } from '../../../web/ui/TextField.tsx'
import { findGuestBill, guestBillFormAsking } from '../contract.ts'
import { BillDrawing } from './BillDrawing.tsx'

/**
 * Screen where a guest finds a bill by account number, ZIP code and the additional fact that the company requires. The
 * address may name the account and its ZIP code: `?account=100001&zip=17011`.
 */
export default function FindBillScreen() {
  const { t } = useLingui()
  const fact = page().company?.guestFact ?? 'none'
  /** Token of the cart to which the bill is added. */
  const named = useCartFromUrl()
  const { cart, choice } = useIntoCart()
  const form = useZodForm(guestBillFormAsking(fact), {
    defaultValues: { accountNumber: '', zip: '', fact: '' },
    draft: { name: 'guest-bill' },
    plain: findGuestBill,
  })
  const [account, zip] = [useQueryParam('account'), useQueryParam('zip')]
  const { setValue } = form
  useEffect(() => {
    if (account) setValue('accountNumber', account, { shouldDirty: true })
    if (zip) setValue('zip', zip, { shouldDirty: true })
  }, [account, zip, setValue])
  return (
    <Measure className="py-10 md:py-14">
      <PageHead title={named === null ? <Trans>Guest Utility Payment</Trans> : <Trans>Add another bill</Trans>}>
        {named !== null ? (
          <>
            <Trans>Find the other bill the same way as the first one. Then you can pay them together.</Trans>{' '}
            <Link className="link" to={cartPath(named)}>
              <Trans>Back to your payment</Trans>
            </Link>
          </>
        ) : fact === 'none' ? (
          <Trans>Find your bill with two numbers that are printed on it. No account or password needed.</Trans>
        ) : (
          <Trans>Find your bill with the details printed on it. No account or password needed.</Trans>
        )}
      </PageHead>
      <div className="grid items-start gap-8 lg:grid-cols-[30rem_1fr] lg:gap-12">
        <Card as="div">
          <Form
            form={form}
            onSubmit={async (values) => {
              const { token } = await call(findGuestBill, { ...values, ...cart })
              go(`/guest/payment/${token}`)
            }}
          >
            <PrintedCodeField
              label={t`Account number`}
              hint={t`Enter the number as printed on your bill. Spaces do not matter.`}
              {...form.field('accountNumber')}
            />
            <ZipField hint={t`ZIP code of the service address`} className="max-w-60" {...form.field('zip')} />
            {fact === 'last_name' && (
              <TextField
                label={t`Last name on the bill`}
                hint={t`For a business, enter the business name.`}
                autoComplete="family-name"
                {...form.field('fact')}
              />
            )}
            {fact === 'last_bill' && (
              <PrintedAmountField
                label={t`Amount of your last bill`}
                hint={t`Enter the amount of that bill only, not including any earlier balance.`}
                {...form.field('fact')}
              />
            )}
            {choice}
            <SubmitButton form={form} busyLabel={<Trans>Looking for your bill…</Trans>}>
              <Trans>Find my bill</Trans>
            </SubmitButton>
          </Form>
        </Card>
        <div>
          <h2 className="mb-3 text-h3">
            <Trans>Where do I find my account number?</Trans>
          </h2>
          <BillDrawing />
          <p className="mt-4 max-w-text">
            <Trans>
              Your account number is at the <strong>top right of your bill</strong>, below the word “Account”. The ZIP
              code is in the last line of the service address, on the left below your name.
            </Trans>
          </p>
        </div>
      </div>
    </Measure>
  )
}
