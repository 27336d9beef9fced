/** The port to a card and bank payment provider. The next provider is an adapter file and a row, nothing else. */
import type { Brand, Funding } from '../rules-fees.ts'

export type IntentStatus =
  | 'requires_confirmation'
  | 'requires_action'
  | 'processing'
  | 'succeeded'
  | 'failed'
  | 'canceled'
  | 'returned'

/** What the provider says of one charge, at one moment. Amounts in cents. */
export interface Intent {
  id: string
  status: IntentStatus
  amountCents: number
  refundedCents: number
  error: { code: string; message: string } | null
  /** Where the payer proves who they are, while `requires_action`. */
  actionUrl: string | null
  /** "Visa ending 4242", "Checking account ending 6789". */
  means: string
  /** NACHA return code of an eCheck that came back, such as R01. */
  returnCode: string | null
  /** The town that the charge was made for, as we told the provider. */
  companyId: number | null
}

export interface Refund {
  id: string
  intentId: string
  amountCents: number
  status: 'pending' | 'succeeded' | 'failed'
  /** The line of the payment that it is of, as we told the provider; null where it names none. */
  line: number | null
}

/** What is to be given back of a charge. */
export type NewRefund = Pick<Refund, 'amountCents' | 'line'> & { reason: string }

export interface Dispute {
  id: string
  intentId: string
  amountCents: number
  status: 'needs_response' | 'under_review' | 'won' | 'lost'
}

/**
 * How money moves at the provider. `void` takes a capture back before it is settled. A dispute takes its amount away until it is decided; `dispute_lost` moves nothing
 * more. A refund that the payer's bank refuses comes back as `refund_failed`.
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

/** One line of the provider's own account of what moved. */
export interface Movement {
  id: string
  way: MovementType
  account: string
  intentId: string
  object: 'intent' | 'refund' | 'dispute'
  objectId: string
  /** What it added to what the provider holds: negative where money went away. */
  amountCents: number
  /** The town that the charge was made for, as we told the provider. */
  companyId: number | null
}

export interface NewIntent {
  amountCents: number
  /** The part of the amount that is a fee. */
  feeCents: number
  method: 'card' | 'echeck'
  description: string
  companyId: number
  /** The stored method that will pay it: some providers have to be told beforehand whose it is. */
  stored?: string
  /** The card reader that it will be handed to: some providers have to be told beforehand that no number is typed. */
  reader?: string
  /** The name under which it stands on the payer's statement; without one the provider's own. */
  statement?: string
  /** What pays it pays one more charge, while its owner is away: that of the fee. */
  again?: true
  /** The charge that was paid before by what will pay this one. */
  after?: string
}

/** A card or bank account that the provider keeps for a person. We know it by its last digits alone. */
export interface StoredMethod {
  id: string
  method: 'card' | 'echeck'
  /** "Visa ending 4242", "Checking account ending 6789". */
  means: string
  /** Of a card. */
  expires: { month: number; year: number } | null
  /** Of a bank account. */
  bankName: string | null
}

/** That somebody agreed to be charged while they are away: what they read, when, and from where. */
export interface Mandate {
  text: string
  acceptedAt: Date
  address: string
  device: string
}

export interface NewSetup {
  /** Whose it is: the same reference is the same customer at the provider. */
  customer: { reference: string; name: string; email: string }
  method: 'card' | 'echeck'
  /** Of the hosted fields. */
  token: string
  mandate: Mandate
  /** Where the person comes back to from their bank. */
  returnUrl: string
}

/** What became of a setup. A bank that wants to see the person first waits for them at `actionUrl`. */
export type Setup =
  | { status: 'succeeded'; customer: string; stored: StoredMethod }
  | { status: 'failed'; error: { code: string; message: string } }
  | { status: 'requires_action'; id: string; actionUrl: string }

/** Methods that are kept for later: a customer, a setup that is confirmed with the token, and what it left behind. */
export interface StoredVerbs {
  /** The same key has the same outcome, so that an answer that was lost can be asked for again. */
  setup(account: string, wanted: NewSetup, key: string): Promise<Setup>
  /** How a setup stands that waited for its person at their bank. */
  getSetup(account: string, id: string): Promise<Setup>
  /** What is kept for a customer now. */
  list(account: string, customer: string): Promise<StoredMethod[]>
  /** Removing it again changes nothing. */
  remove(account: string, id: string, key: string): Promise<void>
}

/** From where somebody agreed on a page that their bank account is debited. */
export type Origin = Pick<Mandate, 'address' | 'device'>

/**
 * By what a charge is paid: a one-time token of the hosted fields, or a method that the provider keeps. `present`: its owner
 * is there and can be asked by their bank. Without them (`off_session`) a charge ends in success or failure, and never in a
 * challenge that nobody could answer. Or a card reader at the counter, which waits for the card: `requires_action` until one was held to it.
 * `sameAs`: what paid that charge, which was made with `again`; its owner is away, likewise.
 */
export type PaymentSource =
  | { token: string; from?: Origin }
  | { stored: string; present?: true }
  | { reader: string }
  | { sameAs: string }

/** What a provider tells of a card: its brand by a name of its own, and whether it is a credit or a debit card. */
export interface CardKind {
  brand: Brand | null
  funding: Funding | null
}

/** A card reader at the counter. */
export interface Reader {
  id: string
  label: string
  /** Of a reader that is played: where. */
  testUrl: string | null
}

/** A reader that is put on a counter. */
export interface NewReader {
  /** What the reader shows. */
  code: string
  label: string
  /** Where it stands: some providers have to know. */
  place: { name: string; street: string; city: string; state: string; zip: string }
}

/** Card readers. What becomes of a charge that one was handed is the intent's own state. */
export interface TerminalVerbs {
  /** @throws ProviderRefused where no reader shows this code */
  pair(account: string, reader: NewReader, key: string): Promise<Reader>
  list(account: string): Promise<Reader[]>
  /** Takes away what a reader shows; a charge that it waits for is cancelled. */
  clear(account: string, reader: string, key: string): Promise<void>
  /** Takes a reader from the counter. @throws ProviderRefused while it waits for a card */
  remove(account: string, reader: string, key: string): Promise<void>
}

/** What the provider sent to a town's bank at once: what moved, less what that cost. Integer cents. */
export interface Payout {
  id: string
  account: string
  /** What reaches the bank. */
  amountCents: number
  /** What the provider kept of it. */
  feeCents: number
  /** How many movements it is made of. */
  lines: number
  /** By which the bank's statement knows it. */
  trace: string
  at: Date
  /** The day on which it reaches the bank, YYYY-MM-DD. */
  arrivesOn: string
}

/** One movement in a payout. */
export interface PayoutLine extends Pick<Movement, 'id' | 'way' | 'intentId' | 'objectId' | 'amountCents'> {
  feeCents: number
  at: Date
}

/** What is paid out, and of what each payout is made; both oldest first, after the one of this id (null: from the beginning). */
export interface SettlementVerbs {
  /** Whether payouts are listed of one account at a time, and else of all together, where `account` is empty. */
  readonly byAccount: boolean
  listPayouts(account: string, after: string | null, limit: number): Promise<{ payouts: Payout[]; more: boolean }>
  listLines(
    account: string,
    payout: string,
    after: string | null,
    limit: number,
  ): Promise<{ lines: PayoutLine[]; more: boolean }>
}

/** How far a town is with the provider, which has to know who it pays. */
export interface ProviderAccountStatus {
  /**
   * `missing`: the provider asks for something. `in_review`: it looks at what it was told. `on_hold`: it has all that it asked
   * for, and does not let the town go on.
   */
  state: 'in_progress' | 'missing' | 'in_review' | 'on_hold' | 'ready'
  takesPayments: boolean
  isPaidOut: boolean
  /** What it still wants to know, by its own codes. */
  missing: readonly string[]
  /** Until when it wants that, before it stops something. */
  dueAt: Date | null
  /** Why it stopped something, in its own words; empty where it did not. */
  why: string
}

/** Of a provider that asks a town itself for what it has to know. `ensureAccount` opens the account. */
export interface OnboardingVerbs {
  /** Nothing can be charged for a town before it was asked: new payments wait until the provider says that it takes them. */
  readonly asksFirst: boolean
  /**
   * The provider's page for a town's account, which works once and not for long. `returnUrl`: where one comes back to;
   * `refreshUrl`: where one is sent whose page is over.
   */
  link(account: string, returnUrl: string, refreshUrl: string): Promise<string>
  standing(account: string): Promise<ProviderAccountStatus>
}

/** How a provider is tried without a payment of anybody: what is charged, and whether that is final at once. */
export interface TrialVerbs {
  readonly method: 'card' | 'echeck'
  /** By what it is charged, as whoever pays would have typed it into the hosted fields. */
  means(account: string): Promise<PaymentSource>
}

/** What a town has to say against a dispute. */
export interface Evidence {
  /** In the town's own words. */
  explanation: string
  /** What was paid, as the receipt says it; empty where there is nothing to add. */
  receipt: string
}

/** Of a provider that takes what a town has to say against a dispute, and lets the payer's bank decide. */
export interface EvidenceVerbs {
  /** @throws ProviderRefused where it is too late */
  submit(account: string, dispute: string, evidence: Evidence, key: string): Promise<Dispute>
}

/** What an event is about; its content is fetched again, never taken from the event. */
export interface ProviderEvent {
  /** The name of the provider that it is of. */
  provider: string
  id: string
  type: string
  account: string
  intentId: string
  /** `account`: of how the town stands with the provider; `intentId` is empty then. */
  object: 'intent' | 'refund' | 'dispute' | 'account'
  objectId: string
}

/** The provider did not answer, or answered nonsense: whether it did the work is unknown. */
export class ProviderSilent extends Error {}

/** The provider said no, for a reason that trying again does not change. */
export class ProviderRefused extends Error {}

export interface FieldScript {
  url: string
  key: string
  /** Origins of its scripts. */
  scripts: readonly string[]
  /** Origins of its frames. */
  frames: readonly string[]
  /** Origins that it calls. */
  calls: readonly string[]
}

export interface Provider {
  readonly name: string
  /** Where the hosted card and bank fields come from. */
  readonly fieldsOrigin: string
  readonly test: boolean
  /** Of a provider whose fields are made by a script of its own: its address, the town's public key to it, and what it loads. */
  readonly script?: FieldScript
  /** `asksFirst`: the town says on the provider's page who it is before anything is charged, also where the provider would not ask. */
  ensureAccount(reference: string, name: string, asksFirst?: boolean): Promise<string>
  readonly onboarding?: OnboardingVerbs
  /** Of a provider that can be tried while no money moves. */
  readonly trial?: TrialVerbs
  createIntent(account: string, intent: NewIntent, key: string): Promise<Intent>
  /** `returnUrl`: where the payer comes back to from their bank. */
  confirmIntent(account: string, id: string, means: PaymentSource, returnUrl: string, key: string): Promise<Intent>
  getIntent(account: string, id: string): Promise<Intent>
  cancelIntent(account: string, id: string, key: string): Promise<Intent>
  /** What the card is that a token stands for, which is not used up by that. Of a provider that takes cards. */
  cardOf?(account: string, token: string): Promise<CardKind>
  readonly stored: StoredVerbs
  /** Of a provider that has card readers. */
  readonly terminal?: TerminalVerbs
  /**
   * Cancels a charge that was captured, all of it, until it is settled. Another verb than `cancelIntent`, which gives up what
   * nobody answered for and must never take back what turns out to be paid.
   */
  voidIntent(account: string, id: string, key: string): Promise<Intent>
  /** Gives so much of a charge back, once for a key. */
  createRefund(account: string, intentId: string, wanted: NewRefund, key: string): Promise<Refund>
  getRefund(account: string, id: string): Promise<Refund>
  getDispute(account: string, id: string): Promise<Dispute>
  readonly evidence?: EvidenceVerbs
  /**
   * What moved over all accounts, oldest first, after the movement of this id (null: from the beginning); `more` where
   * the page is not the last. A movement never appears before one that was answered already: an adapter whose provider
   * lists them otherwise holds the newest back for as long as that takes.
   * @throws ProviderRefused where the provider does not know that id (any more)
   */
  listMovements(after: string | null, limit: number): Promise<{ movements: Movement[]; more: boolean }>
  /** Of a provider that collects the money first and pays it out. */
  readonly settlement?: SettlementVerbs
  /** The header in which its events are signed, in small letters. */
  readonly signatureHeader: string
  /** What an event is about; null where that is nothing that we keep. Throws where the signature or its time is wrong. */
  readEvent(rawBody: string, signature: string | undefined, now: Date): ProviderEvent | null
}
