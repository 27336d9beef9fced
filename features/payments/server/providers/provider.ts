/** Port to a payment provider for cards and bank accounts. Another provider needs only an adapter file and a row. */
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
  /** Page on which the payer authenticates, while the status is `requires_action`. */
  actionUrl: string | null
  /** For example "Visa ending 4242" or "Checking account ending 6789". */
  methodLabel: string
  /** NACHA return code of a returned eCheck, such as R01. */
  returnCode: string | null
  /** Company of the charge, as the portal reported it to the provider. */
  companyId: number | null
}

export interface Refund {
  id: string
  intentId: string
  amountCents: number
  status: 'pending' | 'succeeded' | 'failed'
  /** Payment line of the refund, as the portal reported it to the provider. Null if the refund names no line. */
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
 * Kinds of money movement at the provider. `void` cancels a capture before settlement. A dispute debits its amount
 * until it is decided, and `dispute_lost` moves no money. If the payer's bank refuses a refund, the money returns as
 * `refund_failed`.
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

/** One line of the provider's movement list. */
export interface Movement {
  id: string
  movementType: MovementType
  account: string
  intentId: string
  object: 'intent' | 'refund' | 'dispute'
  objectId: string
  /** Change of the provider balance in cents. Negative for money out. */
  amountCents: number
  /** Company of the charge, as the portal reported it to the provider. */
  companyId: number | null
}

export interface NewIntent {
  amountCents: number
  /** Fee share of the amount. */
  feeCents: number
  method: 'card' | 'echeck'
  description: string
  companyId: number
  /** Stored method that will pay the intent. Some providers need its customer in advance. */
  stored?: string
  /** Card reader for the intent. Some providers must know in advance that no card number is typed. */
  reader?: string
  /** Name on the payer's statement. Without it, the provider's default applies. */
  statement?: string
  /** Set if the same payment source pays a second charge without the payer present: the separate fee. */
  again?: true
  /** Earlier charge that the same payment source paid. */
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

/** Consent to charges without the payer present: text, time and device. */
export interface Mandate {
  text: string
  acceptedAt: Date
  address: string
  device: string
}

export interface NewSetup {
  /** Owner of the method. An equal reference is the same customer at the provider. */
  customer: { reference: string; name: string; email: string }
  method: 'card' | 'echeck'
  /** Token from the hosted fields. */
  token: string
  mandate: Mandate
  /** URL to which the bank returns the person. */
  returnUrl: string
}

/** Result of a setup. If the bank must first verify the person, the person opens `actionUrl`. */
export type Setup =
  | { status: 'succeeded'; customer: string; stored: StoredMethod }
  | { status: 'failed'; error: { code: string; message: string } }
  | { status: 'requires_action'; id: string; actionUrl: string }

/** Methods of a provider for stored payment methods: a customer, a setup that a token confirms, and its result. */
export interface StoredVerbs {
  /**
   * Starts a setup. A repeated idempotency key returns the original outcome, so the caller can request a lost response
   * again.
   */
  setup(account: string, wanted: NewSetup, key: string): Promise<Setup>
  /** Loads the status of a setup that waited for the person at their bank. */
  getSetup(account: string, id: string): Promise<Setup>
  /** Lists the stored methods of a customer. */
  list(account: string, customer: string): Promise<StoredMethod[]>
  /** Removes a stored method. A repeated call changes nothing. */
  remove(account: string, id: string, key: string): Promise<void>
}

/** IP address and device from which a payer authorized a bank debit on a page. */
export type Origin = Pick<Mandate, 'address' | 'device'>

/**
 * Payment source of a charge: a token from the hosted fields, a stored method or a card reader. `present` means that
 * the owner can answer a bank challenge. Without the owner (`off_session`), a charge succeeds or fails but never waits
 * for a challenge. A reader is `requires_action` until it reads a card. `sameAs` reuses the source of a charge made
 * with `again`, also without its owner present.
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
  /** Page of a simulated reader. Null for a real one. */
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

/** Methods of a provider for card readers. The intent has the status of a charge at a reader. */
export interface TerminalVerbs {
  /** @throws ProviderRefused if no reader shows this code */
  pair(account: string, reader: NewReader, key: string): Promise<Reader>
  list(account: string): Promise<Reader[]>
  /** Clears the reader's display. If it waits for a charge, the charge is cancelled. */
  clear(account: string, reader: string, key: string): Promise<void>
  /**
   * Removes a reader from the counter.
   * @throws ProviderRefused while it waits for a card
   */
  remove(account: string, reader: string, key: string): Promise<void>
}

/** One payout from the provider to a company's bank: movements minus costs. In integer cents. */
export interface Payout {
  id: string
  account: string
  /** Amount that reaches the bank. */
  amountCents: number
  /** Amount that the provider deducts. */
  feeCents: number
  /** Number of movements in the payout. */
  lines: number
  /** Trace number on the bank statement. */
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
 * Methods of a provider that list payouts and their movements. Both lists are oldest first and start after the given
 * id. Null means from the start.
 */
export interface SettlementVerbs {
  /**
   * True if payouts are listed for one account at a time. Otherwise they are listed for all accounts, and `account` is
   * empty.
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

/** Onboarding status of a company at the provider, which must verify its payees. */
export interface ProviderAccountStatus {
  /**
   * `missing`: the provider needs information. `in_review`: it reviews the submitted information. `on_hold`: it has all
   * information but blocks the company.
   */
  state: 'in_progress' | 'missing' | 'in_review' | 'on_hold' | 'ready'
  takesPayments: boolean
  isPaidOut: boolean
  /** Codes of the information that the provider still needs. */
  missing: readonly string[]
  /** Deadline for the information, after which the provider stops a service. */
  dueAt: Date | null
  /** Reason for a stop, as the provider states it. Empty if nothing is stopped. */
  why: string
}

/**
 * Methods of a provider that collects onboarding information from a company directly. `ensureAccount` opens the
 * account.
 */
export interface OnboardingVerbs {
  /**
   * True if a company must finish onboarding before its first charge. New payments wait until the provider accepts
   * them.
   */
  readonly needsConsent: boolean
  /**
   * Creates a link to the provider's page for a company account. It works once and expires soon. `returnUrl` follows
   * the finished page, and `refreshUrl` replaces an expired link.
   */
  link(account: string, returnUrl: string, refreshUrl: string): Promise<string>
  loadStatus(account: string): Promise<ProviderAccountStatus>
}

/** Test charge at a provider without a real payer: the method, and whether it settles immediately. */
export interface TrialVerbs {
  readonly method: 'card' | 'echeck'
  /** Creates a payment source, as if a payer had used the hosted fields. */
  createSource(account: string): Promise<PaymentSource>
}

/** Evidence of a company against a dispute. */
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

/** Subject of an event. Its content is always fetched from the provider, never read from the event. */
export interface ProviderEvent {
  provider: string
  id: string
  type: string
  account: string
  intentId: string
  /** `account` reports a change of the company's onboarding status. `intentId` is empty then. */
  object: 'intent' | 'refund' | 'dispute' | 'account'
  objectId: string
}

/** Error of a provider that did not respond or sent an unusable response. The outcome is unknown. */
export class ProviderSilent extends Error {}

/** Error of a provider that refused, for a reason that a retry does not change. */
export class ProviderRefused extends Error {}

export interface FieldScript {
  url: string
  key: string
  /** Origins of its scripts. */
  scripts: readonly string[]
  /** Origins of its frames. */
  frames: readonly string[]
  /** Origins of its network calls. */
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
   * Finds or opens the account. With `needsConsent`, the company identifies itself on the provider's page before any
   * charge, even if the provider does not require it.
   */
  ensureAccount(reference: string, name: string, needsConsent?: boolean): Promise<string>
  readonly onboarding?: OnboardingVerbs
  /** Present if the provider can be tried without moving money. */
  readonly trial?: TrialVerbs
  createIntent(account: string, intent: NewIntent, key: string): Promise<Intent>
  /** Confirms the intent. `returnUrl` is the page to which the bank returns the payer. */
  confirmIntent(account: string, id: string, source: PaymentSource, returnUrl: string, key: string): Promise<Intent>
  getIntent(account: string, id: string): Promise<Intent>
  cancelIntent(account: string, id: string, key: string): Promise<Intent>
  /** Loads the card type of a token without using up the token. Present if the provider accepts cards. */
  cardOf?(account: string, token: string): Promise<CardKind>
  readonly stored: StoredVerbs
  /** Present if the provider has card readers. */
  readonly terminal?: TerminalVerbs
  /**
   * Cancels a captured charge in full, before it is settled. `cancelIntent` differs: it abandons an unconfirmed charge
   * and must never reverse one that was paid.
   */
  voidIntent(account: string, id: string, key: string): Promise<Intent>
  /** Refunds this amount of a charge, once for each idempotency key. */
  createRefund(account: string, intentId: string, wanted: NewRefund, key: string): Promise<Refund>
  getRefund(account: string, id: string): Promise<Refund>
  getDispute(account: string, id: string): Promise<Dispute>
  readonly evidence?: EvidenceVerbs
  /**
   * Lists the movements of all accounts, oldest first, after the given id. Null means from the start. `more` is true if
   * another page follows. A movement never appears before one that was already returned. If a provider lists them in
   * another order, its adapter delays the newest movements.
   * @throws ProviderRefused if the provider does not know the id or no longer has it
   */
  listMovements(after: string | null, limit: number): Promise<{ movements: Movement[]; more: boolean }>
  /** Present if the provider collects the money and pays it out later. */
  readonly settlement?: SettlementVerbs
  /** Name of the header with the event signature, in lower case. */
  readonly signatureHeader: string
  /**
   * Reads the subject of an event. Null if the portal does not use this event.
   * @throws ProviderRefused if the signature or its time is wrong
   */
  readEvent(rawBody: string, signature: string | undefined, now: Date): ProviderEvent | null
}
