/** Port to a payment provider. A new provider needs only an adapter file and rows (see `providers.ts`). */
import type { Brand, Funding } from '../../rules-fees.ts'

export type IntentStatus =
  | 'requires_confirmation'
  | 'requires_action'
  | 'processing'
  | 'succeeded'
  | 'failed'
  | 'canceled'
  | 'returned'

/** State of one charge at the provider, at one moment. Amounts in cents. */
export interface Intent {
  id: string
  status: IntentStatus
  amountCents: number
  refundedCents: number
  error: { code: string; message: string } | null
  /** Page on which the payer authenticates. Set while the status is `requires_action`. */
  actionUrl: string | null
  /** For example "Visa ending 4242" or "Checking account ending 6789". */
  methodLabel: string
  /** NACHA return code of a returned eCheck, such as R01. */
  returnCode: string | null
  /** Company of the charge, from the metadata that the portal sent to the provider. */
  companyId: number | null
}

export interface Refund {
  id: string
  intentId: string
  amountCents: number
  status: 'pending' | 'succeeded' | 'failed'
  /** Order line of the refund, from the metadata sent to the provider. Null if the refund has no line. */
  line: number | null
}

/** Request to refund a charge. */
export type NewRefund = Pick<Refund, 'amountCents' | 'line'> & { reason: string }

export interface Dispute {
  id: string
  intentId: string
  amountCents: number
  status: 'needs_response' | 'under_review' | 'won' | 'lost'
}

/**
 * Types of money movements at the provider. `void` cancels a captured charge before settlement. A dispute debits its
 * amount until it is decided, so `dispute_lost` moves no money. If the payer's bank rejects a refund, the money returns
 * as `refund_failed`.
 */
export type MovementType =
  | 'capture'
  | 'void'
  | 'refund'
  | 'refund_failed'
  | 'return'
  | 'dispute'
  | 'dispute_won'
  | 'dispute_lost'

/** One entry of the provider's list of money movements. */
export interface Movement {
  id: string
  movementType: MovementType
  account: string
  intentId: string
  object: 'intent' | 'refund' | 'dispute'
  objectId: string
  /** Change of the provider balance in cents. Negative for money out. */
  amountCents: number
  /** Company of the charge, from the metadata that the portal sent to the provider. */
  companyId: number | null
}

export interface NewIntent {
  amountCents: number
  /** Fee part of `amountCents`. */
  feeCents: number
  method: 'card' | 'echeck'
  description: string
  companyId: number
  /** Stored method that will pay the intent. Some providers need its customer when they create the intent. */
  stored?: string
  /** Card reader for the intent. Some providers must know before the payment that a reader reads the card. */
  reader?: string
  /** Text on the payer's card or bank statement. Without it, the provider's default applies. */
  statement?: string
  /** Set if the portal will also charge the payment source for the separate fee, without the payer present. */
  again?: true
  /** Id of the earlier charge that the same payment source paid. */
  after?: string
}

/** Card or bank account that the provider stores for a person. The portal knows only its last digits. */
export interface StoredMethod {
  id: string
  method: 'card' | 'echeck'
  /** For example "Visa ending 4242" or "Checking account ending 6789". */
  methodLabel: string
  /** Null for a bank account. */
  expires: { month: number; year: number } | null
  /** Null for a card. */
  bankName: string | null
}

/** Payer's consent to charges without the payer present: text, time, IP address and device. */
export interface Mandate {
  text: string
  acceptedAt: Date
  address: string
  device: string
}

export interface NewSetup {
  /** Owner of the method. A reference always means one customer at the provider. */
  customer: { reference: string; name: string; email: string }
  method: 'card' | 'echeck'
  /** Token from the hosted fields. */
  token: string
  mandate: Mandate
  /** URL to which the bank returns the person. */
  returnUrl: string
}

/** Result of a setup. If the bank must first verify the person, the person must open `actionUrl`. */
export type Setup =
  | { status: 'succeeded'; customer: string; stored: StoredMethod }
  | { status: 'failed'; error: { code: string; message: string } }
  | { status: 'requires_action'; id: string; actionUrl: string }

/** Provider calls for stored payment methods. A setup stores a token's card or bank account for a customer. */
export interface StoredVerbs {
  /**
   * Starts a setup. A call with the same idempotency key returns the same result, so the caller can safely repeat a
   * call after a lost response.
   */
  setup(account: string, wanted: NewSetup, key: string): Promise<Setup>
  /** Loads the status of a setup for which the person had to open `actionUrl`. */
  getSetup(account: string, id: string): Promise<Setup>
  /** Lists the stored methods of a customer. */
  list(account: string, customer: string): Promise<StoredMethod[]>
  /** Removes a stored method. A repeated call changes nothing. */
  remove(account: string, id: string, key: string): Promise<void>
}

/** IP address and device from which a payer authorized a bank debit on a page. */
export type Origin = Pick<Mandate, 'address' | 'device'>

/**
 * Payment source of a charge: a token from the hosted fields, a stored method, a card reader or `sameAs`. With
 * `present`, the owner can complete a bank challenge. Without the owner (`off_session`), a charge succeeds or fails,
 * but never waits for a challenge. A charge at a reader is `requires_action` until the reader reads a card. `sameAs`
 * reuses the source of an earlier charge that had `again`, even without the payer present.
 */
export type PaymentSource =
  | { token: string; from?: Origin }
  | { stored: string; present?: true }
  | { reader: string }
  | { sameAs: string }

/** Card brand and type (credit or debit), as the provider reports them. */
export interface CardKind {
  brand: Brand | null
  funding: Funding | null
}

/** Card reader at the counter. */
export interface Reader {
  id: string
  label: string
  /** URL of the page that simulates the reader. Null for a real reader. */
  testUrl: string | null
}

/** Card reader to register at a counter. */
export interface NewReader {
  /** Registration code that the reader displays. */
  code: string
  label: string
  /** Location of the reader, which some providers require. */
  address: { name: string; street: string; city: string; state: string; zip: string }
}

/** Methods of a provider for card readers. The status of a charge at a reader is the status of its intent. */
export interface TerminalVerbs {
  /** @throws ProviderRefused if no reader shows this code */
  pair(account: string, reader: NewReader, key: string): Promise<Reader>
  list(account: string): Promise<Reader[]>
  /** Clears the reader's display. If the reader waits for a charge, this cancels the charge. */
  clear(account: string, reader: string, key: string): Promise<void>
  /**
   * Removes a reader from the counter.
   * @throws ProviderRefused while the reader waits for a card
   */
  remove(account: string, reader: string, key: string): Promise<void>
}

/** Payout from the provider to a company's bank: movements minus provider costs, in integer cents. */
export interface Payout {
  id: string
  account: string
  /** Amount that reaches the bank. */
  amountCents: number
  /** Amount that the provider deducts. */
  feeCents: number
  /** Number of movements in the payout. */
  lines: number
  /** Trace number of the payout on the bank statement. */
  trace: string
  at: Date
  /** Date of arrival at the bank, as YYYY-MM-DD. */
  arrivesOn: string
}

/** One movement in a payout. */
export interface PayoutLine extends Pick<Movement, 'id' | 'movementType' | 'intentId' | 'objectId' | 'amountCents'> {
  feeCents: number
  at: Date
}

/**
 * Methods of a provider that list payouts and their movements. Both lists start with the oldest entry after the id in
 * `after`, or with the first entry if `after` is null.
 */
export interface SettlementVerbs {
  /**
   * True if the provider lists payouts for one account at a time. Otherwise it lists them for all accounts, and
   * `account` is empty.
   */
  readonly byAccount: boolean
  listPayouts(account: string, after: string | null, limit: number): Promise<{ payouts: Payout[]; more: boolean }>
  listLines(
    account: string,
    payout: string,
    after: string | null,
    limit: number,
  ): Promise<{ lines: PayoutLine[]; more: boolean }>
}

/** Onboarding status of a company at the provider, which must verify each company before payouts. */
export interface ProviderAccountStatus {
  /**
   * `missing`: the provider needs information. `in_review`: the provider reviews the submitted information. `on_hold`:
   * the provider has all information but has stopped payments or payouts.
   */
  state: 'in_progress' | 'missing' | 'in_review' | 'on_hold' | 'ready'
  takesPayments: boolean
  isPaidOut: boolean
  /** Codes of the information that the provider still needs. */
  missing: readonly string[]
  /** Deadline for the missing information. After it, the provider stops payments or payouts. */
  dueAt: Date | null
  /** Reason why the provider stopped payments or payouts, in the provider's words. Empty if it stopped nothing. */
  why: string
}

/**
 * Methods of a provider that collects onboarding information from a company directly. `ensureAccount` opens the
 * account.
 */
export interface OnboardingVerbs {
  /**
   * True if a company must finish onboarding before its first charge. The portal takes no payments until the provider
   * accepts the company.
   */
  readonly needsConsent: boolean
  /**
   * Creates a link to the provider's onboarding page for a company account. The link works once and expires soon. From
   * the finished page the provider goes to `returnUrl`, and from an expired link to `refreshUrl`.
   */
  link(account: string, returnUrl: string, refreshUrl: string): Promise<string>
  loadStatus(account: string): Promise<ProviderAccountStatus>
}

/** Methods for a test charge at a provider, without a real payer. */
export interface TrialVerbs {
  readonly method: 'card' | 'echeck'
  /** Creates a payment source, as if a payer had used the hosted fields. */
  createSource(account: string): Promise<PaymentSource>
}

/** Evidence that a company submits against a dispute. */
export interface Evidence {
  /** Explanation that the company wrote. */
  explanation: string
  /** Receipt text of the payment. Empty if the receipt adds nothing. */
  receipt: string
}

/** Methods of a provider that accepts evidence against a dispute. The payer's bank decides. */
export interface EvidenceVerbs {
  /** @throws ProviderRefused if the deadline has passed */
  submit(account: string, dispute: string, evidence: Evidence, key: string): Promise<Dispute>
}

/** Reference to the object of an event. The portal always fetches the object's data from the provider. */
export interface ProviderEvent {
  provider: string
  id: string
  type: string
  account: string
  intentId: string
  /** `account` means that the company's onboarding status changed. In that case `intentId` is empty. */
  object: 'intent' | 'refund' | 'dispute' | 'account'
  objectId: string
}

/** Error if a provider did not respond or sent an unusable response. The outcome is unknown. */
export class ProviderSilent extends Error {}

/** Error if a provider refused a request for a reason that a retry cannot change. */
export class ProviderRefused extends Error {}

export interface FieldScript {
  url: string
  key: string
  /** Origins of the provider's scripts. */
  scripts: readonly string[]
  /** Origins of the provider's frames. */
  frames: readonly string[]
  /** Origins of the provider's network calls. */
  calls: readonly string[]
}

export interface Provider {
  readonly name: string
  /** Origin of the hosted card and bank fields. */
  readonly fieldsOrigin: string
  readonly test: boolean
  /** Script of a provider that renders its own fields: its URL, the company's public key and allowed origins. */
  readonly script?: FieldScript
  /**
   * Finds or opens the company's account. With `needsConsent`, the company must identify itself on the provider's page
   * before any charge, even if the provider does not require it.
   */
  ensureAccount(reference: string, name: string, needsConsent?: boolean): Promise<string>
  readonly onboarding?: OnboardingVerbs
  /** Present if the portal can test the provider without moving money. */
  readonly trial?: TrialVerbs
  createIntent(account: string, intent: NewIntent, key: string): Promise<Intent>
  /** Confirms the intent. `returnUrl` is the page to which the bank sends the payer back. */
  confirmIntent(account: string, id: string, source: PaymentSource, returnUrl: string, key: string): Promise<Intent>
  getIntent(account: string, id: string): Promise<Intent>
  cancelIntent(account: string, id: string, key: string): Promise<Intent>
  /** Loads the card brand and type of a token. The token remains usable. Present if the provider accepts cards. */
  cardOf?(account: string, token: string): Promise<CardKind>
  readonly stored: StoredVerbs
  /** Present if the provider has card readers. */
  readonly terminal?: TerminalVerbs
  /**
   * Cancels a captured charge in full, before settlement. `cancelIntent` is different: it cancels only an unconfirmed
   * charge and must never reverse a paid charge.
   */
  voidIntent(account: string, id: string, key: string): Promise<Intent>
  /** Refunds this amount of a charge. A call with the same idempotency key does not refund again. */
  createRefund(account: string, intentId: string, wanted: NewRefund, key: string): Promise<Refund>
  getRefund(account: string, id: string): Promise<Refund>
  getDispute(account: string, id: string): Promise<Dispute>
  readonly evidence?: EvidenceVerbs
  /**
   * Lists the movements of all accounts, oldest first, after the id in `after`. Null means from the start. `more` is
   * true if another page follows. A new movement must never appear before one that the list already returned. If a
   * provider lists movements in another order, its adapter holds back the newest ones.
   * @throws ProviderRefused if the provider does not know the id or no longer has it
   */
  listMovements(after: string | null, limit: number): Promise<{ movements: Movement[]; more: boolean }>
  /** Present if the provider collects the money and pays it out later. */
  readonly settlement?: SettlementVerbs
  /** Name of the header with the event signature, in lower case. */
  readonly signatureHeader: string
  /**
   * Verifies an event and returns a reference to its object. Null if the portal does not use this event.
   * @throws ProviderRefused if the signature or its time is wrong
   */
  readEvent(rawBody: string, signature: string | undefined, now: Date): ProviderEvent | null
}
