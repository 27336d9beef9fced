/** Server functions for other features. */
export { findAttemptByKey, startPayment, openPayment } from './server/attempts/start-payment.ts'
export { captureNow } from './server/attempts/capture-now.ts'
export { chargeFee, drive, driveAttempt, findPayment, type Payment } from './server/attempts/drive-attempt.ts'
export { preparePayment } from './server/attempts/prepare-payment.ts'
export { dropAttempt, refreshAttempt } from './server/attempts/refresh-attempt.ts'
export { startAttempt, type StartedPayment } from './server/attempts/start-attempt.ts'
export { companyOf, emailFee, emailReceipt, payerOf, summaryOf } from './server/emails/emails.ts'
export { officeOf } from './server/emails/notify-office.ts'
export { absorbsOn, columnsOf, defaultRules, FIRST_DAY, ruleIn, ruleOf, writeFeeRules } from './server/fee-rules.ts'
export { insertFeeAttempt, moveFee } from './server/attempts/separate-fee.ts'
export { book } from './server/ledger/book.ts'
export { centsIn, type ChargeContext, movedIn, retainedOf } from './server/ledger/charges.ts'
export { BOTH_LEGS, openLedger, post, recountLedger, releaseHeld, transferOf } from './server/ledger/ledger.ts'
export {
  findRefund,
  insertRefund,
  leftOfLines,
  refundableCents,
  lockedRefund,
  lockRefund,
  refundByKey,
  type RefundRow,
  refundsOf,
  refundStateStore,
  refusedByBank,
  saveProviderRef,
} from './server/ledger/refund-rows.ts'
export { agreedBill } from './server/orders/agreed-bill.ts'
export { addToCheckout, cartOf, payableIn, putIntoCart, removeFrom } from './server/orders/cart.ts'
export {
  CHECKOUT_DAYS,
  findCheckout,
  linkTo,
  createCheckoutLink,
  lockCheckout,
  openCheckout,
  orderOfCheckout,
} from './server/orders/checkout.ts'
export { findAndOpen } from './server/orders/find-and-open.ts'
export { feeKindOf, loadOwed } from './server/orders/order-lines.ts'
export {
  alertStaff,
  type Attempt,
  attemptsOfFee,
  describeLines,
  findAttempt,
  findOrder,
  latestAttempt,
  type LockedPayment,
  lockOrder,
  lockPayment,
  movedOf,
  type OrderMovement,
  type PaidOrder,
  paidOrders,
  providerActor,
} from './server/orders/orders.ts'
export { paidFor, retainedMessage, retainedPayments } from './server/orders/paid-for.ts'
export {
  type FindablePayable,
  hasPendingPayment,
  type LinkedPayable,
  type Payable,
  type Settlement,
  settlementsIn,
  pendingPayments,
  allPayables,
  definePayable,
  payableOf,
} from './server/orders/payable.ts'
export { lineOf, statusWithNext } from './server/orders/payment-status.ts'
export {
  automaticPayments,
  defineAutomaticPayments,
  defineArrangementPort,
  arrangementPort,
} from './server/orders/arrangement-port.ts'
export { defineScheduled, scheduledCharge } from './server/orders/arrangement-port.ts'
export { followAccounts } from './server/providers/account-events.ts'
export { tryEventAgain } from './server/providers/event-inbox.ts'
export { fieldsOf, NO_HOSTED_FIELDS } from './server/providers/hosted-fields.ts'
export {
  type CardKind,
  type Intent,
  type Payout,
  type PayoutLine,
  type Provider,
  type ProviderAccountStatus,
  ProviderRefused,
  ProviderSilent,
  type Refund,
  type SettlementVerbs,
  type Setup,
  type TerminalVerbs,
  type TrialVerbs,
} from './server/providers/provider.ts'
export { allProviders, findProvider, providerNamed } from './server/providers/providers.ts'
export {
  isExpired,
  lockStoredMethod,
  type StoredMethodRow,
  storedMethodsOf,
  storedMethodViews,
} from './server/providers/stored-methods.ts'
export { trialPort } from './server/providers/trial-port.ts'
export { isTestCompany, isTestPayment } from './server/providers/test-money.ts'
export { watchCalls } from './server/providers/watched-provider.ts'
export { renderReceipt } from './server/receipts/render-receipt.ts'
export { lineNoOf, noteReceipt } from './server/receipts/print-receipt.ts'
export {
  accountsAt,
  accountWith,
  chooseSecond,
  openAccount,
  openAccountWith,
  openPaymentSettings,
  type PaymentSettings,
  ensureProviderAccount,
  type ProviderRoute,
  secondOf,
  settingsFrom,
  settingsOf,
  startReconciliation,
  settingsForNewPayments,
  ensureProviderRoute,
  unreachable,
  providerColumns,
} from './server/settings.ts'
