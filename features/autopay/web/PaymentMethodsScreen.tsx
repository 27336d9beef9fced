import { Trans } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { FROM_BANK } from '../../../web/back-from-bank.ts'
import { call, messageOf } from '../../../web/call.ts'
import { setQuery } from '../../../web/go.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { useResponse } from '../../../web/query.ts'
import { useSession } from '../../../web/session.ts'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { LinkButton } from '../../../web/ui/Button.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { Notice, Refusal } from '../../../web/ui/Notice.tsx'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'
import { finishPaymentMethod } from '../../payments/stored-methods.ts'
import { phonePin } from '../../phone-payments/contract.ts'
import { myAutopay, paymentMethods } from '../contract.ts'
import { AutopayPanel } from './AutopayPanel.tsx'
import { reloadBoth } from './stored-methods.ts'
import { MethodsPanel } from './MethodsPanel.tsx'
import { PhonePinPanel } from './PhonePinPanel.tsx'

/** Shows the resident's saved payment methods and the accounts with AutoPay. */
export default function PaymentMethodsScreen() {
  const methods = useResponse(paymentMethods, {})
  const autopay = useResponse(myAutopay, {})
  const phone = useResponse(phonePin, {})
  const mayChange = !useSession()?.impersonating
  const { asking, notice, refusal } = useBankReturn()
  return (
    <Measure className="py-10">
      <PageHead
        title={<Trans>Payment Methods and AutoPay</Trans>}
        actions={
          <LinkButton to="/profile/settings">
            <Trans>Back to settings</Trans>
          </LinkButton>
        }
      />
      <div className="flex flex-col gap-6">
        {!mayChange && (
          <Notice tone="info">
            <Trans>Only the resident can add or remove payment methods and change AutoPay.</Trans>
          </Notice>
        )}
        {notice && <Notice tone="success">{notice}</Notice>}
        <Refusal>{refusal}</Refusal>
        <ResponseView
          // Waits for the outcome of the bank redirect, so that everything appears together and the layout does not
          // shift.
          response={asking ? { ...methods, data: undefined, error: null } : methods}
          rows={3}
          loading={<Trans>Loading your payment methods</Trans>}
          failed={<Trans>Could not load your payment methods</Trans>}
        >
          {(stored) => (
            <>
              <MethodsPanel stored={stored} mayChange={mayChange} />
              <ResponseView
                response={autopay}
                rows={3}
                loading={<Trans>Loading AutoPay</Trans>}
                failed={<Trans>Could not load AutoPay</Trans>}
              >
                {(loaded) => (
                  <>
                    <AutopayPanel loaded={loaded} methods={stored.methods} mayChange={mayChange} />
                    <ResponseView
                      response={phone}
                      rows={1}
                      loading={<Trans>Loading Pay by Phone</Trans>}
                      failed={<Trans>Could not load Pay by Phone</Trans>}
                    >
                      {(pin) => (
                        <>
                          {pin.enabled && <PhonePinPanel of={pin} mayChange={mayChange} />}
                          <p>
                            <Link className="link" to="/payment-arrangements">
                              <Trans>Pay in installments</Trans>
                            </Link>
                          </p>
                        </>
                      )}
                    </ResponseView>
                  </>
                )}
              </ResponseView>
            </>
          )}
        </ResponseView>
      </div>
    </Measure>
  )
}

/** Finishes the setup of a card when the person returns from the bank's confirmation page. */
function useBankReturn() {
  const setup = useQueryParam('setup')
  const [isPending, setIsPending] = useState(setup !== null)
  const [notice, setNotice] = useState('')
  const [refusal, setRefusal] = useState('')
  useEffect(() => {
    if (setup === null) return
    setQuery({ ...FROM_BANK, setup: null })
    call(finishPaymentMethod, { setup })
      .then(async ({ message }) => {
        await reloadBoth()
        setNotice(message)
      })
      .catch((error: unknown) => setRefusal(messageOf(error)))
      .finally(() => setIsPending(false))
  }, [setup])
  return { asking: isPending, notice, refusal }
}
