import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Random, randomFrom } from '../database/random.ts'
import { mapleGrove } from '../database/towns/maple-grove.ts'
import { provideInstead } from '../features/payments/server/providers/providers.ts'
import { PLATFORM } from '../server/audit.ts'
import { conflict, Refusal } from '../server/errors.ts'
import type { Company } from '../server/hosts.ts'
import { type AnyStateStore, stateStores, transition, type Scope, type TransitionActor } from '../server/states.ts'
import type { CompanyId, Tx } from '../server/tenancy.ts'
import {
  buttonsFrom,
  declaredMachines,
  edgesOf,
  eventsFrom,
  type StateMachine,
  type EdgeActor,
  type StateName,
  type StateEdge,
  targetsOf,
} from '../shared/machine.ts'
import { privilegeNames } from '../shared/privileges.ts'
import { type ApiResponse, testPortal } from './harness.ts'
import { sampleOf } from './layers.ts'
import { seed } from './seed.ts'
import { ProviderModel } from './provider-model.ts'
import { addTestPlatformStaff, openTestCompany } from './company.ts'

/** Rules for every declared state machine: its edge table, transitions, history and buttons. */

const MAPLE = 'maplegrove.localhost'
const ADMIN = 'admin.localhost'
const STEPS = process.env['NIGHTLY'] ? 400 : 20
const portal = await testPortal()
let company: CompanyId
let companyRecord: Company

/** Effects that ran, each as machine, event and the name of its declaration. */
const effectsRun: string[] = []

/** Lists the effects that a state store declares for an event, in the order in which they run. */
const effectsOf = ({ machine, effects }: AnyStateStore, event: string): string[] =>
  ['every', event].filter((name) => effects?.[name]).map((name) => `${machine.name} ${event} ${name}`)

/** Records each run of a declared effect. */
function recordEffects(store: AnyStateStore): void {
  for (const [name, effect] of Object.entries(store.effects ?? {})) {
    if (!effect) continue
    const recorded: typeof effect = (tx, step, deps) => {
      effectsRun.push(`${store.machine.name} ${step.event} ${name}`)
      return effect(tx, step, deps)
    }
    store.effects = { ...store.effects, [name]: recorded }
  }
}

beforeAll(async () => {
  for (const store of stateStores.values()) recordEffects(store)
  company = await openTestCompany(portal, mapleGrove)
  companyRecord = (await portal.context.hosts.byId(company)) as Company
})

const insert = async (text: string, values: unknown[] = []): Promise<number> =>
  (await portal.owner.query(`${text} RETURNING id`, values)).rows[0].id

const addRequest = async (): Promise<number> =>
  Number(
    await insert(
      `INSERT INTO support_request (company_id, created_at, updated_at, category, name, email, phone, account_number, address,
         city, state, zipcode, message)
       VALUES ($1, now(), now(), 'site', 'Ann Reese', 'ann@example.org', '', '', '', '', '', '', 'The page stays white.')`,
      [company],
    ),
  )

/** Adds a form with a published version of its fields. */
const addForm = async (): Promise<number> =>
  Number(
    await insert(
      `WITH fields AS (INSERT INTO field_set (company_id, kind, name, draft, latest_version, created_at, updated_at)
         VALUES ($1, 'form', 'Fence', '{"steps": []}', 1, now(), now()) RETURNING company_id, id),
       version AS (INSERT INTO field_set_version (company_id, field_set_id, version, definition, published_at, published_by)
         SELECT company_id, id, 1, '{"steps": []}', now(), 'Mainstreet' FROM fields)
       INSERT INTO form_type (company_id, title, slug, category, description, seen_by, fee_kind, field_set_id, created_at, changed_at)
       SELECT company_id, 'Fence', $2, 'permits', '', 'residents', 'none', id, now(), now() FROM fields`,
      [company, `fence-${++made}`],
    ),
  )

const addAlert = async (status = 'draft'): Promise<number> =>
  Number(
    await insert(
      `WITH service AS (INSERT INTO alert_service (company_id, type, name) VALUES ($1, 1, 'Alerts ' || $2::int) RETURNING company_id, id)
       INSERT INTO alert (company_id, service_id, status, event, category, urgency, severity, certainty, content, area, expires_at,
         created_at, edited_at)
       SELECT company_id, id, $3, 'Flood', 'Met', 'Immediate', 'Severe', 'Observed',
         '{"en": {"headline": "Flood", "description": "", "instruction": ""}}', '{"kind": "everyone"}', now(), now(), now() FROM service`,
      [company, ++made, status],
    ),
  )

/** Adds an alert received from another office. It only reports that an earlier alert has ended. */
const addReceived = async (): Promise<number> =>
  Number(
    await insert(
      `WITH service AS (INSERT INTO alert_service (company_id, type, name) VALUES ($1, 1, 'Sources ' || $2::int) RETURNING company_id, id),
       source AS (INSERT INTO alert_source (company_id, name, url, min_severity, service_id)
         SELECT company_id, 'Weather', 'https://weather.example', 'Minor', id FROM service RETURNING company_id, id)
       INSERT INTO alert_received (company_id, source_id, sender, identifier, message, headline, msg_type, severity, status, sent_at, received_at)
       SELECT company_id, id, 'weather', 'N-' || $2::int, '{"infos": [], "references": [], "sender": "weather", "note": ""}', 'It is over', 'Cancel',
         'Minor', 'waiting', now(), $3 FROM source`,
      [company, ++made, portal.clock.now()],
    ),
  )

const addFaq = async (): Promise<number> =>
  Number(
    await insert(
      `WITH category AS (INSERT INTO faq_category (company_id, name, position) VALUES ($1, 'Pets ' || $2::int, 0) RETURNING company_id, id)
       INSERT INTO faq (company_id, category_id, question, answer, answer_text, position)
       SELECT company_id, id, 'May I keep chickens?', '{"type": "doc", "content": []}', 'Four hens.', 0 FROM category`,
      [company, ++made],
    ),
  )

const addSubmission = async (status = 10): Promise<number> =>
  Number(
    await insert(
      `INSERT INTO form_submission (company_id, id, type_id, title, field_set_id, version, name, status, created_at, updated_at)
       SELECT company_id, 20260000000 + $3::int, id, title, field_set_id, 1, 'Ann Reese', $4, now(), now()
       FROM form_type WHERE company_id = $1 AND id = $2`,
      [company, await addForm(), ++made, status],
    ),
  )

const addServiceRequest = async (): Promise<number> => {
  await portal.owner.query(
    `INSERT INTO request_category (company_id, name, target_days) VALUES ($1, 'Pothole', 5) ON CONFLICT DO NOTHING`,
    [company],
  )
  return Number(
    await insert(
      `INSERT INTO service_request (company_id, id, created_at, updated_at, category_id, title, description, name, email, due_at)
       SELECT company_id, 20260000000 + $2::int, now(), now(), id, name, 'A deep hole.', 'Ann Reese', 'ann@example.org', now()
       FROM request_category WHERE company_id = $1`,
      [company, ++made],
    ),
  )
}

const addMove = async (): Promise<number> =>
  Number(
    await insert(
      `INSERT INTO move_request (company_id, kind, created_at, updated_at, name, email, enters_premise, enters_on)
       VALUES ($1, 1, now(), now(), 'Ann Reese', 'ann@example.org', '4 Oak Street ' || $2::int, '2026-12-01')`,
      [company, ++made],
    ),
  )

/**
 * Adds a reservation. A requested one starts soon, so that the renter can check in. A confirmed one has started, so
 * that staff can record a no-show. For a waitlisted one, the requested time is available.
 */
const addReservation = async (status = 'requested'): Promise<number> =>
  Number(
    await insert(
      `WITH resource AS (INSERT INTO rental_resource (company_id, name, kind, status, seasons, closed_on_holidays, gl_account, created_at)
         VALUES ($1, 'Pavilion', 'pavilion', 'open',
           '[{"from": "01-01", "until": "12-31", "days": [1, 2, 3, 4, 5, 6, 7], "opens": "00:00", "closes": "24:00", "percent": 100}]',
           false, '400', now()) RETURNING company_id, id),
       space AS (INSERT INTO rental_space (company_id, resource_id) SELECT company_id, id FROM resource RETURNING company_id, resource_id, id)
       INSERT INTO rental_reservation (company_id, resource_id, space_id, title, starts_at, ends_at, status, name, price_cents, created_at, updated_at)
       SELECT company_id, resource_id, id, 'Pavilion', at, at + interval '2 hours', $2, 'Ann Reese', 100, now(), now()
       FROM space, (SELECT $3::timestamptz + CASE $2 WHEN 'confirmed' THEN interval '-1 hour' WHEN 'waitlisted' THEN interval '9 days' ELSE interval '90 minutes' END AS at) AS x`,
      [company, status, portal.clock.now()],
    ),
  )

/** Adds a certificate of insurance for a reservation. */
const addCertificate = async (): Promise<number> =>
  Number(
    await insert(
      `INSERT INTO rental_certificate (company_id, reservation_id, valid_through, status, created_at)
       VALUES ($1, $2, '2027-12-31', 'sent', now())`,
      [company, await addReservation()],
    ),
  )

const reservationOf = async (certificate: number) => {
  const { rows } = await portal.owner.query(
    `SELECT reservation.* FROM rental_reservation reservation JOIN rental_certificate certificate
       ON certificate.company_id = reservation.company_id AND certificate.reservation_id = reservation.id
     WHERE certificate.company_id = $1 AND certificate.id = $2`,
    [company, certificate],
  )
  return rows[0]
}

/** Adds the company's Stripe onboarding. Only one can exist, so a new one replaces the previous one. */
const addOnboarding = async (): Promise<number> => {
  await portal.owner.query('DELETE FROM onboarding_document WHERE company_id = $1', [company])
  await portal.owner.query('DELETE FROM provider_onboarding WHERE company_id = $1', [company])
  return Number(
    await insert(
      `INSERT INTO provider_onboarding (company_id, provider, created_at, status_at, next_check_at) VALUES ($1, 'stripe', now(), now(), now())`,
      [company],
    ),
  )
}

const addOnboardingDocument = async (): Promise<number> => {
  const id = Number(
    await insert(
      `INSERT INTO onboarding_document (company_id, onboarding_id, kind, status, created_at) VALUES ($1, $2, 'tax_form', 'sent', now())`,
      [company, await addOnboarding()],
    ),
  )
  await portal.owner.query(
    `INSERT INTO attachment (company_id, kind, subject_kind, subject_id, nth, state, name, content_type, bytes, sha256, path, created_at, created_by_kind)
     VALUES ($1, 'onboarding_document', 'onboarding_document', $2, 1, 'clean', 'a.pdf', 'application/pdf', 1, '\\x00', 'a', now(), 'municipality')`,
    [company, id],
  )
  return id
}

/** Adds an allocation round that has not ended, because staff cannot open a past round. */
const addRound = async (status = 'draft'): Promise<number> =>
  Number(
    await insert(
      `INSERT INTO rental_round (company_id, name, status, season_from, season_until, opens_at, closes_at, max_choices, max_hours, audience,
         pay_days, seed_sealed, seed_hash, created_at)
       VALUES ($1, 'Spring ' || $2::int, $3, '2037-05-01', '2037-06-30', now(), '2037-03-01', 3, 6, 'everybody', 14,
         CASE $3 WHEN 'draft' THEN NULL ELSE 'sealed' END, CASE $3 WHEN 'draft' THEN '' ELSE 'hash' END, now())`,
      [company, ++made, status],
    ),
  )

const addApplication = async (): Promise<number> =>
  Number(
    await insert(
      `INSERT INTO rental_application (company_id, round_id, person_id, status, name, agreed_at, created_at, updated_at)
       SELECT $1, $2, id, 'submitted', 'Naomi Whitaker', now(), now(), now() FROM person
       WHERE company_id = $1 AND email = 'resident@maplegrove.example'`,
      [company, await addRound('open')],
    ),
  )

const applicationWithRound = async (application: number) => {
  const { rows } = await portal.owner.query(
    `SELECT to_jsonb(application) AS row, to_jsonb(round) AS round
     FROM rental_application application JOIN rental_round round
       ON round.company_id = application.company_id AND round.id = application.round_id
     WHERE application.company_id = $1 AND application.id = $2`,
    [company, application],
  )
  return rows[0]
}

/** Adds AutoPay with a saved card for a new account of the resident. */
const addAutopay = async (): Promise<number> => {
  const account = await insert(
    `INSERT INTO utility_account (company_id, account_number, customer_name, service_address, city, state, zipcode)
     SELECT $1, 'A' || nextval('person_number'), 'Naomi Whitaker', '38 Linden Avenue', 'Maple Grove', 'PA', '17011'`,
    [company],
  )
  await portal.owner.query(
    `INSERT INTO linked_account (company_id, person_id, account_id, linked_at)
     SELECT company_id, id, $1, now() FROM person WHERE email = 'resident@maplegrove.example'`,
    [account],
  )
  const card = await insert(
    `INSERT INTO stored_method (company_id, person_id, method, provider, provider_customer, provider_method, method_label, mandate_text,
       mandate_at, mandate_address, mandate_device, created_at)
     SELECT company_id, id, 1, 'sandbox', '', 'pm_card_visa:' || $1::text, 'Visa ending 4242', 'I agree.', now(), '', '', now()
     FROM person WHERE email = 'resident@maplegrove.example'`,
    [account],
  )
  return Number(
    await insert(
      `INSERT INTO autopay (company_id, person_id, kind, payable_id, reference, method_id, state, timing, days_before,
         day_of_month, enrolled_at, search_text)
       SELECT company_id, person_id, 'utility', $1, 'A', id, 'active', 'due', 0, 0, now(), '' FROM stored_method WHERE id = $2`,
      [account, card],
    ),
  )
}

/** Adds a utility account with an offer to share its history. */
const addShare = async (): Promise<number> =>
  Number(
    await insert(
      `WITH account AS (INSERT INTO utility_account (company_id, account_number, customer_name, service_address, city, state, zipcode)
         SELECT $1, 'S' || nextval('person_number'), 'Naomi Whitaker', '38 Linden Avenue', 'Maple Grove', 'PA', '17011' RETURNING id)
       INSERT INTO account_share (company_id, account_id, kind, with_amounts, until_day, offered_by, to_email, code_hash, state,
         offered_at, expires_at, accepted_by, accepted_at)
       SELECT $1, account.id, 'history', false, now(), p.id, '', sha256(account.id::text::bytea), 'offered', now(), now(), p.id, now()
       FROM account, person p WHERE p.company_id = $1 AND p.email = 'resident@maplegrove.example'`,
      [company],
    ),
  )

/** Adds a proposed payment arrangement, for a resident's account with the same amount due. */
async function addArrangement(): Promise<number> {
  const number = `P-${++made}`
  const account = await insert(
    `INSERT INTO utility_account (company_id, account_number, customer_name, service_address, city, state, zipcode)
     VALUES ($1, $2, 'Ann Reese', '1 Elm Street', 'Maple Grove', 'PA', '17011')`,
    [company, number],
  )
  await portal.owner.query(
    `INSERT INTO utility_bill (company_id, account_id, bill_number, bill_date, due_date, period_start, period_end, lines, amount_cents)
     VALUES ($1, $2, $3, now(), now(), now(), now(), '[]', 10000)`,
    [company, account, number],
  )
  await portal.owner.query(
    `INSERT INTO linked_account (company_id, person_id, account_id, linked_at)
     SELECT company_id, id, $1, now() FROM person WHERE email = 'resident@maplegrove.example'`,
    [account],
  )
  return Number(
    await insert(
      `INSERT INTO arrangement (company_id, kind, payable_id, reference, payer_name, state, total_cents, installments, grace_days,
         made_by, made_at, last_due)
       VALUES ($1, 'utility', $2, $3, 'Ann Reese', 'proposed', 10000, 2, 5, 'Ann Lee', now(), now())`,
      [company, account, number],
    ),
  )
}

/** Adds the registration of a resident's rental property, which awaits review. */
const addRegistration = async (): Promise<number> =>
  Number(
    await insert(
      `WITH fields AS (INSERT INTO field_set (company_id, kind, name, draft, latest_version, created_at, updated_at)
         VALUES ($1, 'registration', 'Rental', '{"steps":[]}', 1, now(), now()) RETURNING id),
       version AS (INSERT INTO field_set_version (company_id, field_set_id, version, definition, published_at, published_by)
         SELECT $1, id, 1, '{"steps":[]}', now(), 'Ann Lee' FROM fields RETURNING field_set_id)
       INSERT INTO registration (company_id, kind, status, person_id, name, owner_name, location, field_set_id, version, answers_sealed,
         for_responders, made_at, changed_at)
       SELECT $1, 3, 'pending', p.id, 'Mill House', 'Naomi Whitaker', '7 Mill Lane', v.field_set_id, 1, $2, false, now(), now()
       FROM version v, person p WHERE p.company_id = $1 AND p.email = 'resident@maplegrove.example'`,
      [company, portal.context.secrets.seal('{}')],
    ),
  )

/** Adds a lockbox payment that awaits review by staff. */
const addBankPayment = async (): Promise<number> =>
  Number(
    await insert(
      `INSERT INTO lockbox_payment (company_id, trace, file_name, received_at, paid_on, account, payer_name, amount_cents, state, search_text)
       VALUES ($1, $2, 'bank.csv', now(), now(), '1', 'Ann Reese', 100, 'waiting', '')`,
      [company, `T-${++made}`],
    ),
  )

const addException = async (status: 'open' | 'resolved'): Promise<number> =>
  Number(
    await insert(
      `INSERT INTO recon_exception (company_id, kind, subject, about, on_day, amount_cents, status, opened_at, ended_at, search_text)
       VALUES ($1, 'deposit_missing', $2, 'Payout', now(), -100, $3, now(), CASE $3 WHEN 'open' THEN NULL ELSE now() END, '')`,
      [company, `payout ${++made}`, status],
    ),
  )

const addTicket = async (citation: string): Promise<number> => {
  await portal.owner.query(
    `INSERT INTO parking_violation (company_id, code, description, amount_cents) VALUES ($1, '10', 'Expired meter', 2500)
     ON CONFLICT DO NOTHING`,
    [company],
  )
  return Number(
    await insert(
      `INSERT INTO parking_ticket (company_id, citation_number, plate, plate_state, violation_id, violation_code, violation_text, issued_at,
         status, fine_cents, due_on, counted_from, contest_until)
       SELECT company_id, $2, 'KLM4821', 'PA', id, code, description, now(), 'open', amount_cents, now(), now(), now()
       FROM parking_violation WHERE company_id = $1`,
      [company, citation],
    ),
  )
}

let made = 0
const addWorkOrder = async (): Promise<number> => {
  made += 1
  return Number(
    await insert(
      `INSERT INTO work_order (company_id, number, title, kind, status, severity, created_at)
       VALUES ($1, $2, 'Fill the pothole', 'repair', 0, 1, now())`,
      [company, `WO-2025-${String(made).padStart(6, '0')}`],
    ),
  )
}
const addHydrant = async (): Promise<number> =>
  Number(
    await insert(
      `INSERT INTO hydrant (company_id, number, service, service_since) VALUES ($1, $2, 'in_service', now())`,
      [company, `H-${++made}`],
    ),
  )

/** Adds a scheduled inspection of a location, with a checklist item in each of these states. */
async function addInspection(items: string[]): Promise<number> {
  const [number, name] = [`I-2026-${String(++made).padStart(6, '0')}`, `Playground ${made}`]
  const step = { id: 'swings', title: 'Swings', intro: '', showWhen: null, fields: [] }
  const id = await insert(
    `WITH fields AS (INSERT INTO field_set (company_id, kind, name, draft, latest_version, created_at, updated_at)
       VALUES ($1, 'inspection', $2, $4, 1, now(), now()) RETURNING id),
     version AS (INSERT INTO field_set_version (company_id, field_set_id, version, definition, published_at, published_by)
       SELECT $1, id, 1, $4, now(), 'Ann Lee' FROM fields),
     template AS (INSERT INTO inspection_template (company_id, name, subject_kind, field_set_id)
       SELECT $1, $2, 'location', id FROM fields RETURNING id, field_set_id)
     INSERT INTO inspection (company_id, number, template_id, field_set_id, version, title, subject_kind, subject_name, status, due_on, created_at)
     SELECT $1, $3, id, field_set_id, 1, $2, 'location', 'Mill Park', 'scheduled', now(), now() FROM template`,
    [company, name, number, JSON.stringify({ steps: [step] })],
  )
  await portal.owner.query(
    `INSERT INTO inspection_item (company_id, inspection_id, no, step, title, status)
     SELECT $1, $2, no, 'swings', 'Swings', status FROM unnest($3::text[]) WITH ORDINALITY AS item(status, no)`,
    [company, id, items],
  )
  return Number(id)
}

const itemOf = async (inspection: number): Promise<number> =>
  (await portal.owner.query('SELECT id::int FROM inspection_item WHERE inspection_id = $1', [inspection])).rows[0].id

const addPaymentType = async (): Promise<number> =>
  Number(
    await insert(
      `WITH fields AS (INSERT INTO field_set (company_id, kind, name, draft, created_at, updated_at)
         VALUES ($1, 'general_payment', 'Fee', '{"steps": []}', now(), now()) RETURNING id)
       INSERT INTO payment_type (company_id, title, slug, link_code, category, description, gl_account, seen_by, amount_kind,
         amount_cents, field_set_id, created_at, changed_at)
       SELECT $1, 'Fee', $2, 'abc', 'other', '', '301', 'everyone', 'fixed', 2500, id, now(), now() FROM fields`,
      [company, `fee-${++made}`],
    ),
  )

const addRefund = async (): Promise<number> =>
  Number(
    await insert(
      `WITH paid AS (INSERT INTO payment_order (company_id, status, reference, type, payer_name, payer_email, location, method,
           pay_type, bill_cents, fee_cents, total_cents, fee_quote, created_at, search_text)
         VALUES ($1, 1, '100001', 'Utility', 'Ann Reese', 'ann@example.org', 4, 1, 1, 10000, 305, 10305, '{}', now(), '') RETURNING id),
       line AS (INSERT INTO payment_order_line (company_id, order_id, line_no, kind, payable_id, amount_cents, fee_cents,
           absorbed_fee_cents, gl_account, fee_program, title, details)
         SELECT $1, id, 1, 'utility', 1, 10000, 305, 0, 'UTILITIES', 'convenience', 'Utility bill payment', '[]' FROM paid),
       tried AS (INSERT INTO payment_attempt (company_id, order_id, attempt_no, idempotency_key, status, step, provider, provider_account,
           intent_id, created_at, checked_at)
         SELECT $1, id, 1, 'paid-' || id, 1, 'succeeded', 'sandbox', 'acct', 'pi_' || id, now(), now() FROM paid RETURNING id, order_id)
       INSERT INTO payment_refund (company_id, order_id, attempt_id, kind, amount_cents, reason, status, requested_by, requested_by_name, requested_at,
         idempotency_key)
       SELECT $1, order_id, id, 'refund', 100, 'Paid twice', 'waiting', 0, 'Una Second', now(), 'refund-' || id FROM tried`,
      [company],
    ),
  )

/** Adds a separate fee for a paid bill. */
const addFee = async (status = 'waiting'): Promise<number> =>
  Number(
    await insert(
      `WITH paid AS (INSERT INTO payment_order (company_id, status, reference, type, payer_name, payer_email, location, method,
           pay_type, bill_cents, fee_cents, total_cents, fee_quote, created_at, search_text)
         VALUES ($1, 1, '100001', 'Utility', 'Ann Reese', '', 4, 1, 1, 10000, 305, 10305, '{}', $3, '') RETURNING id),
       line AS (INSERT INTO payment_order_line (company_id, order_id, line_no, kind, payable_id, amount_cents, fee_cents,
           absorbed_fee_cents, gl_account, fee_program, fee_mode, title, details)
         SELECT $1, id, 1, 'utility', 1, 10000, 305, 0, 'UTILITIES', 'service', 'two_transactions', 'Utility bill payment', '[]' FROM paid),
       tried AS (INSERT INTO payment_attempt (company_id, order_id, attempt_no, idempotency_key, status, step, provider, provider_account,
           intent_id, created_at, checked_at)
         SELECT $1, id, 1, 'paid-' || id, 1, 'succeeded', 'stripe', 'acct', 'pi_' || id, now(), now() FROM paid)
       INSERT INTO payment_fee (company_id, id, status, amount_cents, since) SELECT $1, id, $2, 305, now() FROM paid`,
      [company, status, portal.clock.now()],
    ),
  )

/** Adds a deferred payment. The payer asked for a payment link during an outage. */
const addDeferredPayment = async (): Promise<number> =>
  Number(
    await insert(
      `WITH out AS (INSERT INTO payment_outage (company_id, provider, since, noticed_at, until) VALUES ($1, 'sandbox', now(), now(), now())
         RETURNING company_id, id)
       INSERT INTO deferred_payment (company_id, outage_id, status, action, made_at, reference, payer_name, email, bill_cents, total_cents)
       SELECT company_id, id, 'waiting', 'remind', now(), '100001', 'Ann Reese', 'ann@example.org', 100, 100 FROM out`,
      [company],
    ),
  )

interface EntityRow {
  of: string
  where: string
  make: () => Promise<Pick<TestedEntity, 'scope' | 'id' | 'deps'>>
  patch?: object
}

/** A new entity for each state machine and scope. If you add a machine, add an entity. */
const entities: EntityRow[] = [
  {
    of: 'form',
    where: 'the library',
    make: async () => ({
      scope: PLATFORM,
      id: await insert(
        `INSERT INTO form_template (title, category, created_at, changed_at) VALUES ('Dog license', 'Permits', now(), now())`,
      ),
    }),
  },
  {
    of: 'account',
    where: 'a town',
    patch: { passwordHash: 'set' },
    make: async () => ({
      scope: company,
      id: await insert(
        `INSERT INTO person (company_id, email, role_id, first_name, last_name) VALUES ($1, $2, 3, 'Ann', 'Reese')`,
        [company, `ann.${++made}@maplegrove.example`],
      ),
    }),
  },
  {
    of: 'account',
    where: 'the platform',
    patch: { passwordHash: 'set' },
    make: async () => ({
      scope: PLATFORM,
      id: await insert(
        `INSERT INTO platform_person (email, role_id, first_name, last_name) VALUES ($1, 907, 'Ann', 'Reese')`,
        [`ann.${++made}@mainstreet.example`],
      ),
    }),
  },
  {
    of: 'department',
    where: 'a town',
    make: async () => ({
      scope: company,
      id: await insert('INSERT INTO department (company_id, name) VALUES ($1, $2)', [company, `Streets ${++made}`]),
    }),
  },
  {
    of: 'department',
    where: 'the platform',
    make: async () => ({
      scope: PLATFORM,
      id: await insert('INSERT INTO platform_department (name) VALUES ($1)', [`Desk ${++made}`]),
    }),
  },
  {
    of: 'scheduled_item',
    where: 'a town',
    make: async () => ({
      scope: company,
      id: await insert(
        `INSERT INTO scheduled_item (company_id, event_type_id, title, starts_at, ends_at) VALUES ($1, 1, 'Bill run', now(), now())`,
        [company],
      ),
    }),
  },
  {
    of: 'payment_type',
    where: 'a town',
    make: async () => ({ scope: company, id: await addPaymentType() }),
  },
  { of: 'move_request', where: 'a town', make: async () => ({ scope: company, id: await addMove() }) },
  { of: 'rental_reservation', where: 'a town', make: async () => ({ scope: company, id: await addReservation() }) },
  {
    of: 'rental_certificate',
    where: 'a town',
    make: async () => {
      const id = await addCertificate()
      return { scope: company, id, deps: { reservation: await reservationOf(id) } }
    },
  },
  { of: 'provider_onboarding', where: 'a town', make: async () => ({ scope: company, id: await addOnboarding() }) },
  {
    of: 'onboarding_document',
    where: 'a town',
    make: async () => ({ scope: company, id: await addOnboardingDocument() }),
  },
  { of: 'rental_round', where: 'a town', make: async () => ({ scope: company, id: await addRound() }) },
  {
    of: 'rental_application',
    where: 'a town',
    make: async () => {
      const id = await addApplication()
      return { scope: company, id, deps: await applicationWithRound(id) }
    },
  },
  { of: 'form_type', where: 'a town', make: async () => ({ scope: company, id: await addForm() }) },
  { of: 'alert', where: 'a town', make: async () => ({ scope: company, id: await addAlert() }) },
  { of: 'received_alert', where: 'a town', make: async () => ({ scope: company, id: await addReceived() }) },
  { of: 'faq', where: 'a town', make: async () => ({ scope: company, id: await addFaq() }) },
  { of: 'form_submission', where: 'a town', make: async () => ({ scope: company, id: await addSubmission() }) },
  {
    of: 'service_request',
    where: 'a town',
    make: async () => ({ scope: company, id: await addServiceRequest() }),
  },
  {
    of: 'support_request',
    where: 'a town',
    make: async () => ({ scope: company, id: await addRequest() }),
  },
  { of: 'refund', where: 'a town', make: async () => ({ scope: company, id: await addRefund() }) },
  { of: 'fee', where: 'a town', make: async () => ({ scope: company, id: await addFee() }) },
  { of: 'deferred_payment', where: 'a town', make: async () => ({ scope: company, id: await addDeferredPayment() }) },
  {
    of: 'drawer',
    where: 'a town',
    patch: { closed_at: new Date(), closing_counts: '{}', closing_cents: 0, expected_cents: 0 },
    make: async () => ({
      scope: company,
      id: Number(
        await insert(
          `WITH clerk AS (INSERT INTO person (company_id, email, role_id, first_name, last_name) VALUES ($1, $2, 4, 'Ann', 'Reese') RETURNING id)
           INSERT INTO drawer (company_id, status, staff_id, staff_name, opened_at, opening_counts, opening_cents)
           SELECT $1, 'open', id, 'Ann Reese', now(), '{}', 0 FROM clerk`,
          [company, `clerk.${++made}@maplegrove.example`],
        ),
      ),
    }),
  },
  {
    of: 'billing_file',
    where: 'a town',
    make: async () => ({
      scope: company,
      id: Number(
        await insert(
          `INSERT INTO billing_file (company_id, name, source, sender, received_at, state)
           VALUES ($1, 'bills.csv', 'upload', 'Ann Reese', now(), 'previewing')`,
          [company],
        ),
      ),
    }),
  },
  {
    of: 'lockbox_payment',
    where: 'a town',
    make: async () => ({ scope: company, id: await addBankPayment() }),
  },
  {
    of: 'recon_exception',
    where: 'a town',
    make: async () => ({ scope: company, id: await addException('open') }),
  },
  { of: 'work_order', where: 'a town', make: async () => ({ scope: company, id: await addWorkOrder() }) },
  { of: 'hydrant', where: 'a town', make: async () => ({ scope: company, id: await addHydrant() }) },
  {
    of: 'field_conflict',
    where: 'a town',
    make: async () => ({
      scope: company,
      id: Number(
        await insert(
          `INSERT INTO field_conflict (company_id, action_id, part, subject_id, subject_name, label, call, body, refusal, made_at,
             stored_at, person_id, person_name, status)
           SELECT $1, md5(random()::text), 'order', 1, 'Order', 'Started', 'muni/change/work/order/status', '{}', '', now(), now(), id,
             'Ann Lee', 'open' FROM person WHERE company_id = $1 ORDER BY id LIMIT 1`,
          [company],
        ),
      ),
    }),
  },
  {
    of: 'inspection',
    where: 'a town',
    // The results of the checklist items decide the final state, so every second inspection gets a failed item.
    make: async () => ({ scope: company, id: await addInspection(['passed', made % 2 === 0 ? 'passed' : 'failed']) }),
  },
  {
    of: 'checklist_item',
    where: 'a town',
    make: async () => ({ scope: company, id: await itemOf(await addInspection(['open'])) }),
  },
  {
    of: 'parking_ticket',
    where: 'a town',
    make: async () => ({ scope: company, id: await addTicket(`W-${++made}`) }),
  },
  {
    of: 'order',
    where: 'a town',
    make: async () => ({
      scope: company,
      id: Number(
        await insert(
          `INSERT INTO payment_order (company_id, status, reference, type, payer_name, payer_email, location, method, pay_type,
             bill_cents, fee_cents, total_cents, fee_quote, created_at, search_text)
           VALUES ($1, 0, '100001', 'Utility', 'Ann Reese', 'ann@example.org', 4, 1, 1, 10000, 305, 10305, '{}', now(), '')`,
          [company],
        ),
      ),
    }),
  },
  {
    of: 'autopay',
    where: 'a town',
    make: async () => ({ scope: company, id: await addAutopay() }),
  },
  {
    of: 'account_share',
    where: 'a town',
    make: async () => ({ scope: company, id: await addShare() }),
  },
  {
    of: 'arrangement',
    where: 'a town',
    make: async () => ({ scope: company, id: await addArrangement() }),
  },
  { of: 'registration', where: 'a town', make: async () => ({ scope: company, id: await addRegistration() }) },
]

const everyRight = Object.fromEntries(privilegeNames.map((name) => [name, 31]))
const movers: readonly EdgeActor[] = [
  { as: 'staff', privileges: everyRight },
  { as: 'staff', privileges: {} },
  { as: 'requester' },
  { as: 'system' },
]
const actorFrom = (mover: EdgeActor): TransitionActor => ({
  ...mover,
  caller: { session: null, requestId: 'walk', ...(mover.as === 'system' && { kind: 'system' as const }) },
  clock: portal.clock,
})

interface TestedEntity {
  store: AnyStateStore
  scope: Scope
  id: number
  patch: object | undefined
  /** Dependencies that only the effects of this state store need. */
  deps?: object
}

function stepOf(machine: StateMachine, event: string): StateEdge {
  const step = machine.steps[event]
  if (!step) throw new Error(`${machine.name} has no event ${event}`)
  return step
}

const within = <T>({ scope }: TestedEntity, work: (tx: Tx) => Promise<T>): Promise<T> =>
  scope === PLATFORM ? portal.context.acrossCompanies(work) : portal.context.inCompany(scope, work)

/**
 * Sends an event to an entity. `to` is the target state. It is needed if the event has several target states and the
 * entity does not determine which one applies.
 */
const take = (entity: TestedEntity, tx: Tx, event: string, mover: EdgeActor, to?: StateName) =>
  transition(tx, entity.store, {
    scope: entity.scope,
    id: entity.id,
    event,
    to: entity.store.targetState ? undefined : (to ?? targetsOf(stepOf(entity.store.machine, event))[0]),
    actor: actorFrom(mover),
    reason: 'Because.',
    patch: entity.patch,
    deps: { context: portal.context, company: companyRecord, ...entity.deps },
  })

const stateOf = (entity: TestedEntity): Promise<StateName> =>
  within(entity, async (tx) => (await entity.store.lock(tx, entity.scope, entity.id)).state)

/** Tries a transition and rolls it back. @returns 200, or the status of the refusal */
async function tried(
  entity: TestedEntity,
  event: string,
  mover: EdgeActor,
): Promise<{ status: number; message: string }> {
  const rollback = new Error('taken back')
  try {
    await within(entity, async (tx) => {
      await take(entity, tx, event, mover)
      throw rollback
    })
  } catch (error) {
    if (error === rollback) return { status: 200, message: '' }
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('nothing was tried')
}

const historyOf = async ({ store, scope, id }: TestedEntity): Promise<string[]> => {
  const { rows } = await portal.owner.query(
    `SELECT seq, from_state, event, to_state FROM status_history
     WHERE company_id = $1 AND machine = $2 AND subject_id = $3 ORDER BY seq`,
    [scope, store.machine.name, id],
  )
  return rows.map(({ seq, from_state, event, to_state }) => `${seq}: ${from_state} ${event} ${to_state}`)
}
const auditsOf = async (entity: TestedEntity): Promise<string[]> => {
  const { store, scope, id } = entity
  const { number = id } = await within(entity, (tx) => store.lock(tx, scope, id))
  const log = scope === PLATFORM ? 'platform_audit_event' : 'audit_event'
  const { rows } = await portal.owner.query(
    `SELECT action FROM ${log} WHERE subject_kind = $1 AND subject = $2 ORDER BY id`,
    [store.subject, String(number)],
  )
  return rows.map(({ action }) => action)
}

/** Returns the edges that the database permits, as the expected result. */
async function storedEdges(machine: string): Promise<{ from_state: string; to_state: string; event: string }[]> {
  return (await portal.owner.query('SELECT * FROM status_edge WHERE machine = $1', [machine])).rows
}

test('stores the declared edges in the edge table', async () => {
  const { rows } = await portal.owner.query(
    `SELECT concat_ws(' | ', machine, from_state, event, to_state) AS edge FROM status_edge ORDER BY 1`,
  )
  const declared = [...declaredMachines.values()].flatMap((machine) =>
    edgesOf(machine).map(({ from, event, to }) => [machine.name, from, event, to].join(' | ')),
  )
  expect(rows.map(({ edge }) => edge).toSorted()).toEqual(declared.toSorted())
})

test('covers every declared machine', () => {
  expect([...stateStores.keys()].toSorted()).toEqual([...declaredMachines.keys()].toSorted())
  expect(new Set(entities.map(({ of }) => of))).toEqual(new Set(stateStores.keys()))
})

type Edge = Awaited<ReturnType<typeof storedEdges>>[number]

/**
 * Returns the start state of each transition that succeeds if `count` callers send an event simultaneously. Most events
 * are not allowed for the second caller. Some events can repeat, such as updating an updated alert.
 */
function stepsOf(leads: readonly Edge[], edges: readonly Edge[], event: string, to: string, count: number): string[] {
  const [first] = leads
  if (!first) return []
  const repeats = edges.some((edge) => edge.event === event && edge.from_state === to && edge.to_state === to)
  return [first.from_state, ...Array.from({ length: repeats ? count - 1 : 0 }, () => to)]
}

/**
 * Entities with buttons that the tests compare in all states. In `npm test`, these are only a quarter. The tests of
 * calls below cover all entities.
 */
const walkedWhole = sampleOf(entities)

/** `npm test` runs the random sequences of events for half of the entities, including all of `walkedWhole`. */
describe.each(sampleOf(entities, 2))('$of of $where', (one) => {
  const { of, make, patch } = one
  const fresh = async (): Promise<TestedEntity> => {
    const store = stateStores.get(of)
    if (!store) throw new Error(`${of} is not kept`)
    return { store, patch, ...(await make()) }
  }

  test('writes nothing if its guard refuses', async () => {
    const entity = await fresh()
    const state = await stateOf(entity)
    const { machine } = entity.store
    const event = Object.keys(machine.steps).find((name) => stepOf(machine, name).from.includes(state))
    if (event === undefined) return
    const refusal = conflict('guarded', 'Not now.')
    const guard = { every: () => Promise.reject(refusal) }
    const guarded = { ...entity, store: { ...entity.store, guard } }
    effectsRun.length = 0
    // Commits the transaction instead of rolling it back, so that the test detects a write before the refusal.
    const refused = within(entity, (tx) =>
      take(guarded, tx, event, moverFor(entity.store, event)).catch((error: unknown) => error),
    )
    await expect(refused).resolves.toBe(refusal)
    expect(await stateOf(entity)).toBe(state)
    expect(await historyOf(entity)).toEqual([])
    expect(await auditsOf(entity)).toEqual([])
    expect(effectsRun).toEqual([])
  })

  test('permits only its edges, also for parallel callers', async () => {
    let entity = await fresh()
    const { machine } = entity.store
    const edges = await storedEdges(of)
    const random: Random = randomFrom(of.length * 7919 + seed)
    const events = Object.keys(machine.steps)
    let state = await stateOf(entity)
    let transitions: { step: string; audit: string | undefined; effects: string[] }[] = []
    effectsRun.length = 0
    let walked = 0
    const expectWritten = async () => {
      walked += transitions.length
      expect(await historyOf(entity)).toEqual(transitions.map(({ step }) => step))
      expect(await auditsOf(entity)).toEqual(transitions.map(({ audit }) => audit))
      const run = effectsRun.splice(0).filter((effect) => effect.startsWith(`${of} `))
      expect(run).toEqual(transitions.flatMap(({ effects }) => effects))
    }
    for (let n = 0; n < STEPS; n += 1) {
      // After a final state, the random sequence starts again with a new entity.
      if (n % 3 === 0 && edges.every(({ from_state }) => from_state !== String(state))) {
        await expectWritten()
        entity = await fresh()
        state = await stateOf(entity)
        transitions = []
      }
      const open = edges.filter(({ from_state }) => from_state === String(state))
      // Every third event is one that the current state allows, so that the sequence progresses. The other events are
      // random.
      const event = n % 3 === 0 && open.length > 0 ? random.pick(open).event : random.pick(events)
      const to = random.pick(targetsOf(stepOf(machine, event)))
      const mover =
        n % 3 === 0 ? (movers.find(({ as }) => stepOf(machine, event).by.includes(as)) ?? {}) : random.pick(movers)
      const atOnce = n % 3 === 0 ? 3 : 1
      const results = await Promise.allSettled(
        Array.from({ length: atOnce }, () => within(entity, (tx) => take(entity, tx, event, mover as EdgeActor, to))),
      )
      const won = results.filter((response) => response.status === 'fulfilled')
      const lost = results.flatMap((response) => (response.status === 'rejected' ? [response.reason] : []))
      const { by, permission } = stepOf(machine, event)
      const { as, privileges } = mover as EdgeActor
      const entitled = by.includes(as) && (as !== 'staff' || !permission || privileges === everyRight)
      const leads = open.filter((edge) => edge.event === event)
      // If a machine chooses the target state itself, its events cannot repeat.
      const chain = entity.store.targetState ? 1 : atOnce
      const steps = entitled ? stepsOf(leads, edges, event, String(to), chain) : []
      expect(won).toHaveLength(steps.length)
      for (const error of lost) {
        expect(error).toBeInstanceOf(Refusal)
        expect(error.status).toBe(entitled ? 409 : 403)
      }
      const from = state
      state = await stateOf(entity)
      for (const error of lost)
        if (error.status === 409) expect(error.message).toContain(` has the status “${machine.labels[state]}”`)
      if (won.length === 0) expect(state).toBe(from)
      else {
        if (won.length === 1) expect(leads.map(({ to_state }) => to_state)).toContain(String(state))
        if (!entity.store.targetState) expect(state).toBe(to)
        for (const [index, start] of steps.entries()) {
          const end = steps[index + 1] ?? state
          transitions.push({
            step: `${transitions.length + 1}: ${start} ${event} ${end}`,
            audit: stepOf(machine, event).audit,
            effects: effectsOf(entity.store, event),
          })
        }
      }
    }
    await expectWritten()
    expect(walked).toBeGreaterThan(STEPS / 6)
  })

  test.runIf(walkedWhole.includes(one))('shows exactly the permitted buttons in every state', async () => {
    const { machine } = (await fresh()).store
    const reached = new Set<StateName>()
    const paths: { event: string; to: StateName }[][] = [[]]
    for (let path = paths.shift(); path; path = paths.shift()) {
      const entity = await fresh()
      for (const { event, to } of path)
        await within(entity, (tx) => take(entity, tx, event, moverFor(entity.store, event), to))
      const state = await stateOf(entity)
      if (reached.has(state)) continue
      reached.add(state)
      for (const mover of movers) {
        const visible: Record<string, boolean> = buttonsFrom(machine, state, mover)
        for (const event of Object.keys(machine.steps)) {
          const { status, message } = await tried(entity, event, mover)
          expect({ state, event, mover: mover.as, isAccepted: status === 200 }).toEqual({
            ...{ state, event, mover: mover.as },
            isAccepted: eventsFrom(machine, state, mover).includes(event),
          })
          if (event in visible) expect(visible[event]).toBe(status === 200)
          if (status === 409)
            expect(message).toContain(`has the status “${machine.labels[state]}”, so you cannot do this.`)
          else if (status !== 200) expect(status).toBe(403)
        }
      }
      for (const event of Object.keys(machine.steps)) {
        const step = stepOf(machine, event)
        if (step.from.includes(state)) for (const to of targetsOf(step)) paths.push([...path, { event, to }])
      }
    }
    // Initial states count as reached, because no edge leads to them.
    for (const { from, to } of Object.values<StateEdge>(machine.steps))
      if (from.length === 0) for (const state of targetsOf({ to })) reached.add(state)
    expect(reached).toEqual(new Set(machine.names))
  })
})

/**
 * For each machine, the call behind its buttons, and the call from which a screen reads them. If you add buttons, add
 * their calls.
 */
const calls: {
  of: string
  host: string
  /** Roles of the people who click the buttons, if they are not staff. */
  actors?: string[]
  read: (callAs: Caller) => Promise<Record<string, boolean>>
  click: (callAs: Caller, event: string) => Promise<ApiResponse>
}[] = [
  {
    of: 'account',
    host: MAPLE,
    read: async (callApi) =>
      (await callApi('muni/return/municipality/staff/member', { personId: ids['clerk'] })).body.can,
    click: (callApi, step) => callApi('muni/change/municipality/staff/status', { personId: ids['clerk'], step }),
  },
  {
    of: 'billing_file',
    host: MAPLE,
    // Adds a new file each time, because its buttons lead to final states.
    read: async (callApi) => {
      ids['file'] = Number(
        await insert(
          `INSERT INTO billing_file (company_id, name, source, sender, received_at, state)
           VALUES ($1, 'bills.csv', 'upload', 'Ann Reese', now(), 'previewed')`,
          [company],
        ),
      )
      return (await callApi('muni/return/billing/file', { fileId: ids['file'] })).body.can
    },
    click: (callApi, event) => callApi('muni/change/billing/file', { fileId: ids['file'], event }),
  },
  {
    of: 'provider_onboarding',
    host: ADMIN,
    read: async (callApi) => {
      ids['onboarding'] ??= await addOnboarding()
      return (await callApi('muni/return/onboarding', { companyId: company, id: ids['onboarding'] })).body.can.steps
    },
    click: (callApi, event) =>
      callApi('admin/transition/onboarding', {
        companyId: company,
        id: ids['onboarding'],
        event,
        reason: 'The bank called us.',
      }),
  },
  {
    of: 'onboarding_document',
    host: ADMIN,
    read: async (callApi) => {
      ids['document'] = await addOnboardingDocument()
      const { rows } = await portal.owner.query('SELECT onboarding_id AS id FROM onboarding_document WHERE id = $1', [
        ids['document'],
      ])
      const response = await callApi('muni/return/onboarding', { companyId: company, id: Number(rows[0].id) })
      return response.body.documents[0].can
    },
    click: (callApi, event) =>
      callApi('admin/transition/onboarding/document', {
        companyId: company,
        id: ids['document'],
        event,
        reason: 'A page is missing.',
      }),
  },
  {
    of: 'lockbox_payment',
    host: MAPLE,
    read: async (callApi) => {
      ids['bank'] = await addBankPayment()
      return (await callApi('muni/return/lockbox/payment', { id: ids['bank'] })).body.can
    },
    click: (callApi, event) =>
      callApi('muni/transition/lockbox/payment', { id: ids['bank'], event, reason: 'No customer of ours' }),
  },
  {
    of: 'recon_exception',
    host: MAPLE,
    read: async (callApi) => {
      ids['exception'] = await addException('resolved')
      return (await callApi('muni/return/recon/exception', { id: ids['exception'] })).body.can
    },
    click: (callApi, event) =>
      callApi('muni/transition/recon/exception', { id: ids['exception'], event, reason: 'Once more' }),
  },
  {
    of: 'department',
    host: MAPLE,
    read: async (callApi) => (await callApi('muni/return/municipality/departments')).body.departments?.[0].can,
    click: (callApi, event) =>
      callApi(`muni/${event}/municipality/department`, { departmentId: ids['streets'], confirmed: true }),
  },
  {
    of: 'form',
    host: ADMIN,
    read: async (callApi) => (await callApi('admin/return/form', { templateId: ids['license'] })).body.form?.can,
    click: (callApi, event) => callApi('admin/change/form/status', { templateId: ids['license'], event }),
  },
  {
    of: 'payment_type',
    host: MAPLE,
    read: async (callApi) => (await callApi('muni/return/general/payment/type', { typeId: ids['payment'] })).body.can,
    click: (callApi, event) => callApi('muni/change/general/payment/type/status', { typeId: ids['payment'], event }),
  },
  {
    of: 'refund',
    host: MAPLE,
    // Reads the first refund that awaits approval. If none waits, `click` uses the last refund.
    read: async (callApi) => {
      const { rows } = (await callApi('muni/return/refunds', { filters: { status: 'waiting' } })).body
      if (rows?.[0] === undefined) return undefined
      ids['refund'] = rows[0].id
      return (await callApi('muni/return/payment/details', { paymentId: rows[0].paymentId })).body.refunds?.[0].can
    },
    click: (callApi, event) =>
      callApi('muni/decide/refund', { refundId: ids['refund'], event, reason: 'It was paid once.' }),
  },
  {
    of: 'fee',
    host: MAPLE,
    // Reads the first unpaid fee. If none is unpaid, reads the fee that was read last.
    read: async (callApi) => {
      const { rows } = (await callApi('muni/return/payment/transactions', { filters: { fee: 'owed' } })).body
      if (rows?.[0] !== undefined) ids['fee'] = rows[0].id
      return (await callApi('muni/return/payment/details', { paymentId: ids['fee'] })).body.separateFee?.can
    },
    click: (callApi, event) =>
      event === 'again'
        ? callApi('muni/charge/fee', { paymentId: ids['fee'] }, { 'idempotency-key': randomUUID() })
        : callApi('muni/waive/fee', { paymentId: ids['fee'], reason: 'Not worth a letter.' }),
  },
  {
    of: 'scheduled_item',
    host: MAPLE,
    read: async (callApi) => (await callApi('muni/return/municipality/scheduled/items', {})).body.data?.[0].moves,
    click: (callApi, event) => callApi('muni/change/scheduled/item/status', { itemId: ids['run'], event }),
  },
  {
    of: 'support_request',
    host: ADMIN,
    read: async (callApi) => (await callApi('admin/return/support/request', supportInput())).body.can?.steps,
    click: (callApi, event) =>
      callApi('admin/change/support/status', { ...supportInput(), event, reason: 'Advertising.' }),
  },
  {
    of: 'move_request',
    host: MAPLE,
    // Adds a new record each time, because its button leads to a final state.
    read: async (callApi) => {
      ids['move'] = await addMove()
      const { can } = (await callApi('muni/return/move', { subjectId: ids['move'] })).body
      return can ? { complete: can.complete } : {}
    },
    click: (callApi) => callApi('muni/complete/move', { subjectId: ids['move'], finalRead: '', firstRead: '' }),
  },
  {
    of: 'rental_reservation',
    host: MAPLE,
    read: async (callApi) => {
      ids['reservation'] = await addReservation(['requested', 'confirmed', 'waitlisted'][(made += 1) % 3])
      return (await callApi('muni/return/rental', { reservationId: ids['reservation'] })).body.can?.steps ?? {}
    },
    click: (callApi, event) =>
      callApi('muni/transition/rental', { reservationId: ids['reservation'], event, reason: 'It is needed.' }),
  },
  {
    of: 'rental_certificate',
    host: MAPLE,
    // Adds a new record each time, because its buttons lead to final states.
    read: async (callApi) => {
      ids['certificate'] = await addCertificate()
      const { rows } = await portal.owner.query(`SELECT reservation_id AS id FROM rental_certificate WHERE id = $1`, [
        ids['certificate'],
      ])
      await portal.owner.query(
        `INSERT INTO attachment (company_id, kind, subject_kind, subject_id, nth, state, name, content_type, bytes, sha256, path, created_at, created_by_kind)
         VALUES ($1, 'rental_certificate', 'rental_certificate', $2, 1, 'clean', 'a.pdf', 'application/pdf', 1, '\\x00', 'a', now(), 'citizen')`,
        [company, ids['certificate']],
      )
      const response = await callApi('muni/return/rental/certificate', { reservationId: Number(rows[0].id) })
      return response.body.can?.steps ?? {}
    },
    click: (callApi, event) =>
      callApi('muni/transition/rental/certificate', {
        certificateId: ids['certificate'],
        event,
        reason: 'It is not ours.',
      }),
  },
  {
    of: 'rental_round',
    host: MAPLE,
    // Adds a new round each time, alternating between draft and open.
    read: async (callApi) => {
      ids['round'] = await addRound(made % 2 === 0 ? 'draft' : 'open')
      return (await callApi('muni/return/rental/round', { roundId: ids['round'] })).body.can?.steps ?? {}
    },
    click: (callApi, event) =>
      callApi('muni/transition/rental/round', { roundId: ids['round'], event, reason: 'It is needed.' }),
  },
  {
    of: 'rental_application',
    host: MAPLE,
    read: async (callApi) => {
      ids['application'] = await addApplication()
      return (
        (await callApi('muni/return/rental/application', { applicationId: ids['application'] })).body.can?.steps ?? {}
      )
    },
    click: (callApi, event) =>
      callApi('muni/transition/rental/application', {
        applicationId: ids['application'],
        event,
        reason: 'It is needed.',
      }),
  },
  {
    of: 'form_type',
    host: MAPLE,
    read: async (callApi) => (await callApi('muni/return/form/type', { typeId: ids['form'] })).body.can,
    click: (callApi, event) => callApi('muni/change/form/type/status', { typeId: ids['form'], event }),
  },
  {
    of: 'alert',
    host: MAPLE,
    // Adds a new record each time, alternating between the states waiting and scheduled. A draft has no buttons.
    read: async (callApi) => {
      ids['alert'] = await addAlert(made % 2 === 0 ? 'waiting' : 'scheduled')
      const { can } = (await callApi('muni/return/alert', { alertId: ids['alert'] })).body
      return can ? { approve: can.approve, return_to_author: can.return_to_author, withdraw: can.withdraw } : {}
    },
    click: (callApi, event) =>
      callApi('muni/change/alert/status', { alertId: ids['alert'], event, reason: 'It is needed.' }),
  },
  {
    of: 'received_alert',
    host: MAPLE,
    // Adds a new record each time, because both of its buttons lead to final states.
    read: async (callApi) => {
      ids['received'] = await addReceived()
      const { rows } = (await callApi('muni/return/received/alerts')).body
      const can = rows?.find((row: { id: number }) => row.id === ids['received'])?.can
      return can ? { release: can.release, dismiss: can.dismiss } : {}
    },
    click: (callApi, event) => callApi('muni/transition/received/alert', { receivedId: ids['received'], event }),
  },
  {
    of: 'faq',
    host: MAPLE,
    read: async (callApi) => {
      const { can } = (await callApi('muni/return/faq/question', { faqId: ids['faq'] })).body
      return can ? { publish: can.publish, withdraw: can.withdraw } : {}
    },
    click: (callApi, event) => callApi('muni/change/faq/question/status', { faqId: ids['faq'], event }),
  },
  {
    of: 'form_submission',
    host: MAPLE,
    // Reads the first submission that still has a button, because a rejected one has none.
    read: async (callApi) => {
      for (const name of ['sent', 'other sent', 'third sent']) {
        ids['submission'] = ids[name] ?? 0
        const { can } = (await callApi('muni/return/form/submission', { subjectId: ids['submission'] })).body
        if (can && Object.values(can.steps).some(Boolean)) return can.steps
      }
      return (await callApi('muni/return/form/submission', { subjectId: ids['submission'] })).body.can?.steps
    },
    click: (callApi, event) =>
      callApi('muni/change/form/submission/status', {
        subjectId: ids['submission'],
        event,
        reason: 'The plan is missing.',
      }),
  },
  {
    of: 'service_request',
    host: MAPLE,
    // Reads the first of several requests that has a button, because an invalid request is final.
    read: async (callApi) => {
      for (const name of ['pothole', 'other pothole', 'third pothole', 'fourth pothole']) {
        ids['reported'] = ids[name] ?? 0
        const { can } = (await callApi('muni/return/communication/request', { subjectId: ids['reported'] })).body
        if (can && Object.values(can.steps).some(Boolean)) return can.steps
      }
      return {}
    },
    click: (callApi, event) =>
      callApi('muni/change/communication/status', { subjectId: ids['reported'], event, reason: 'Nothing is there.' }),
  },
  {
    of: 'autopay',
    host: MAPLE,
    // Residents and staff have different buttons, which they click on different enrollments.
    actors: ['resident', 'admin'],
    read: async (callApi) => {
      const { rows } = (await callApi('muni/return/autopay', { filters: {} })).body
      if (rows) return rows.find(({ id }: { id: number }) => id === ids['others autopay'])?.can
      const { items } = (await callApi('return/autopay')).body
      return items.find(({ autopay }: { autopay: { id: number } | null }) => autopay?.id === ids['autopay'])?.autopay
        .can
    },
    click: (callApi, event) =>
      event === 'halt' || event === 'stop'
        ? callApi('muni/transition/autopay', { id: ids['others autopay'], event, reason: 'It was closed.' })
        : callApi('transition/autopay', { id: ids['autopay'], event }),
  },
  {
    of: 'arrangement',
    host: MAPLE,
    // The resident declines one arrangement. Staff click their buttons on another one.
    actors: ['resident', 'admin'],
    read: async (callApi) => {
      const { plan } = (await callApi('muni/return/arrangement', { id: ids['others arrangement'] })).body
      if (plan) return { ...plan.can, decline: false }
      const { items } = (await callApi('return/arrangements')).body
      return items.find(({ plan: one }: { plan: { id: number } | null }) => one?.id === ids['arrangement'])?.plan.can
    },
    click: (callApi, event) =>
      event === 'decline'
        ? callApi('decline/arrangement', { id: ids['arrangement'] })
        : callApi('muni/transition/arrangement', { id: ids['others arrangement'], event, reason: 'Signed.' }),
  },
  {
    of: 'registration',
    host: MAPLE,
    // Reads the first of several registrations that has a button, because an ended registration is final.
    read: async (callApi) => {
      for (const name of ['registration', 'other registration', 'third registration', 'fourth registration']) {
        ids['registered'] = ids[name] ?? 0
        const { can } = (await callApi('muni/return/registration', { id: ids['registered'] })).body
        if (can && Object.values(can.steps).some(Boolean)) return can.steps
      }
      return {}
    },
    click: (callApi, event) =>
      callApi('muni/transition/registration', { id: ids['registered'], event, reason: 'It was looked at.' }),
  },
  {
    of: 'work_order',
    host: MAPLE,
    // Reads the first of several work orders that has a button, because an invalid work order is final.
    read: async (callApi) => {
      for (const name of ['work order', 'other work order', 'third work order']) {
        ids['worked on'] = ids[name] ?? 0
        const steps = (await callApi('muni/return/work/order', { orderId: ids['worked on'] })).body.can?.steps ?? {}
        if (Object.values(steps).some(Boolean)) return steps
      }
      return {}
    },
    click: (callApi, event) =>
      callApi('muni/change/work/order/status', { orderId: ids['worked on'], event, reason: 'As it was.' }),
  },
  {
    of: 'hydrant',
    host: MAPLE,
    read: async (callApi) => (await callApi('muni/return/hydrant', { hydrantId: ids['hydrant'] })).body.can?.steps,
    click: (callApi, event) =>
      callApi('muni/transition/hydrant', { hydrantId: ids['hydrant'], event, reason: 'Stem broken' }),
  },
  {
    of: 'inspection',
    host: MAPLE,
    // Adds a new record each time, because its button leads to a final state.
    read: async (callApi) => {
      ids['inspection'] = await addInspection(['passed'])
      return (await callApi('muni/return/inspection', { inspectionId: ids['inspection'] })).body.can?.steps
    },
    click: (callApi, event) =>
      callApi('muni/transition/inspection', { inspectionId: ids['inspection'], event, reason: 'The park is closed' }),
  },
  {
    of: 'checklist_item',
    host: MAPLE,
    // Reads the first checklist item that has a button.
    read: async (callApi) => {
      const { items } = (await callApi('muni/return/inspection', { inspectionId: ids['checklist'] })).body
      const pressable = items?.find(({ can }: { can: { steps: object } }) => Object.values(can.steps).some(Boolean))
      ids['item'] = (pressable ?? items?.[0])?.id ?? ids['item']
      return pressable?.can.steps
    },
    click: (callApi, event) =>
      event === 'fail'
        ? callApi('muni/fail/inspection/item', {
            itemId: ids['item'],
            reason: 'A chain is worn',
            openOrder: false,
            severity: 1,
          })
        : callApi('muni/transition/inspection/item', { itemId: ids['item'], event }),
  },
  {
    of: 'parking_ticket',
    host: MAPLE,
    // Reads the first of several tickets that has a button, because a void ticket is final.
    read: async (callApi) => {
      for (const name of ['contested', 'contested too', 'ticket']) {
        ids['pressed'] = ids[name] ?? 0
        const steps = (await callApi('muni/return/parking/ticket', { ticketId: ids['pressed'] })).body.can?.steps ?? {}
        if (Object.values(steps).some(Boolean)) return steps
      }
      return {}
    },
    click: (callApi, event) =>
      callApi('muni/change/parking/ticket/status', {
        ticketId: ids['pressed'],
        event,
        reason: 'The meter was broken.',
      }),
  },
]
type Caller = (path: string, body?: object, headers?: Record<string, string>) => Promise<ApiResponse>
const ids: Record<string, number> = {}
const supportInput = () => ({ companyId: company, subjectId: ids['request'] })

describe('the buttons of a screen and its calls', () => {
  beforeAll(async () => {
    await addTestPlatformStaff(portal)
    const at = portal.clock.now()
    ids['clerk'] = await insert(
      `INSERT INTO person (company_id, email, role_id, first_name, last_name, password_hash, position)
       VALUES ($1, 'clerk@maplegrove.example', 3, 'Una', 'Second', 'set', 1)`,
      [company],
    )
    await portal.owner.query('DELETE FROM department; DELETE FROM scheduled_item')
    // Removes the accounts that the random sequences created, because a resident's screen would read hundreds of them.
    await portal.owner.query('DELETE FROM linked_account')
    ids['streets'] = await insert(`INSERT INTO department (company_id, name) VALUES ($1, 'Streets')`, [company])
    ids['license'] = await insert(
      `INSERT INTO form_template (title, category, created_at, changed_at) VALUES ('License', 'Permits', $1, $1)`,
      [at],
    )
    await portal.owner.query(
      `INSERT INTO attachment (company_id, kind, subject_kind, subject_id, nth, state, name, content_type, bytes, sha256, path, created_at, created_by_kind)
       VALUES (0, 'form', 'form', $1, 1, 'clean', 'a.pdf', 'application/pdf', 1, '\\x00', 'a', $2, 'platform')`,
      [ids['license'], at],
    )
    ids['request'] = await addRequest()
    ids['ticket'] = await addTicket('W-BUTTONS')
    for (const name of ['contested', 'contested too']) {
      ids[name] = await addTicket(`W-${name.replace(' ', '-').toUpperCase()}`)
      await portal.owner.query(`UPDATE parking_ticket SET status = 'contested' WHERE id = $1`, [ids[name]])
      await portal.owner.query(
        `INSERT INTO parking_contest (company_id, ticket_id, citation_number, created_at, updated_at, name, email, grounds)
         VALUES ($1, $2, 'W-1', $3, $3, 'Ann Reese', 'ann@example.org', 'The meter was broken.')`,
        [company, ids[name], at],
      )
    }
    for (const name of ['work order', 'other work order', 'third work order']) ids[name] = await addWorkOrder()
    ids['hydrant'] = await addHydrant()
    ids['checklist'] = await addInspection(['open', 'open', 'open', 'open', 'open', 'open'])
    ids['item'] = await itemOf(ids['checklist'])
    for (const name of ['pothole', 'other pothole', 'third pothole', 'fourth pothole'])
      ids[name] = await addServiceRequest()
    ids['payment'] = await addPaymentType()
    ids['form'] = await addForm()
    ids['faq'] = await addFaq()
    for (const name of ['sent', 'other sent', 'third sent']) ids[name] = await addSubmission(1)
    await portal.owner.query('DELETE FROM payment_refund')
    for (const _ of [1, 2, 3]) ids['refund'] = await addRefund()
    // This provider model is empty. It does not know the bill's charge, so each charge of the fee fails.
    provideInstead(portal.config, new ProviderModel('stripe'))
    for (const _ of [1, 2, 3, 4]) ids['fee'] = await addFee('owed')
    ids['autopay'] = await addAutopay()
    ids['arrangement'] = await addArrangement()
    for (const name of ['registration', 'other registration', 'third registration', 'fourth registration'])
      ids[name] = await addRegistration()
    ids['others arrangement'] = await addArrangement()
    ids['others autopay'] = await addAutopay()
    ids['run'] = await insert(
      `INSERT INTO scheduled_item (company_id, event_type_id, title, starts_at, ends_at) VALUES ($1, 1, 'Bill run', $2, $2)`,
      [company, at],
    )
  })

  test('covers every machine with buttons', () => {
    const withButtons = [...stateStores.values()].filter(({ machine }) => machine.buttons.length > 0)
    expect(calls.map(({ of }) => of).toSorted()).toEqual(withButtons.map(({ machine }) => machine.name).toSorted())
  })

  test.each(calls)('accepts exactly the shown buttons of $of', async ({ of, host, read, click, ...more }) => {
    const buttons: readonly string[] = stateStores.get(of)?.machine.buttons ?? []
    const actors = more.actors ?? (host === ADMIN ? ['super', 'callcenter'] : ['admin', 'manager', 'staff'])
    const clickedEvents = new Set<string>()
    for (const name of actors) {
      const token = await portal.signIn(host, `${name}@${host === ADMIN ? 'mainstreet' : 'maplegrove'}.example`)
      const callApi: Caller = (path, body = {}, headers = {}) => portal.post(host, path, body, { token, headers })
      // Enough rounds to click each button of each type of record that `read` alternates between.
      for (let round = 0; round < buttons.length + 2; round += 1) {
        // People who cannot see the record have no buttons.
        const visible = (await read(callApi)) ?? {}
        for (const event of buttons.filter((button) => !visible[button]))
          expect([403, 409], `${event} by ${name}`).toContain((await click(callApi, event)).status)
        const open = buttons.filter((button) => visible[button])
        const next = open.find((button) => !clickedEvents.has(button)) ?? open[0]
        if (next === undefined) continue
        effectsRun.length = 0
        expect((await click(callApi, next)).status, `${next} by ${name}`).toBe(200)
        const store = stateStores.get(of)
        if (store) expect(effectsRun).toEqual(expect.arrayContaining(effectsOf(store, next)))
        clickedEvents.add(next)
      }
    }
    expect(clickedEvents).toEqual(new Set(buttons))
  })
})

const moverFor = ({ machine }: AnyStateStore, event: string): EdgeActor =>
  movers.find(({ as }) => stepOf(machine, event).by.includes(as)) ?? { as: 'system' }
