import type Stripe from 'stripe'

/**
 * Requests that the adapter may send, each with the SDK's parameter type. `expect-valid.ts` generates JSON Schemas from
 * them.
 */
export interface Requests {
  'POST /v1/accounts': Stripe.AccountCreateParams
  'GET /v1/accounts/{account}': Stripe.AccountRetrieveParams
  'POST /v1/account_links': Stripe.AccountLinkCreateParams
  'GET /v1/customers': Stripe.CustomerListParams
  'POST /v1/customers': Stripe.CustomerCreateParams
  'GET /v1/customers/{customer}/payment_methods': Stripe.CustomerListPaymentMethodsParams
  'POST /v1/payment_intents': Stripe.PaymentIntentCreateParams
  'GET /v1/payment_intents/{intent}': Stripe.PaymentIntentRetrieveParams
  'POST /v1/payment_intents/{intent}/confirm': Stripe.PaymentIntentConfirmParams
  'POST /v1/payment_intents/{intent}/cancel': Stripe.PaymentIntentCancelParams
  'POST /v1/setup_intents': Stripe.SetupIntentCreateParams
  'GET /v1/setup_intents/{intent}': Stripe.SetupIntentRetrieveParams
  'GET /v1/payment_methods/{payment_method}': Stripe.PaymentMethodRetrieveParams
  'POST /v1/payment_methods/{payment_method}/detach': Stripe.PaymentMethodDetachParams
  'GET /v1/refunds': Stripe.RefundListParams
  'POST /v1/refunds': Stripe.RefundCreateParams
  'GET /v1/refunds/{refund}': Stripe.RefundRetrieveParams
  'GET /v1/disputes': Stripe.DisputeListParams
  'GET /v1/disputes/{dispute}': Stripe.DisputeRetrieveParams
  'POST /v1/disputes/{dispute}': Stripe.DisputeUpdateParams
  'GET /v1/payouts': Stripe.PayoutListParams
  'GET /v1/balance_transactions': Stripe.BalanceTransactionListParams
  'GET /v1/terminal/locations': Stripe.Terminal.LocationListParams
  'POST /v1/terminal/locations': Stripe.Terminal.LocationCreateParams
  'GET /v1/terminal/readers': Stripe.Terminal.ReaderListParams
  'POST /v1/terminal/readers': Stripe.Terminal.ReaderCreateParams
  'GET /v1/terminal/readers/{reader}': Stripe.Terminal.ReaderRetrieveParams
  'DELETE /v1/terminal/readers/{reader}': Stripe.Terminal.ReaderDeleteParams
  'POST /v1/terminal/readers/{reader}/process_payment_intent': Stripe.Terminal.ReaderProcessPaymentIntentParams
  'POST /v1/terminal/readers/{reader}/cancel_action': Stripe.Terminal.ReaderCancelActionParams
}
