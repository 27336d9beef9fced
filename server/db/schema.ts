// Made of the migrated database by `npm run schema`: write a migration or column-types.ts, never this file.
import type { Generated } from 'kysely'
import type { ColumnTypes, Computed, Given, GivenInstant, GivenJson, Instant, Json, Point } from './column-types.ts'

export interface Schema {
  account_link: {
    company_id: number
    code_hash: Buffer
    person_id: number
    purpose: 'confirm_email' | 'change_email' | 'reset_password'
    /** where the link was sent; it counts only while that is what it is about */
    email: string
    created_at: Instant
    expires_at: Instant
    used_at: Instant | null
  }
  account_share: {
    company_id: number
    id: Generated<number>
    account_id: number
    kind: 'history' | 'watch'
    with_amounts: boolean
    /** of a history: the last day whose use is shown */
    until_day: string
    offered_by: number
    /** who alone may accept it; empty: whoever has the code */
    to_email: string
    code_hash: Buffer
    state: 'offered' | 'accepted' | 'ended'
    offered_at: Instant
    expires_at: Instant
    accepted_by: number | null
    accepted_at: Instant | null
    /** of a watch: the due day of the last bill of which it was told that it is not paid */
    told_due: string | null
  }
  address: {
    company_id: number
    id: Generated<number>
    street_id: number
    house_number: string
    number: number
    unit: Given<string>
    city: string
    state: string
    zipcode: string
    lat: number
    lon: number
    /** in metres from the town's origin */
    at: Point
  }
  alert: {
    company_id: number
    id: Generated<number>
    public_id: Given<string>
    number: Computed<string>
    status: 'draft' | 'waiting' | 'scheduled' | 'sending' | 'sent' | 'updated' | 'cancelled' | 'ended'
    kind: Given<'alert' | 'update' | 'cancel' | 'all_clear'>
    /** the first alert, of which it tells news: it reaches those who got that one */
    about_id: number | null
    service_id: number
    event: string
    category: 'Geo' | 'Met' | 'Safety' | 'Security' | 'Rescue' | 'Fire' | 'Health' | 'Env' | 'Transport' | 'Infra' | 'CBRNE' | 'Other'
    urgency: 'Immediate' | 'Expected' | 'Future' | 'Past' | 'Unknown'
    severity: 'Extreme' | 'Severe' | 'Moderate' | 'Minor' | 'Unknown'
    certainty: 'Observed' | 'Likely' | 'Possible' | 'Unlikely' | 'Unknown'
    /** by language: headline, description, instruction, text */
    words: Json<ColumnTypes['alert.words']>
    headline: Computed<string>
    by_email: Given<boolean>
    by_text: Given<boolean>
    on_pages: Given<boolean>
    /** whom it is for: everyone, zones, an area that was drawn, or those who sent a form */
    area: Json<ColumnTypes['alert.area']>
    area_words: Given<string>
    /** when it is to leave; empty: as soon as it may */
    send_at: Instant | null
    expires_at: Instant
    people: Given<number>
    /** whose staff, and who of them, as municipality:12: nobody approves what they sent themselves */
    submitted_by: Given<string>
    created_at: Instant
    edited_at: Instant
    sent_at: Instant | null
    search_text: Computed<string>
    by_call: Given<boolean>
    /** the message of CAP as it was sent; null before that */
    cap: Json<ColumnTypes['alert.cap']> | null
  }
  alert_choice: {
    company_id: number
    person_id: number
    service_id: number
    by_email: boolean
    by_text: boolean
    changed_at: Instant
    /** empty: nothing was said of calls, so that the type of the service decides */
    by_call: boolean | null
  }
  alert_delivery: {
    company_id: number
    id: Generated<number>
    alert_id: number
    channel: 'email' | 'text' | 'call'
    address: string
    person_id: number
    name: string
    language: 'en' | 'es'
    /** queued: not handed over yet; then what is known of the mail or the text */
    state: Given<'queued' | 'waiting' | 'sent' | 'delivered' | 'unclear' | 'failed' | 'stopped' | 'resting'>
    reason: Given<string>
    message_id: number | null
    at: Instant
  }
  /** in which language a resident reads alerts; without a row it is English */
  alert_reader: {
    company_id: number
    person_id: number
    language: 'en' | 'es'
  }
  alert_received: {
    company_id: number
    id: Generated<number>
    source_id: number
    sender: string
    identifier: string
    /** as it was read: the type CapAlert of features/alerts/cap/message.ts */
    message: Json<ColumnTypes['alert_received.message']>
    headline: string
    msg_type: 'Alert' | 'Update' | 'Cancel'
    severity: 'Extreme' | 'Severe' | 'Moderate' | 'Minor' | 'Unknown'
    status: 'waiting' | 'released' | 'dismissed' | 'replaced' | 'left_out'
    /** why it was left out */
    why: Given<'' | 'not_actual' | 'over' | 'kind' | 'minor' | 'elsewhere' | 'unknown'>
    alert_id: number | null
    sent_at: Instant
    received_at: Instant
  }
  alert_service: {
    company_id: number
    id: Generated<number>
    /** 1 alert, 2 essential, 3 other (specification 9.4) */
    type: number
    name: string
    name_key: Computed<string>
    position: Given<number>
    is_active: Given<boolean>
  }
  alert_settings: {
    company_id: number
    /** an alert to more people than that needs a second person before it goes */
    second_person_over: number
  }
  alert_source: {
    company_id: number
    id: Generated<number>
    name: string
    url: string
    /** geocodes of the town, such as 042041 or PAC041: what names one of them is about it; words apart */
    codes: Given<string>
    /** the kinds of events that are taken, commas between them; empty: all */
    events: Given<string>
    least_severity: 'Extreme' | 'Severe' | 'Moderate' | 'Minor' | 'Unknown'
    service_id: number
    /** what comes in goes out at once; else staff release it */
    by_itself: Given<boolean>
    is_active: Given<boolean>
    read_at: Instant | null
    problem: Given<string>
    /** zones of the town in one of whose addresses the border of a message has to be; empty: anywhere in the town */
    zone_ids: Given<number[]>
  }
  /** reference: dated notices of the product to all towns */
  announcement: {
    id: number
    place: 'landing' | 'back_office'
    message: string
    until: string
  }
  /** keys with which programs of a town call the portal */
  api_key: {
    company_id: number
    id: Generated<number>
    name: string
    /** its last letters, by which people tell keys apart */
    ending: string
    key_hash: Buffer
    made_at: Instant
    made_by: string
    used_at: Instant | null
    revoked_at: Instant | null
    revoked_by: Given<string>
    /** what it opens, and nothing else */
    use: 'billing' | 'open311'
  }
  /** a plan by which what is owed on a thing is paid in installments */
  arrangement: {
    company_id: number
    id: Generated<number>
    kind: string
    payable_id: number
    reference: string
    payer_name: string
    state: 'proposed' | 'active' | 'kept' | 'broken' | 'ended'
    total_cents: number
    installments: number
    grace_days: number
    paid_before_cents: Given<number>
    made_by: string
    made_at: Instant
    last_due: string
    person_id: number | null
    agreed_at: Instant | null
    agreed_version: number | null
    agreed_by: Given<string>
    agreed_address: Given<string>
    agreed_device: Given<string>
    closed_at: Instant | null
    search_text: Computed<string>
  }
  arrangement_installment: {
    company_id: number
    arrangement_id: number
    no: number
    due_on: string
    cents: number
  }
  arrangement_settings: {
    company_id: number
    by_residents: boolean
    most_installments: number
    longest_days: number
    least_first_percent: number
    least_cents: number
    grace_days: number
    /** what residents agree to, in the town's own words; empty: the usual ones */
    words: Given<string>
  }
  arrangement_words: {
    company_id: number
    version: number
    text: string
    since: Instant
  }
  /** files that people sent (server/attachments/) */
  attachment: {
    company_id: number
    id: Given<string>
    /** which use of files it is: the name that a feature declared */
    kind: string
    subject_kind: string
    subject_id: number
    /** counts the files of a subject; a version, where each file replaces the one before */
    nth: number
    state: 'waiting' | 'clean' | 'refused'
    name: string
    content_type: string
    bytes: number
    sha256: Buffer
    /** null: the virus scanner refused it, and it is gone from the store */
    path: string | null
    preview: Buffer | null
    finding: Given<string>
    created_at: Instant
    created_by_kind: 'guest' | 'citizen' | 'municipality' | 'platform' | 'system'
    created_by: number | null
    scanned_at: Instant | null
    refused_at: Instant | null
    expires_at: Instant | null
    taken_lat: number | null
    taken_lon: number | null
  }
  audit_event: {
    company_id: number
    id: Generated<number>
    at: Instant
    actor_kind: 'guest' | 'citizen' | 'municipality' | 'platform' | 'system'
    actor_id: number | null
    impersonator_id: number | null
    action: string
    subject: Given<string>
    detail: GivenJson<ColumnTypes['audit_event.detail']>
    request_id: Given<string>
    /** whom it concerns, where that is somebody else than who did it */
    person_id: number | null
    /** what the subject is (shared/audit-actions.ts); empty where the row is about nothing but its doer */
    subject_kind: Given<string>
  }
  audit_seal: {
    company_id: number
    position: number
    event_id: number
    hash: Buffer
    sealed_at: Instant
    /** how the hash was made (features/audit/server/chain.ts) */
    version: number
  }
  /** local: rows of the audit log that wait to be sealed; town 0 is the platform */
  audit_unsealed: {
    town: number
    event_id: number
  }
  authenticator: {
    company_id: number
    person_id: number
    secret_sealed: string
    /** the time step of the last code: only codes of later ones count */
    last_step: number
    created_at: Instant
  }
  autopay: {
    company_id: number
    id: Generated<number>
    person_id: number
    kind: string
    payable_id: number
    reference: string
    method_id: number
    state: 'active' | 'paused' | 'ended' | 'removed'
    timing: 'due' | 'before' | 'day'
    days_before: number
    day_of_month: number
    cap_cents: number | null
    skip_next: Given<boolean>
    enrolled_at: Instant
    ended_at: Instant | null
    end_reason: Given<string>
    end_code: Given<string>
    search_text: string
    /** the account was left: the last day on which it charges anything */
    ends_on: string | null
  }
  autopay_agreement: {
    company_id: number
    id: Generated<number>
    autopay_id: number
    at: Instant
    address: string
    device: string
    mandate_version: number
    terms: string
  }
  autopay_charge: {
    company_id: number
    id: Generated<number>
    autopay_id: number
    kind: string
    payable_id: number
    bill: string
    due_date: string
    charge_on: string
    state: 'planned' | 'charging' | 'paid' | 'failed' | 'skipped' | 'not_owed' | 'refused'
    told_cents: number
    amount_cents: number | null
    presentment: Given<number>
    tries: Given<number>
    first_on: string | null
    not_before: Instant | null
    order_id: number | null
    attempt_id: number | null
    reason: Given<string>
    created_at: Instant
    settled_at: Instant | null
  }
  autopay_mandate: {
    company_id: number
    version: number
    text: string
    since: Instant
  }
  bank_line: {
    company_id: number
    id: Generated<number>
    statement_id: number
    line_no: number
    booked_on: string
    /** negative where money left the account */
    amount_cents: number
    /** the type code of BAI2, such as 142 (ACH credit); empty in a CSV */
    code: Given<string>
    reference: Given<string>
    says: Given<string>
    became: Given<'open' | 'payout' | 'office' | 'lockbox' | 'fee' | 'not_ours'>
    payout_id: number | null
    lockbox_file: string | null
    settled_at: Instant | null
    settled_by: Given<string>
    reason: Given<string>
    search_text: string
    /** number of the decision that counts: one more each time a decision is undone */
    version: Given<number>
  }
  bank_rule: {
    company_id: number
    id: Generated<number>
    says: string
    comes_in: boolean
    became: 'office' | 'fee' | 'not_ours'
    made_at: Instant
    made_by: string
  }
  bank_statement: {
    company_id: number
    id: Generated<number>
    /** the last digits of the account: four, or more where two accounts share them */
    account: string
    format: 'bai2' | 'csv'
    file_name: string
    digest: string
    from_day: string
    to_day: string
    /** null where the file tells no balances */
    opening_cents: number | null
    closing_cents: number | null
    line_count: number
    taken_at: Instant
    /** keyed hash of the whole number, which is not kept; empty where the file told none */
    account_mark: Given<string>
  }
  /** files of bills that came from a billing system, and what became of them */
  billing_file: {
    company_id: number
    id: Generated<number>
    name: string
    way: 'upload' | 'key' | 'folder' | 'command'
    /** who sent it, as they were called then: a person, a key, a folder */
    sender: string
    received_at: Instant
    state: 'rehearsing' | 'rehearsed' | 'taking' | 'taken' | 'refused' | 'discarded'
    settled_at: Instant | null
    problem: Given<string>
    /** it was to be taken over and came to something else than was rehearsed */
    changed_meanwhile: Given<boolean>
    /** over all that a rehearsal said: what is taken over must come to the same */
    digest: Buffer | null
    lines_read: Given<number>
    /** lines that are taken over: where one that was cut off goes on */
    lines_done: Given<number>
    wrong_count: Given<number>
    accounts_created: Given<number>
    accounts_updated: Given<number>
    bills_created: Given<number>
    bills_changed: Given<number>
    bills_unchanged: Given<number>
    billed_cents: Given<number>
    received_cents: Given<number>
    adjustments_created: Given<number>
    adjusted_cents: Given<number>
    shutoffs_changed: Given<number>
    documents_kept: Given<number>
    documents_missing: Given<number>
  }
  /** what single lines of a file of bills change, and why others were refused */
  billing_file_line: {
    company_id: number
    id: Generated<number>
    file_id: number
    line: number
    what: 'wrong' | 'account' | 'account_updated' | 'bill' | 'paid' | 'adjustment' | 'shutoff' | 'no_document'
    account: Given<string>
    customer: Given<string>
    bill: Given<string>
    cents: number | null
    before_cents: number | null
    reason: Given<string>
  }
  calendar_feed: {
    company_id: number
    id: Generated<number>
    secret_hash: Buffer
    person_id: number | null
    department_id: number | null
    created_at: Instant
    created_by: number | null
    kind: Given<string>
  }
  canned_answer: {
    company_id: number
    id: Generated<number>
    subject_kind: string
    title: string
    text: string
  }
  case_entry: {
    company_id: number
    id: Generated<number>
    subject_kind: string
    subject_id: number
    at: Instant
    /** message: of whoever asked; reply: of the staff to them; note: among the staff; assignment: its text is the name of whoever was given it */
    kind: 'message' | 'reply' | 'note' | 'assignment'
    /** what is for the staff never reaches anybody else, on no screen and in no mail */
    visibility: 'everyone' | 'staff'
    author_kind: 'person' | 'municipality' | 'platform'
    author_id: number | null
    author_name: string
    text: string
    assigned_to: number | null
    department_id: number | null
  }
  case_link: {
    company_id: number
    token_hash: Buffer
    subject_kind: string
    subject_id: number
    created_at: Instant
    expires_at: Instant
  }
  case_reader: {
    company_id: number
    subject_kind: string
    subject_id: number
    reader_kind: 'person' | 'municipality' | 'platform'
    /** 0: whoever asked, as they come by the mailed link */
    reader_id: number
    seen_id: Given<number>
    watches: Given<boolean>
  }
  case_told: {
    company_id: number
    entry_id: number
    told_at: Instant
  }
  ccs_hand_off: {
    company_id: number
    issuer: string
    jti: string
    code_hash: Buffer
    subject: string
    created_at: Instant
    code_expires_at: Instant
    /** from when on its token is refused for its age anyway, and the row may go */
    expires_at: Instant
    used_at: Instant | null
  }
  /** the billing system that hands customers over: who it is and its public keys */
  ccs_issuer: {
    company_id: number
    issuer: string
    label: string
    jwks: Json<ColumnTypes['ccs_issuer.jwks']> | null
    jwks_url: string | null
    is_active: Given<0 | 1>
  }
  checkout_link: {
    company_id: number
    token_hash: Buffer
    checkout_id: number
    created_at: Instant
    expires_at: Instant
  }
  closed_period: {
    company_id: number
    kind: 'day' | 'month' | 'year'
    last_day: string
    first_day: string
    closed_at: Instant
    person_id: number | null
    closed_by: string
    figures: Json<ColumnTypes['closed_period.figures']>
  }
  closed_request_sum: {
    company_id: number | null
    span: string | null
    since: string | null
    category_id: number | null
    status: number | null
    requests: number | null
    late: number | null
  }
  /** reference: municipalities; public facts only, read by every host */
  company: {
    id: Given<number>
    guid: Given<string>
    name: string
    subdomain: string
    license_no: Given<string>
    address1: string
    address2: Given<string>
    city: string
    state: string
    zipcode: string
    phone_no: string
    website_url: string
    timezone_id: Given<number>
    office_hours_open: Given<string>
    office_hours_closed: Given<string>
    is_online: Given<0 | 1>
    offline_msg: Given<string>
    use_dbilling: Given<0 | 1>
    is_managed_services: Given<0 | 1>
    has_chk_agnst_prcl: Given<0 | 1>
    is_demo: Given<0 | 1>
    founded: number | null
    tagline: Given<string>
    site_wide_message: Given<string>
    theme_background: Given<string>
    theme_text: Given<string>
    file_path: Given<string>
    created_at: GivenInstant
    name_key: Computed<string>
    search_text: Computed<string>
    fiscal_month: Given<number>
    /** ten digits; empty: no payments by phone */
    pay_by_phone_number: Given<string>
  }
  company_announcement: {
    company_id: number
    id: Generated<number>
    place: 'landing' | 'back_office'
    message: string
    until: string
  }
  company_component: {
    company_id: number
    url: string
    is_active: Given<0 | 1>
  }
  company_config: {
    company_id: number
    tags: GivenJson<ColumnTypes['company_config.tags']>
    contacts: GivenJson<ColumnTypes['company_config.contacts']>
  }
  company_config_version: {
    company_id: number
    id: Generated<number>
    at: Instant
    actor_kind: string
    actor_id: number | null
    actor_name: string
    section: string
    origin: Given<'form' | 'logo' | 'put_back' | 'import'>
    before: Json<ColumnTypes['company_config_version.before']>
    after: Json<ColumnTypes['company_config_version.after']>
  }
  company_service: {
    company_id: number
    id: number
    name: string
    description: string
    icon: string | null
    url: string
    is_active: Given<0 | 1>
    position: number
    button_text: Given<string>
  }
  crew: {
    company_id: number
    id: Generated<number>
    name: string
    is_active: Given<0 | 1>
  }
  crew_member: {
    company_id: number
    crew_id: number
    person_id: number
  }
  /** counts of a town by its own days (features/analytics) */
  daily_figure: {
    company_id: number
    day: string
    measure: string
    part: string
    count: number
    cents: number
  }
  department: {
    company_id: number
    id: Generated<number>
    name: string
    is_active: Given<0 | 1>
    created_at: GivenInstant
  }
  download_ticket: {
    company_id: number
    code_hash: Buffer
    call: string
    body: Json<ColumnTypes['download_ticket.body']>
    /** 0: a guest */
    person_id: number
    person_kind: 'guest' | 'citizen' | 'municipality' | 'platform'
    expires_at: Instant
    used_at: Instant | null
    /** the impersonated session it was asked for in; null for a session of one's own */
    session_hash: Buffer | null
  }
  /** cash drawers of the office (features/counter/) */
  drawer: {
    company_id: number
    id: Generated<number>
    status: 'open' | 'closed'
    clerk_id: number
    clerk_name: string
    opened_at: Instant
    /** how many there were of each coin and note, by its value in cents */
    opening_counts: Json<ColumnTypes['drawer.opening_counts']>
    opening_cents: number
    closed_at: Instant | null
    closing_counts: Json<ColumnTypes['drawer.closing_counts']> | null
    closing_cents: number | null
    /** what should have been in it when it was closed, by its payments */
    expected_cents: number | null
    note: Given<string>
    /** payments and later voids as the day sheet shows them, stored at closing */
    sheet: Json<ColumnTypes['drawer.sheet']> | null
  }
  /** corrections of closed drawers (features/counter/) */
  drawer_correction: {
    company_id: number
    id: Generated<number>
    drawer_id: number
    at: Instant
    person_id: number
    person_name: string
    /** cash more than the count said; negative for less */
    cents: number
    reason: string
  }
  /** which payments were taken into which drawer */
  drawer_payment: {
    company_id: number
    order_id: number
    drawer_id: number
    tendered_cents: number
    change_cents: number
  }
  earning_day: {
    company_id: number
    day: string
    account: string
    other: string
    cents: number
  }
  /** reference: kinds of scheduled items */
  event_type: {
    id: number
    name: string
    category: 'billing' | 'rental' | 'workorder' | 'inspection'
  }
  factor_step: {
    company_id: number
    code_hash: Buffer
    purpose: 'second' | 'enrol' | 'passkey' | 'new_app' | 'new_passkey'
    /** null while nobody knows yet whose passkey it will be */
    person_id: number | null
    /** how they showed who they are before the second factor, for the Login Report */
    first_way: Given<string>
    challenge: string | null
    secret_sealed: string | null
    tries: Given<number>
    created_at: Instant
    expires_at: Instant
    used_at: Instant | null
    /** of the identity that waits to be linked (sso_pending) */
    sso_ticket_hash: Buffer | null
  }
  /** local: counters of wrong guesses, by hash */
  failed_guess: {
    scope: string
    key_hash: Buffer
    failures: number
    window_started_at: Instant
    blocked_until: Instant | null
  }
  faq: {
    company_id: number
    id: Generated<number>
    category_id: number
    status: Given<'draft' | 'published'>
    question: string
    answer: Json<ColumnTypes['faq.answer']>
    /** the words of the answer alone, which the search reads */
    answer_text: string
    /** how else people ask it, a line each; read by the search alone */
    asked_as: Given<string>
    position: number
    shown_from: string | null
    shown_until: string | null
    /** when somebody last changed the question or its answer */
    edited_at: GivenInstant
  }
  faq_category: {
    company_id: number
    id: Generated<number>
    name: string
    position: number
  }
  faq_helped: {
    company_id: number
    faq_id: number
    day: string
    yes: Given<number>
    no: Given<number>
  }
  faq_missing: {
    company_id: number
    id: Generated<number>
    asked: string
    /** its words alone, in lower case: what is the same but for marks is counted as one */
    asked_key: string
    times: Given<number>
    first_at: Instant
    last_at: Instant
  }
  faq_synonym: {
    company_id: number
    id: Generated<number>
    /** words that the people of the town use for the same thing, with spaces between them */
    words: string
    lexemes: Computed<string>
  }
  fee_rule: {
    company_id: number
    id: Generated<number>
    /** what is paid, as lines have it, or a part of that (general/taxes); null: whatever no other rule names */
    kind: string | null
    method: 1 | 2
    channel: 'online' | 'phone' | 'autopay' | 'office' | null
    brand: 'visa' | 'mastercard' | 'amex' | 'discover' | null
    funding: 'credit' | 'debit' | null
    /** the town's day from which it is in force, until another of the same reach follows */
    valid_from: string
    /** from this day nothing is said here any more, and the wider rules hold */
    ends: Given<boolean>
    program: 'convenience' | 'service' | 'none'
    mode: 'single' | 'two_transactions'
    absorb: 0 | 1
    /** hundredths of a percent of the bill; where it recovers the provider's cost: of what the provider takes */
    bps: number
    fixed_cents: number
    min_cents: number
    max_cents: number
    /** grossed up, so that after the provider took this share and amount the bill is left whole */
    recovers: Given<boolean>
    /** null: it was there before fees had dates */
    made_at: Instant | null
    made_by: string
  }
  field_conflict: {
    company_id: number
    id: Generated<number>
    /** the id that the phone gave to what was done */
    action_id: string
    part: string
    subject_id: number
    subject_name: string
    label: string
    /** which call the phone made, and with which body */
    call: string
    body: Json<ColumnTypes['field_conflict.body']>
    refusal: string
    /** the fields that both changed, with both values */
    collisions: GivenJson<ColumnTypes['field_conflict.collisions']>
    /** by the clock of the phone */
    made_at: Instant
    kept_at: Instant
    person_id: number
    person_name: string
    status: 'open' | 'mine' | 'theirs' | 'both'
    settled_at: Instant | null
    settled_by: Given<string>
  }
  field_draft: {
    company_id: number
    field_set_id: number
    /** person 17, or a guest by the hash of a secret that is in their browser */
    owner: string
    /** what it is about, where somebody fills in the same more than once */
    subject: string
    version: number
    raw: Json<ColumnTypes['field_draft.raw']>
    /** what newer versions changed since it was begun, in sentences that its owner has not seen yet */
    changes: GivenJson<ColumnTypes['field_draft.changes']>
    saved_at: Instant
  }
  field_set: {
    company_id: number
    id: Generated<number>
    /** what it is used for, named by the feature that uses it */
    kind: string
    name: string
    /** what staff work on; nobody fills it in before it is published */
    draft: Json<ColumnTypes['field_set.draft']>
    /** 0: none was published yet */
    latest_version: Given<number>
    created_at: Instant
    updated_at: Instant
  }
  field_set_version: {
    company_id: number
    field_set_id: number
    version: number
    definition: Json<ColumnTypes['field_set_version.definition']>
    published_at: Instant
    published_by: string
  }
  figure_progress: {
    company_id: number
    through: string
    looked_at: Instant
  }
  /** local: when the daily figures were last brought up to date */
  figure_walk: {
    id: Given<1>
    began_at: Instant
    through: string
  }
  form_1099k: {
    company_id: number
    year: number
    filer: string
    /** the legal entity that the form names */
    payee: string
    tin_last4: string
    /** box 1a */
    gross_cents: number
    /** box 1b */
    not_present_cents: number
    /** box 3 */
    transactions: number
    /** boxes 5a to 5l: twelve amounts in cents, January first */
    month_cents: Json<ColumnTypes['form_1099k.month_cents']>
    saved_at: Instant
    saved_by: string
  }
  form_number: {
    company_id: number
    year: number
    last: number
  }
  form_paper: {
    company_id: number
    submission_id: number
    /** stays through all renewals, as does the code: L-2026-000012 */
    number: string
    /** what the QR code leads to: /verify/{code} */
    code: string
    title: string
    holder: string
    issued_on: string
    /** the last day on which it holds; null: it holds for good */
    expires_on: string | null
    remind_on: string | null
    reminded_at: Instant | null
  }
  form_paper_number: {
    company_id: number
    year: number
    last: number
  }
  form_pdf: {
    company_id: number
    id: Generated<number>
    type_id: number
    /** flat: nothing can be filled in by a program */
    kind: 'fillable' | 'flat'
    /** [{pdf, label, name}]: each field of the PDF, and which field of the form is written into it; name is empty where nothing is */
    mapping: GivenJson<ColumnTypes['form_pdf.mapping']>
    /** fields of the PDF that nobody fills in: buttons, signatures by certificate */
    left_out: GivenJson<ColumnTypes['form_pdf.left_out']>
    /** {of, shown: {renderer: count}, unseen: [pdf]}: what two programs drew of it when it was added */
    proof: Json<ColumnTypes['form_pdf.proof']> | null
    added_at: Instant
    added_by: string
    /** what was sent while it counted keeps it */
    removed_at: Instant | null
  }
  form_renewal: {
    company_id: number
    submission_id: number
    renews_id: number
  }
  form_round: {
    company_id: number
    submission_id: number
    no: number
    field_set_id: number
    version: number
    answers: Json<ColumnTypes['form_round.answers']>
    sent_by: string
    at: Instant
  }
  form_settlement: {
    company_id: number
    id: Generated<number>
    submission_id: number
    order_id: number
    line_no: number
    source: string
    source_ref: string
    kind: 'credit' | 'reversal'
    amount_cents: number
    at: Instant
  }
  form_submission: {
    company_id: number
    /** the year and a number of the town's in it: 20260000123 is F-2026-000123 */
    id: number
    public_id: Given<string>
    number: Computed<string>
    type_id: number
    title: string
    field_set_id: number
    version: number
    /** what was sent last; what is typed and not sent yet is a draft of the kit (field_draft) */
    answers: GivenJson<ColumnTypes['form_submission.answers']>
    answer_words: Given<string>
    facts: GivenJson<ColumnTypes['form_submission.facts']>
    items: GivenJson<ColumnTypes['form_submission.items']>
    /** the answers to the fields that limit how many there are */
    limit_key: string | null
    /** 0 Payment Required, 1 Pending Review, 2 Rejected, 3 Approved, 10 Draft, 11 More Asked, 12 Withdrawn, 13 Revoked, 14 Expired */
    status: Given<0 | 1 | 2 | 3 | 10 | 11 | 12 | 13 | 14>
    /** whose session it came from: of a helper, theirs */
    person_id: number | null
    made_by: Given<'person' | 'helper' | 'staff'>
    /** who filled it in for name, where that was somebody else */
    helper_name: Given<string>
    name: Given<string>
    email: Given<string>
    phone: Given<string>
    signer_name: Given<string>
    signer_email: Given<string>
    signer_token_hash: Buffer | null
    /** how the second person signed: {typed} or {drawn}, and what they were shown */
    signer_evidence: Json<ColumnTypes['form_submission.signer_evidence']> | null
    signed_at: Instant | null
    fee_cents: Given<number>
    paid_cents: Given<number>
    paid_at: Instant | null
    /** how often it was sent: each time is kept in form_round */
    rounds: Given<number>
    created_at: Instant
    submitted_at: Instant | null
    decided_at: Instant | null
    decided_by: Given<string>
    closed_at: Instant | null
    updated_at: Instant
    assigned_to: number | null
    department_id: number | null
    last_message_id: Given<number>
    last_from: Given<'person' | 'staff'>
    first_answered_at: Instant | null
    search_text: Computed<string>
  }
  /** reference: forms and documents that the platform offers to towns */
  form_template: {
    id: Generated<number>
    title: string
    description: Given<string>
    category: string
    is_active: Given<0 | 1>
    current_version: Given<number>
    /** from then on it is made inactive, never removed: a town may have used it */
    first_assigned_at: Instant | null
    created_at: Instant
    created_by: number | null
    changed_at: Instant
    changed_by: number | null
    title_key: Computed<string>
    search_text: Computed<string>
  }
  form_template_assignment: {
    company_id: number
    template_id: number
    assigned_at: Instant
    assigned_by: number | null
  }
  /** the attachments of form templates, by version */
  form_template_version: {
    template_id: number
    version: number
    original_name: string
    content_type: string
    bytes: number
    sha256: Buffer
    uploaded_at: Instant
    uploaded_by: number | null
  }
  form_type: {
    company_id: number
    id: Generated<number>
    status: Given<'draft' | 'published' | 'closed'>
    title: string
    title_key: Computed<string>
    /** its address: /forms-documents/block-party */
    slug: string
    category: string
    description: string
    /** link: residents who have its address; staff: whoever fills it in for somebody at the counter */
    seen_by: 'residents' | 'link' | 'staff'
    opens_on: string | null
    closes_on: string | null
    /** so many one person may send within each_days; null: any number */
    most_each: number | null
    each_days: Given<number>
    /** names of fields: at most most_same that are open or approved may have the same answers to them */
    limit_fields: GivenJson<ColumnTypes['form_type.limit_fields']>
    most_same: number | null
    department_id: number | null
    reviewer_id: number | null
    fee_kind: 'none' | 'fixed' | 'computed'
    fee_cents: number | null
    gl_account: Given<string>
    /** a second person signs by a mailed link before it counts as sent */
    is_cosigned: Given<0 | 1>
    /** what an approval gives out: Dog license; empty: nothing but the approval */
    issues: Given<string>
    /** what is given out holds for so long; null: for good */
    valid_months: number | null
    /** whoever has it is reminded so long before it ends */
    remind_days: Given<number>
    /** the form of the platform's library that it was made from */
    template_id: number | null
    field_set_id: number
    created_at: Instant
    changed_at: Instant
  }
  found_address: {
    company_id: number
    id: number
    street_id: number
    house_number: string
    number: number
    unit: string
    city: string
    state: string
    zipcode: string
    lat: number
    lon: number
    at: Point
  }
  found_alert: {
    company_id: number
    id: number
    public_id: string
    number: string
    status: 'draft' | 'waiting' | 'scheduled' | 'sending' | 'sent' | 'updated' | 'cancelled' | 'ended'
    kind: 'alert' | 'update' | 'cancel' | 'all_clear'
    about_id: number | null
    service_id: number
    event: string
    category: 'Geo' | 'Met' | 'Safety' | 'Security' | 'Rescue' | 'Fire' | 'Health' | 'Env' | 'Transport' | 'Infra' | 'CBRNE' | 'Other'
    urgency: 'Immediate' | 'Expected' | 'Future' | 'Past' | 'Unknown'
    severity: 'Extreme' | 'Severe' | 'Moderate' | 'Minor' | 'Unknown'
    certainty: 'Observed' | 'Likely' | 'Possible' | 'Unlikely' | 'Unknown'
    words: Json<ColumnTypes['alert.words']>
    headline: string
    by_email: boolean
    by_text: boolean
    on_pages: boolean
    area: Json<ColumnTypes['alert.area']>
    area_words: string
    send_at: Instant | null
    expires_at: Instant
    people: number
    submitted_by: string
    created_at: Instant
    edited_at: Instant
    sent_at: Instant | null
    search_text: string | null
    by_call: boolean
    cap: Json<ColumnTypes['alert.cap']> | null
  }
  found_arrangement: {
    company_id: number
    id: number
    kind: string
    payable_id: number
    reference: string
    payer_name: string
    state: 'proposed' | 'active' | 'kept' | 'broken' | 'ended'
    total_cents: number
    installments: number
    grace_days: number
    paid_before_cents: number
    made_by: string
    made_at: Instant
    last_due: string
    person_id: number | null
    agreed_at: Instant | null
    agreed_version: number | null
    agreed_by: string
    agreed_address: string
    agreed_device: string
    closed_at: Instant | null
    search_text: string
  }
  found_autopay: {
    company_id: number
    id: number
    person_id: number
    kind: string
    payable_id: number
    reference: string
    method_id: number
    state: 'active' | 'paused' | 'ended' | 'removed'
    timing: 'due' | 'before' | 'day'
    days_before: number
    day_of_month: number
    cap_cents: number | null
    skip_next: boolean
    enrolled_at: Instant
    ended_at: Instant | null
    end_reason: string
    end_code: string
    search_text: string
  }
  found_bank_line: {
    company_id: number
    id: number
    statement_id: number
    line_no: number
    booked_on: string
    amount_cents: number
    code: string
    reference: string
    says: string
    became: 'open' | 'payout' | 'office' | 'lockbox' | 'fee' | 'not_ours'
    payout_id: number | null
    lockbox_file: string | null
    settled_at: Instant | null
    settled_by: string
    reason: string
    search_text: string
    version: number
  }
  found_form_submission: {
    company_id: number
    id: number
    public_id: string
    number: string
    type_id: number
    title: string
    field_set_id: number
    version: number
    answers: Json<ColumnTypes['form_submission.answers']>
    answer_words: string
    facts: Json<ColumnTypes['form_submission.facts']>
    items: Json<ColumnTypes['form_submission.items']>
    limit_key: string | null
    status: 0 | 1 | 2 | 3 | 10 | 11 | 12 | 13 | 14
    person_id: number | null
    made_by: 'person' | 'helper' | 'staff'
    helper_name: string
    name: string
    email: string
    phone: string
    signer_name: string
    signer_email: string
    signer_token_hash: Buffer | null
    signer_evidence: Json<ColumnTypes['form_submission.signer_evidence']> | null
    signed_at: Instant | null
    fee_cents: number
    paid_cents: number
    paid_at: Instant | null
    rounds: number
    created_at: Instant
    submitted_at: Instant | null
    decided_at: Instant | null
    decided_by: string
    closed_at: Instant | null
    updated_at: Instant
    assigned_to: number | null
    department_id: number | null
    last_message_id: number
    last_from: 'person' | 'staff'
    first_answered_at: Instant | null
    search_text: string
  }
  found_general_charge: {
    company_id: number
    id: number
    type_id: number
    item_number: string | null
    item_key: string | null
    address: string
    notice_code: string
    field_set_id: number | null
    version: number | null
    answers: Json<ColumnTypes['general_charge.answers']>
    answer_words: string
    facts: Json<ColumnTypes['general_charge.facts']>
    items: Json<ColumnTypes['general_charge.items']>
    payer_name: string
    name_key: string
    email: string
    person_id: number | null
    amount_cents: number
    paid_cents: number
    due_date: string | null
    is_numbered: boolean
    stock_number: string | null
    held_until: Instant | null
    made_by: string
    created_at: Instant
    at: Instant
    paid_at: Instant | null
    status: string
    search_text: string
  }
  found_hydrant: {
    company_id: number
    id: number
    public_id: string
    number: string
    make: string
    model: string
    made_year: number | null
    size_inches: number | null
    main_inches: number | null
    place: string
    address_id: number | null
    lat: number | null
    lon: number | null
    at: Point | null
    notes: string
    service: 'in_service' | 'out_of_service' | 'retired'
    service_reason: string
    service_since: Instant
    last_inspected_on: string | null
    next_inspection_on: string | null
    tested_on: string | null
    available_gpm: number | null
    flow_class: 'AA' | 'A' | 'B' | 'C' | null
    next_or_never: string
    search_text: string
  }
  found_inspection: {
    company_id: number
    id: number
    public_id: string
    number: string
    template_id: number
    field_set_id: number
    version: number
    title: string
    subject_kind: string
    subject_id: number | null
    subject_name: string
    place: string
    address_id: number | null
    lat: number | null
    lon: number | null
    at: Point | null
    status: 'scheduled' | 'passed' | 'failed' | 'cancelled'
    due_on: string
    starts_at: Instant | null
    assigned_to: number | null
    item_id: number | null
    again_of: number | null
    created_at: Instant
    finished_at: Instant | null
    finished_by: string
    search_text: string
  }
  found_lockbox_payment: {
    company_id: number
    id: number
    trace: string
    file_name: string
    received_at: Instant
    paid_on: string
    account: string
    payer_name: string
    amount_cents: number
    currency: string
    state: 'waiting' | 'posted' | 'sent_back'
    reason: string
    order_id: number | null
    settled_at: Instant | null
    search_text: string
  }
  found_move_request: {
    company_id: number
    id: number
    number: string
    kind: number
    status: 'Pending' | 'Completed' | 'Withdrawn'
    created_at: Instant
    updated_at: Instant
    closed_at: Instant | null
    person_id: number | null
    name: string
    email: string
    phone: string
    account_id: number | null
    account_number: string
    leaves_place: string
    leaves_address_id: number | null
    leaves_by: 'account' | 'user' | 'register_address' | 'address'
    leaves_on: string | null
    enters_place: string
    enters_address_id: number | null
    enters_on: string | null
    moves_on: string
    forwarding: string
    note: string
    final_read: number | null
    first_read: number | null
    owner_name: string
    owner_email: string
    owner_answer: 'none' | 'asked' | 'agreed' | 'refused'
    owner_answered_at: Instant | null
    owner_signed: string
    owner_stands_in: boolean
    assigned_to: number | null
    department_id: number | null
    last_message_id: number
    last_from: 'person' | 'staff'
    first_answered_at: Instant | null
    search_text: string | null
    charge_id: number | null
  }
  found_parcel: {
    company_id: number
    id: number
    parcel_number: string
    number_key: string
    address: string
    owner_name: string
    land_use: string
    lat: number
    lon: number
    at: Point
    outline: Json<ColumnTypes['parcel.outline']>
    search_text: string
  }
  found_parking_ticket: {
    company_id: number
    id: number
    citation: string
    plate: string
    plate_state: string
    vehicle: string
    violation_id: number
    violation_code: string
    violation_text: string
    officer: string
    issued_at: Instant
    place: string
    address_id: number | null
    lat: number | null
    lon: number | null
    at: Point | null
    notes: string
    email: string
    status: 'open' | 'paid' | 'contested' | 'void' | 'warning'
    fine_cents: number
    late_cents: number
    paid_cents: number
    due_on: string
    counted_from: string
    last_step_day: number
    unpaid_cents: number | null
    search_text: string | null
    contest_until: string
  }
  found_payment_order: {
    company_id: number
    id: number
    status: 0 | 1 | 2 | 3 | 5
    checkout_id: number | null
    person_id: number | null
    reference: string
    payer_name: string
    payer_email: string
    location: ColumnTypes['payment_order.location']
    method: 1 | 2 | 3 | 4 | 5 | 6
    pay_type: 1 | 2 | 3
    bill_cents: number
    fee_cents: number
    absorbed_fee_cents: number
    total_cents: number
    refunded_cents: number
    fee_quote: Json<ColumnTypes['payment_order.fee_quote']>
    means: string
    return_code: string | null
    dispute_open: boolean
    created_at: Instant
    paid_at: Instant | null
    search_text: string
    kept_bill_cents: number
    kept_fee_cents: number
    refunded_bill_cents: number
    refunded_fee_cents: number
    returned_bill_cents: number
    returned_fee_cents: number
    type: string
  }
  found_payout: {
    company_id: number
    id: number
    provider: string
    provider_ref: string
    trace: string
    paid_at: Instant
    arrives_on: string
    gross_cents: number
    cost_cents: number
    net_cents: number
    line_count: number
    line_cents: number
    deposited_cents: number | null
    deposited_on: string | null
    search_text: string
  }
  found_person: {
    company_id: number
    id: number
    role_id: number
    email: string
    first_name: string
    last_name: string
    name_key: string | null
    service_address: string
    mobile_no: string
    is_active: 0 | 1
    locked_at: Instant | null
  }
  found_premise_note: {
    company_id: number
    id: number
    public_id: string
    kind: 'hazard' | 'access' | 'person'
    place: string
    address_id: number | null
    lat: number | null
    lon: number | null
    at: Point | null
    words_sealed: string
    agreed_by: string
    agreed_on: string | null
    agreed_how: string
    confirm_on: string
    written_at: Instant
    written_by: string
    ended_at: Instant | null
    is_ended: boolean
    search_text: string
  }
  found_recon_exception: {
    company_id: number
    id: number
    kind: 'line_unknown' | 'line_differs' | 'not_paid_out' | 'payout_sum' | 'deposit_missing' | 'deposit_differs' | 'bank_unknown' | 'statement_gap' | 'remittance_differs'
    subject: string
    about: string
    on_day: string
    amount_cents: number
    status: 'open' | 'resolved' | 'cleared'
    opened_at: Instant
    ended_at: Instant | null
    owner_id: number | null
    owner_name: string
    reason: string
    search_text: string
    version: number
  }
  found_registration: {
    company_id: number
    id: number
    kind: number
    number: string
    status: 'pending' | 'asked' | 'registered' | 'due' | 'lapsed' | 'refused' | 'ended'
    person_id: number
    name: string
    owner_name: string
    place: string
    address_id: number | null
    lat: number | null
    lon: number | null
    at: Point | null
    field_set_id: number
    version: number
    answers_sealed: string
    for_responders: boolean
    alerts: string[]
    people: number
    pets: number
    units: number
    made_at: Instant
    changed_at: Instant
    confirm_by: string | null
    reminded: number
    inspect_by: string | null
    confirm_or_never: string
    inspect_or_never: string
    search_text: string
  }
  found_rental_application: {
    company_id: number
    id: number
    number: string
    round_id: number
    person_id: number
    status: 'submitted' | 'withdrawn' | 'excluded' | 'given' | 'not_given'
    name: string
    email: string
    phone: string
    club: string
    purpose: string
    guests: number
    is_resident: boolean
    group_no: number
    agreed_at: Instant
    created_at: Instant
    updated_at: Instant
    search_text: string | null
  }
  found_rental_reservation: {
    company_id: number
    id: number
    number: string
    resource_id: number
    space_id: number
    title: string
    pieces: number
    starts_at: Instant
    ends_at: Instant
    status: 'waiting' | 'requested' | 'held' | 'confirmed' | 'in_use' | 'completed' | 'no_show' | 'declined' | 'expired' | 'cancelled'
    held_until: Instant | null
    person_id: number | null
    name: string
    email: string
    phone: string
    purpose: string
    guests: number
    is_resident: boolean
    by_staff: boolean
    items: Json<ColumnTypes['rental_reservation.items']>
    price_cents: number
    deposit_cents: number
    paid_cents: number
    back_cents: number
    kept_cents: number
    kept_reason: string
    agreed_text: string
    agreed_at: Instant | null
    changes: number
    calendar_item_id: number | null
    told: boolean
    created_at: Instant
    updated_at: Instant
    search_text: string | null
    series_id: number | null
    field_set_id: number | null
    agreement_id: number | null
    sign_token_hash: Buffer | null
    terms_from: Instant | null
  }
  found_service_request: {
    company_id: number
    id: number
    public_id: string
    number: string
    came_by: 'portal' | 'staff' | 'open311'
    created_at: Instant
    updated_at: Instant
    status: ColumnTypes['service_request.status']
    closed_at: Instant | null
    category_id: number
    title: string
    description: string
    place: string
    address_id: number | null
    lat: number | null
    lon: number | null
    at: Point | null
    field_set_id: number | null
    version: number | null
    answers: Json<ColumnTypes['found_service_request.answers']>
    name: string
    email: string
    phone: string
    person_id: number | null
    due_at: Instant
    escalated_at: Instant | null
    reopen_until: Instant | null
    merged_into: number | null
    is_spam: boolean
    assigned_to: number | null
    department_id: number | null
    last_message_id: number
    last_from: 'person' | 'staff'
    first_answered_at: Instant | null
    search_text: string | null
    split_from: number | null
  }
  found_street: {
    company_id: number
    id: number
    name: string
    name_key: string
    lines: Json<ColumnTypes['street.lines']>
  }
  found_utility_account: {
    company_id: number
    id: number
    account_number: string
    customer_name: string
    customer_email: string
    phone_no: string
    service_address: string
    city: string
    state: string
    zipcode: string
    created_at: Instant
    name_key: string | null
  }
  found_work_order: {
    company_id: number
    id: number
    public_id: string
    number: string
    title: string
    description: string
    kind: 'repair' | 'reading' | 'inspection' | 'maintenance'
    status: 0 | 1 | 2 | 3 | 4
    severity: 0 | 1 | 2
    source_kind: string | null
    source_id: number | null
    asset_kind: string | null
    asset_id: number | null
    asset_name: string
    plan_id: number | null
    plan_day: string | null
    place: string
    address_id: number | null
    lat: number | null
    lon: number | null
    at: Point | null
    department_id: number | null
    assigned_to: number | null
    due_on: string | null
    starts_at: Instant | null
    ends_at: Instant | null
    item_id: number | null
    minutes: number
    cost_cents: number
    created_at: Instant
    completed_at: Instant | null
    is_open: boolean
    due_or_never: string
    search_text: string
    crew_id: number | null
  }
  found_work_plan: {
    company_id: number
    id: number
    title: string
    description: string
    kind: 'repair' | 'reading' | 'inspection' | 'maintenance'
    severity: 0 | 1 | 2
    department_id: number | null
    assigned_to: number | null
    place: string
    address_id: number | null
    lat: number | null
    lon: number | null
    at: Point | null
    checklist: string[]
    rule: string
    starts_on: string
    start_time: string
    minutes: number
    lead_days: number
    is_active: 0 | 1
    next_on: string
    search_text: string
    crew_id: number | null
  }
  general_charge: {
    company_id: number
    id: Generated<number>
    type_id: number
    /** of an open item, as the import named it; item_key has its letters and digits alone */
    item_number: string | null
    item_key: string | null
    address: Given<string>
    /** stands on the printed notice: a proof of who has it */
    notice_code: Given<string>
    field_set_id: number | null
    version: number | null
    answers: GivenJson<ColumnTypes['general_charge.answers']>
    answer_words: Given<string>
    /** what the receipt says of it: {name, value}; items: what its amount is made of */
    facts: GivenJson<ColumnTypes['general_charge.facts']>
    items: GivenJson<ColumnTypes['general_charge.items']>
    payer_name: string
    name_key: Computed<string>
    email: Given<string>
    person_id: number | null
    amount_cents: number
    paid_cents: Given<number>
    due_date: string | null
    is_numbered: Given<boolean>
    stock_number: string | null
    /** until then the number is held for whoever is about to pay; null once it is theirs */
    held_until: Instant | null
    made_by: Given<string>
    created_at: Instant
    /** when it was paid first, until then when it was made */
    at: Instant
    paid_at: Instant | null
    status: Computed<string>
    search_text: Computed<string>
  }
  general_settlement: {
    company_id: number
    id: Generated<number>
    charge_id: number
    order_id: number
    line_no: number
    source: string
    source_ref: string
    kind: 'credit' | 'reversal'
    amount_cents: number
    at: Instant
  }
  gl_account: {
    company_id: number
    account: string
    number: string
  }
  guest_checkout: {
    company_id: number
    id: Generated<number>
    token_hash: Buffer
    created_at: Instant
    expires_at: Instant
    payables: Json<ColumnTypes['guest_checkout.payables']>
    last_no: number
    cart_of: number | null
  }
  held_movement: {
    company_id: number
    source_ref: string
    way: string
    source: string
    at: Instant
    cents: number
  }
  hydrant: {
    company_id: number
    id: Generated<number>
    public_id: Given<string>
    number: string
    make: Given<string>
    model: Given<string>
    made_year: number | null
    /** of its main valve */
    size_inches: number | null
    /** of the water main that it stands on */
    main_inches: number | null
    place: Given<string>
    address_id: number | null
    lat: number | null
    lon: number | null
    at: Point | null
    notes: Given<string>
    service: 'in_service' | 'out_of_service' | 'retired'
    service_reason: Given<string>
    service_since: Instant
    last_inspected_on: string | null
    next_inspection_on: string | null
    tested_on: string | null
    available_gpm: number | null
    flow_class: 'AA' | 'A' | 'B' | 'C' | null
    next_or_never: Computed<string>
    search_text: Computed<string>
  }
  hydrant_flow_test: {
    company_id: number
    id: Generated<number>
    public_id: Given<string>
    hydrant_id: number
    tested_on: string
    tested_by: string
    /** which hydrants water ran from, where those are other than the one whose pressure was read */
    flowed_at: Given<string>
    static_psi: number
    residual_psi: number
    outlets: Json<ColumnTypes['hydrant_flow_test.outlets']>
    flow_gpm: number
    /** at 20 psi */
    available_gpm: number
    flow_class: 'AA' | 'A' | 'B' | 'C'
    notes: Given<string>
    recorded_at: Instant
    struck_at: Instant | null
    struck_by: Given<string>
    struck_reason: Given<string>
    search_text: Computed<string>
  }
  hydrant_settings: {
    company_id: number
    /** of the fire department: told when a hydrant goes out of service and when it is back */
    fire_emails: Given<ColumnTypes['hydrant_settings.fire_emails']>
    inspection_months: number
    flow_test_years: number
  }
  idempotency_key: {
    company_id: number
    call: string
    key: string
    body_hash: Buffer
    lease_until: Instant
    created_at: Instant
    kept_answer: string | null
  }
  identity_settings: {
    company_id: number
    /** a town without a row follows the standard rules */
    password_rules: Given<'standard' | 'nist'>
    /** of the town's staff; its residents are free */
    require_second_factor: Given<boolean>
  }
  impersonation: {
    company_id: number
    id: Generated<number>
    actor_kind: 'platform' | 'municipality'
    actor_id: number
    actor_name: string
    /** token hash of the session it was started from: when that ends, this ends */
    actor_session: Buffer
    target_id: number | null
    reason: string
    code_hash: Buffer
    admin_code_hash: Buffer
    created_at: Instant
    expires_at: Instant
    used_at: Instant | null
  }
  inspection: {
    company_id: number
    id: Generated<number>
    public_id: Given<string>
    number: string
    template_id: number
    field_set_id: number
    version: number
    title: string
    subject_kind: string
    /** null where it is of a place alone */
    subject_id: number | null
    subject_name: string
    place: Given<string>
    address_id: number | null
    lat: number | null
    lon: number | null
    at: Point | null
    status: 'scheduled' | 'passed' | 'failed' | 'cancelled'
    due_on: string
    starts_at: Instant | null
    assigned_to: number | null
    /** where it stands in the calendar */
    item_id: number | null
    /** the failed inspection whose failed items this one looks at again */
    again_of: number | null
    created_at: Instant
    finished_at: Instant | null
    finished_by: Given<string>
    search_text: Computed<string>
  }
  inspection_item: {
    company_id: number
    id: Generated<number>
    public_id: Given<string>
    inspection_id: number
    no: number
    /** which step of the version's fields it asks */
    step: string
    title: string
    status: 'open' | 'complete' | 'passed' | 'failed'
    answers: GivenJson<ColumnTypes['inspection_item.answers']>
    note: Given<string>
    reason: Given<string>
    done_at: Instant | null
    done_by: Given<string>
    /** the item that is looked at again */
    repeat_of: number | null
  }
  inspection_number: {
    company_id: number
    year: number
    last: number
  }
  inspection_template: {
    company_id: number
    id: Generated<number>
    name: string
    subject_kind: string
    /** the next one is due so long after one was passed; null: it does not come again */
    every_months: number | null
    /** what a certificate says; empty: none is given */
    certificate: Given<string>
    field_set_id: number
    is_active: Given<0 | 1>
  }
  invitation: {
    company_id: number
    code_hash: Buffer
    person_id: number
    expires_at: Instant
    used_at: Instant | null
  }
  /** who changed a field last (server/edits.ts) */
  last_change: {
    company_id: number
    subject: string
    field: string
    at: Instant
    actor_name: string
  }
  ledger_account: {
    company_id: number
    code: string
    name: string
    kind: 'asset' | 'liability' | 'revenue' | 'expense'
  }
  ledger_day: {
    company_id: number | null
    made_on: string | null
    moved_on: string | null
    way: string | null
    method: number | null
    location: number | null
    absorbs: boolean | null
    payments: number | null
    bill_cents: number | null
    fee_cents: number | null
    absorbed_cents: number | null
    program: string | null
    mode: string | null
    provider: string | null
  }
  ledger_earning: {
    company_id: number | null
    order_id: number | null
    entry_id: number | null
    day: string | null
    account: string | null
    other: string | null
    cents: number | null
  }
  ledger_held: {
    company_id: number
    order_id: number | null
    entry_id: number
    source_ref: string
    way: string | null
    source: string
    at: Instant
    cents: number | null
  }
  ledger_movement: {
    company_id: number | null
    order_id: number | null
    entry_id: number | null
    made_on: string | null
    moved_on: string | null
    way: string | null
    method: number | null
    location: number | null
    absorbs: boolean | null
    payments: number | null
    bill_cents: number | null
    fee_cents: number | null
    absorbed_cents: number | null
    program: string | null
    mode: string | null
    provider: string | null
  }
  ledger_payment: {
    company_id: number | null
    order_id: number | null
    kept_bill_cents: number | null
    kept_fee_cents: number | null
    refunded_bill_cents: number | null
    refunded_fee_cents: number | null
    returned_bill_cents: number | null
    returned_fee_cents: number | null
  }
  ledger_transfer: {
    company_id: number
    id: Generated<number>
    entry_id: number
    order_id: number | null
    debit_account: string
    credit_account: string
    amount_cents: number
    source: string
    source_ref: string
    kind: string
    at: Instant
    line_no: number | null
    /** the line that a refund names */
    named_line_no: number | null
    /** of the charge of the fee, where it is charged by itself */
    of_fee: Given<boolean>
  }
  linked_account: {
    company_id: number
    person_id: number
    account_id: number
    linked_at: Instant
    nickname: Given<string>
    usage_limit: number | null
    away_from: string | null
    away_until: string | null
    also_to: Given<string>
    /** the last day there of whoever linked it: final bill and history stay theirs to see */
    left_on: string | null
  }
  /** payments of which the bank told in a file, once for each trace number */
  lockbox_payment: {
    company_id: number
    id: Generated<number>
    trace: string
    file_name: string
    received_at: Instant
    paid_on: string
    account: string
    payer_name: string
    amount_cents: number
    currency: Given<string>
    state: 'waiting' | 'posted' | 'sent_back'
    reason: Given<string>
    order_id: number | null
    settled_at: Instant | null
    search_text: string
  }
  mail_outbox: {
    company_id: number
    id: Generated<number>
    to_address: string
    subject: string
    text_body: string
    html_body: string
    attachments: GivenJson<ColumnTypes['mail_outbox.attachments']>
    created_at: Instant
    sent_at: Instant | null
    attempts: Given<number>
    last_error: string | null
    /** given up: it is not tried again */
    failed_at: Instant | null
    stop_url: Given<string>
    event: Given<string>
  }
  meter_read: {
    company_id: number
    account_id: number
    meter_number: string
    read_date: string
    service: string
    unit: string
    reading: number
    used: number
    /** how many days the use is of; the last of them is the day of the reading */
    days: number
    kind: 'actual' | 'estimated' | 'corrected'
    imported_at: Instant
  }
  method_setup: {
    company_id: number
    person_id: number
    setup_key: string
    method: 1 | 2
    provider: string
    provider_setup: string
    mandate_text: string
    mandate_at: Instant
    mandate_address: string
    mandate_device: string
    created_at: Instant
    settled_at: Instant | null
  }
  move_owner_link: {
    company_id: number
    move_id: number
    token_hash: Buffer
    expires_at: Instant
  }
  move_request: {
    company_id: number
    id: Generated<number>
    number: Computed<string>
    /** 1 move in, 2 move out, 3 move within (specification 9.7) */
    kind: number
    status: Given<'Pending' | 'Completed' | 'Withdrawn'>
    created_at: Instant
    updated_at: Instant
    closed_at: Instant | null
    person_id: number | null
    name: string
    email: Given<string>
    phone: Given<string>
    account_id: number | null
    account_number: Given<string>
    leaves_place: Given<string>
    leaves_address_id: number | null
    leaves_by: Given<'account' | 'user' | 'register_address' | 'address'>
    leaves_on: string | null
    enters_place: Given<string>
    enters_address_id: number | null
    enters_on: string | null
    moves_on: Computed<string>
    forwarding: Given<string>
    note: Given<string>
    final_read: number | null
    first_read: number | null
    owner_name: Given<string>
    owner_email: Given<string>
    owner_answer: Given<'none' | 'asked' | 'agreed' | 'refused'>
    owner_answered_at: Instant | null
    owner_signed: Given<string>
    /** the owner agreed to answer for the place whenever nobody lives there */
    owner_stands_in: Given<boolean>
    assigned_to: number | null
    department_id: number | null
    last_message_id: Given<number>
    last_from: Given<'person' | 'staff'>
    first_answered_at: Instant | null
    search_text: Computed<string>
    charge_id: number | null
  }
  moving_settings: {
    company_id: number
    for_guests: boolean
    /** so many days at least lie between asking and moving */
    lead_days: number
    farthest_days: number
    /** the department that reads the meters of who comes and who leaves; null where nobody is sent */
    reads_by: number | null
    /** so long after the last day AutoPay goes on, so that it pays the final bill */
    autopay_days: Given<number>
    /** what whoever moves in is asked to pay; null where nothing is */
    fee_type_id: number | null
    /** said where files are attached: which ones the town wants to see; empty where it asks for none */
    documents: Given<string>
  }
  /** reference: what the card networks allow of fees that payers are charged */
  network_fee_rule: {
    id: string
    network: 'visa' | 'mastercard' | 'amex' | 'discover'
    program: 'convenience' | 'service'
    demand: 'flat' | 'single' | 'separate' | 'not_in' | 'only_for' | 'all_cards' | 'no_program'
    funding: 'credit' | 'debit' | null
    channels: Given<string[]>
    kinds: Given<string[]>
    /** from when this portal goes by it, which may be later than the network's own date */
    valid_from: string
    valid_to: string | null
    says: string
    source: string
    /** published: the network's own document says so; reading: how we read it, to be confirmed with the town's acquirer */
    basis: 'published' | 'reading'
  }
  notice_stop: {
    company_id: number
    address: string
    event: string
    at: Instant
  }
  notice_waiting: {
    company_id: number
    id: Generated<number>
    event: string
    address: string
    /** a resident, whose choice about alerts counts */
    person_id: number | null
    facts: Json<ColumnTypes['notice_waiting.facts']>
    at: Instant
  }
  onboarding_document: {
    company_id: number
    id: Generated<number>
    onboarding_id: number
    kind: 'bank_agreement' | 'board_decision' | 'tax_form'
    status: 'sent' | 'accepted' | 'refused' | 'replaced'
    /** why another one was asked for */
    reason: Given<string>
    created_at: Instant
  }
  open311_heard: {
    company_id: number
    request_id: number
    update_id: string
  }
  open311_portal: {
    company_id: number
    id: Generated<number>
    public_id: Given<string>
    name: string
    url: string
    jurisdiction_id: Given<string>
    api_key_sealed: Given<string>
    is_active: boolean
    /** a request that it closes is completed here */
    follows_status: boolean
    /** it is told who asked: name, email and phone */
    sends_contact: boolean
    /** what it offers, as it said when it was last asked */
    services: GivenJson<ColumnTypes['open311_portal.services']>
    services_at: Instant | null
    format: Given<'json' | 'xml'>
    /** it has the extension for updates */
    has_updates: Given<boolean>
    /** why it could not be asked the last time */
    problem: Given<string>
    /** all that it changed before is known here */
    updates_until: Instant
    /** when it is asked for updates the next time */
    look_at: Instant
    wait_minutes: Given<number>
    removed_at: Instant | null
  }
  open311_request: {
    company_id: number
    request_id: number
    key_id: number
    /** where the program keeps a picture of it; a job fetches it from there, once */
    media_url: Given<string>
  }
  open311_route: {
    company_id: number
    category_id: number
    portal_id: number
    service_code: string
    /** requests that were made before stay here */
    since: Instant
  }
  open311_said: {
    company_id: number
    entry_id: number
    request_id: number
    state: 'waiting' | 'sent' | 'refused' | 'given_up'
    began_at: Instant
    tries: Given<number>
    next_at: Instant
  }
  open311_sent: {
    company_id: number
    request_id: number
    portal_id: number
    service_code: string
    state: 'waiting' | 'token' | 'sent' | 'refused' | 'given_up'
    began_at: Instant
    /** it was sent then, and what came of it is not known yet: it is looked for there before it is sent again */
    asked_at: Instant | null
    tries: Given<number>
    /** when something is done about it the next time; until then whoever does it alone has it */
    next_at: Instant
    token: Given<string>
    their_id: Given<string>
    their_status: Given<'' | 'open' | 'closed'>
    /** when its status there was last asked */
    heard_at: Instant | null
    /** the last words about its status, of a portal without the extension for updates */
    said_there: Given<string>
    /** the last entry of the conversation that was looked at for what goes there */
    said_until: Given<number>
    problem: Given<string>
  }
  open311_settings: {
    company_id: number
    /** pictures of requests that everybody may see are told to everybody, too */
    show_pictures: boolean
  }
  open311_update: {
    company_id: number
    request_id: number
    update_id: string
    /** what it became in the conversation of the request */
    entry_id: number
  }
  owner_agreement: {
    company_id: number
    service_point_id: number
    from_on: string
    until_on: string | null
    name: string
    email: string
    move_id: number
  }
  parcel: {
    company_id: number
    id: Generated<number>
    parcel_number: string
    number_key: string
    address: Given<string>
    owner_name: Given<string>
    land_use: Given<string>
    lat: number
    lon: number
    /** in metres from the town's origin */
    at: Point
    outline: GivenJson<ColumnTypes['parcel.outline']>
    search_text: Computed<string>
  }
  parking_contest: {
    company_id: number
    id: Generated<number>
    ticket_id: number
    citation: string
    created_at: Instant
    name: string
    email: string
    phone: Given<string>
    person_id: number | null
    grounds: string
    hearing_at: Instant | null
    hearing_place: Given<string>
    /** its hearing in the calendar */
    item_id: number | null
    decision: 'upheld' | 'dismissed' | null
    decided_at: Instant | null
    /** a person of the town's staff, who may have left meanwhile */
    assigned_to: number | null
    department_id: number | null
    last_message_id: Given<number>
    last_from: Given<'person' | 'staff'>
    first_answered_at: Instant | null
    updated_at: Instant
    /** where the answer goes by post; empty of a contest that came by the portal */
    address: Given<string>
    /** the day on which it came on paper; null of one that came by the portal */
    received_on: string | null
  }
  parking_receipt: {
    company_id: number
    id: Generated<number>
    ticket_id: number
    order_id: number
    line_no: number
    source: string
    source_ref: string
    kind: 'credit' | 'reversal'
    amount_cents: number
    at: Instant
  }
  parking_settings: {
    company_id: number
    due_days: number
    /** what happens on which day to a ticket that is not paid: day, feeCents, tell */
    steps: Json<ColumnTypes['parking_settings.steps']>
    boot_tickets: number
    boot_days: number
    /** what the law offers instead of paying, in the town's words */
    alternatives: string
    hearing_place: string
    gl_account: string
    /** so many days there are to contest a ticket */
    contest_days: number
    /** these days begin anew with each notice that is mailed */
    notice_renews_contest: boolean
  }
  parking_step: {
    company_id: number
    ticket_id: number
    counted_from: string
    day: number
    fee_cents: number
    told: boolean
    at: Instant
  }
  parking_ticket: {
    company_id: number
    id: Generated<number>
    citation: string
    plate: string
    plate_state: string
    vehicle: Given<string>
    violation_id: number
    violation_code: string
    violation_text: string
    officer: Given<string>
    issued_at: Instant
    place: Given<string>
    address_id: number | null
    lat: number | null
    lon: number | null
    at: Point | null
    notes: Given<string>
    /** of whoever has to do with it, where it is known: late notices go there */
    email: Given<string>
    status: 'open' | 'paid' | 'contested' | 'void' | 'warning'
    fine_cents: number
    late_cents: Given<number>
    paid_cents: Given<number>
    due_on: string
    /** the steps of delinquency are counted from this day: of the ticket, or of the decision on its contest */
    counted_from: string
    /** the last step that was taken, by the day of the town's schedule; 0 for none */
    last_step_day: Given<number>
    unpaid_cents: Computed<number>
    search_text: Computed<string>
    /** the last day on which it can be contested */
    contest_until: string
  }
  parking_violation: {
    company_id: number
    id: Generated<number>
    code: string
    description: string
    amount_cents: number
    is_active: Given<0 | 1>
  }
  passkey: {
    company_id: number
    id: Generated<number>
    person_id: number
    credential_id: string
    public_key: Buffer
    counter: number
    transports: GivenJson<ColumnTypes['passkey.transports']>
    name: string
    created_at: Instant
    used_at: Instant | null
  }
  payment_alert: {
    company_id: number
    id: Generated<number>
    order_id: number
    code: string
    message: string
    at: Instant
  }
  payment_attempt: {
    company_id: number
    id: Generated<number>
    order_id: number
    attempt_no: number
    idempotency_key: string
    status: ColumnTypes['payment_attempt.status']
    step: 'new' | 'created' | 'submitted' | 'processing' | 'requires_action' | 'succeeded' | 'failed' | 'canceled' | 'returned'
    provider: string
    provider_account: string
    intent_id: string | null
    action_url: string | null
    error_code: string | null
    error_message: string | null
    created_at: Instant
    submitted_at: Instant | null
    checked_at: Instant
    /** bill: the charge of the payment; fee: that of its fee, where it is charged by itself */
    part: Given<'bill' | 'fee'>
  }
  payment_day: {
    company_id: number
    made_on: string
    moved_on: string
    way: string
    method: number
    location: number
    absorbs: boolean
    payments: number
    bill_cents: number
    fee_cents: number
    absorbed_cents: number
    program: Given<string>
    mode: Given<string>
    /** source of the capture: a payment provider, office or lockbox */
    provider: Given<string>
  }
  /** fees of payments that are charged by themselves */
  payment_fee: {
    company_id: number
    /** the number of the payment */
    id: number
    status: 'waiting' | 'charged' | 'owed' | 'waived' | 'dropped'
    amount_cents: number
    /** when it came to where it stands */
    since: Instant
  }
  payment_order: {
    company_id: number
    id: Generated<number>
    status: 0 | 1 | 2 | 3 | 5
    checkout_id: number | null
    person_id: number | null
    /** what clerks know its lines by: an account's number, say */
    reference: string
    payer_name: string
    payer_email: string
    location: ColumnTypes['payment_order.location']
    method: 1 | 2 | 3 | 4 | 5 | 6
    pay_type: 1 | 2 | 3
    bill_cents: number
    fee_cents: number
    absorbed_fee_cents: Given<number>
    total_cents: number
    refunded_cents: Given<number>
    fee_quote: Json<ColumnTypes['payment_order.fee_quote']>
    means: Given<string>
    return_code: string | null
    dispute_open: Given<boolean>
    created_at: Instant
    paid_at: Instant | null
    search_text: string
    /** what the ledger holds of it for the town; likewise of the fee, and what was refunded and returned of both */
    kept_bill_cents: Given<number>
    kept_fee_cents: Given<number>
    refunded_bill_cents: Given<number>
    refunded_fee_cents: Given<number>
    returned_bill_cents: Given<number>
    returned_fee_cents: Given<number>
    /** what reports call its lines */
    type: string
  }
  payment_order_line: {
    company_id: number
    order_id: number
    line_no: number
    kind: string
    payable_id: number
    amount_cents: number
    /** what is left of the amount, of what was captured and not given back */
    settled_cents: Given<number>
    gl_account: string
    fee_program: 'convenience' | 'service' | 'none'
    title: string
    facts: Json<ColumnTypes['payment_order_line.facts']>
    items: GivenJson<ColumnTypes['payment_order_line.items']>
    /** what could be paid then; null for older payments */
    owed_before_cents: number | null
    fee_cents: number
    absorbed_fee_cents: number
    fee_mode: Given<'single' | 'two_transactions'>
  }
  payment_outage: {
    company_id: number
    id: Generated<number>
    provider: string
    /** the provider takes payments of other towns meanwhile */
    of_town: Given<boolean>
    /** when the first of the calls was made that nobody answered */
    since: Instant
    noticed_at: Instant
    /** since when it answers again, while it has to go on so before it counts as over */
    calm_since: Instant | null
    until: Instant | null
    /** how often it began again shortly after it was over */
    relapses: Given<number>
  }
  /** who tried to pay in an outage without an attempt, and what they want to be done once it is over */
  payment_promise: {
    company_id: number
    id: Generated<number>
    outage_id: number
    status: 'noted' | 'waiting' | 'charging' | 'reminded' | 'kept' | 'failed' | 'not_owed' | 'changed' | 'withdrawn'
    way: 'note' | 'charge' | 'remind' | 'autopay'
    made_at: Instant
    reference: string
    payer_name: string
    email: string
    person_id: number | null
    checkout_id: number | null
    method_id: number | null
    means: Given<string>
    bill_cents: number
    /** with the fee, as its payer saw it: no more is ever charged */
    total_cents: number
    tries: Given<number>
    not_before: Instant | null
    order_id: number | null
    attempt_id: number | null
    settled_at: Instant | null
  }
  payment_promise_line: {
    company_id: number
    promise_id: number
    line_no: number
    kind: string
    payable_id: number
    amount_cents: number
  }
  /** what staff give back of payments, and who agreed to it */
  payment_refund: {
    company_id: number
    id: Generated<number>
    order_id: number
    attempt_id: number
    kind: 'refund' | 'void'
    amount_cents: number
    reason: string
    status: 'waiting' | 'sending' | 'done' | 'declined' | 'failed'
    asked_by: number
    asked_by_name: string
    asked_at: Instant
    decided_by: number | null
    decided_by_name: Given<string>
    decided_at: Instant | null
    provider_ref: string | null
    /** why it was declined, or why the provider refused it */
    note: Given<string>
    idempotency_key: string
    /** the line that it names; null where it is of the payment as a whole */
    line_no: number | null
    /** of the charge of the fee: it follows what went back of the bill */
    of_fee: Given<boolean>
  }
  payment_settings: {
    company_id: number
    processor_id: Given<number>
    min_payment_cents: Given<number>
    max_payment_cents: Given<number>
    autopay_enabled: Given<0 | 1>
    ivr_user_pin_enabled: Given<0 | 1>
    has_card_reader: Given<0 | 1>
    receive_payment_emails: Given<0 | 1>
    has_tele_check: Given<0 | 1>
    only_usd_currency: Given<0 | 1>
    has_pay_by_phone: Given<0 | 1>
    is_pay_in_full: Given<0 | 1>
    /** of the town's staff: whom the processor's people call first (specification 2.15) */
    primary_contact: number | null
    secondary_contact: number | null
    guest_fact: Given<'none' | 'last_name' | 'last_bill'>
    autopay_notice_days: Given<number>
    /** what residents agree to, in the town's own words; empty: the usual ones */
    autopay_mandate: Given<string>
    /** the most that one person gives back of a payment alone */
    refund_limit_cents: Given<number>
    office_told_until: Instant | null
    reconciled_since: string | null
    /** the provider that takes new payments while the first one takes none */
    second_processor_id: number | null
  }
  payment_stock: {
    company_id: number
    type_id: number
    number: string
    place: Generated<number>
    /** who has it, or holds it while they pay */
    charge_id: number | null
  }
  payment_type: {
    company_id: number
    id: Generated<number>
    status: Given<'draft' | 'open' | 'closed'>
    title: string
    title_key: Computed<string>
    /** its address: /pay/dog-license; behind it stands the code where it is seen by its link alone */
    slug: string
    link_code: string
    category: string
    description: string
    gl_account: string
    seen_by: 'everyone' | 'signed_in' | 'link'
    /** computed: by the fields; listed: each charge is an open item that was imported */
    amount_kind: 'fixed' | 'computed' | 'open' | 'listed'
    amount_cents: number | null
    min_cents: number | null
    max_cents: number | null
    in_parts: Given<0 | 1>
    due_date: string | null
    opens_on: string | null
    closes_on: string | null
    /** what is given out with each payment is numbered, and called so: Tag number; empty: nothing is */
    number_label: Given<string>
    /** what open items are found by: Parcel number */
    item_label: Given<string>
    proof: Given<'amount' | 'code'>
    field_set_id: number
    created_at: Instant
    changed_at: Instant
  }
  payout: {
    company_id: number
    id: Generated<number>
    provider: string
    provider_ref: string
    trace: string
    paid_at: Instant
    arrives_on: string
    gross_cents: number
    cost_cents: number
    net_cents: number
    line_count: number
    /** what its lines add up to, less what they cost: net_cents, where nothing is wrong */
    line_cents: number
    /** what the bank received; null until a line of a statement is matched with it */
    deposited_cents: number | null
    deposited_on: string | null
    search_text: string
  }
  payout_line: {
    company_id: number
    payout_id: number
    line_no: number
    movement: string
    way: string
    /** the charge, refund or dispute, as the ledger knows it */
    source_ref: string
    amount_cents: number
    cost_cents: number
    at: Instant
    /** what the ledger says of the same: amount_cents, where nothing is wrong */
    ledger_cents: Given<number>
    order_id: number | null
    /** the provider of its payout, by which source_ref is a charge, refund or dispute */
    provider: string
  }
  /** local: the last payout that was read of each payment provider */
  payout_place: {
    provider: string
    payout_ref: string
    read_at: Instant
    account: Given<string>
  }
  person: {
    company_id: number
    id: Given<number>
    email: string
    password_hash: string | null
    role_id: number
    first_name: string
    last_name: string
    service_address: Given<string>
    city: Given<string>
    state: Given<string>
    zipcode: Given<string>
    mobile_no: Given<string>
    active_phone_alerts: 'a' | 'i' | null
    active_email_alerts: 'a' | 'i' | null
    primary_contact_method: Given<1 | 2 | 3>
    is_active: Given<0 | 1>
    created_at: GivenInstant
    /** masks that differ from the defaults of the role, by policy */
    privileges: GivenJson<ColumnTypes['person.privileges']>
    email_confirmed_at: Instant | null
    /** locked by staff: cannot sign in until unlocked, keeps everything else */
    locked_at: Instant | null
    /** municipality staff alone: 1 Staff, 2 Deputy Manager, 3 Manager */
    position: ColumnTypes['person.position'] | null
    department_id: number | null
    signed_in_at: Instant | null
    name_key: Computed<string>
    /** when a link that was mailed there last came back; empty before that was noted */
    mailbox_proven_at: Instant | null
  }
  /** calls of residents who pay by phone, each with how far it came */
  phone_call: {
    company_id: number
    id: Generated<number>
    carrier: 'sandbox' | 'twilio'
    carrier_call: string
    phone: string
    turn: Given<number>
    said: Json<ColumnTypes['phone_call.said']>
    outcome: 'talking' | 'paid' | 'on_its_way' | 'declined' | 'left' | 'refused' | 'unknown'
    reference: Given<string>
    order_id: number | null
    attempt_id: number | null
    started_at: Instant
    ended_at: Instant | null
  }
  /** PINs of residents for paying by phone, hashed */
  phone_pin: {
    company_id: number
    person_id: number
    pin_hash: string
    set_at: Instant
  }
  /** local: links that the platform's own staff is mailed */
  platform_account_link: {
    code_hash: Buffer
    person_id: number
    purpose: 'confirm_email' | 'change_email' | 'reset_password'
    email: string
    created_at: Instant
    expires_at: Instant
    used_at: Instant | null
  }
  /** local: what the platform's staff did outside any one town */
  platform_audit_event: {
    id: Generated<number>
    at: Instant
    actor_id: number | null
    action: string
    subject: Given<string>
    detail: GivenJson<ColumnTypes['platform_audit_event.detail']>
    request_id: Given<string>
    /** whom it concerns, where that is somebody else than who did it */
    person_id: number | null
    subject_kind: Given<string>
  }
  /** local: the chain of what the platform's staff did outside any one town */
  platform_audit_seal: {
    position: number
    event_id: number
    hash: Buffer
    sealed_at: Instant
    version: number
  }
  /** local: authenticator apps of the platform's own staff */
  platform_authenticator: {
    person_id: number
    secret_sealed: string
    last_step: number
    created_at: Instant
  }
  /** local: the towns' daily figures, added up */
  platform_daily_figure: {
    day: string
    measure: string
    part: string
    count: number
    cents: number
  }
  /** local: departments of the provider itself */
  platform_department: {
    id: Generated<number>
    name: string
    is_active: Given<0 | 1>
    created_at: GivenInstant
  }
  /** local: single-use tickets for downloads of the platform's staff that are about no one town */
  platform_download_ticket: {
    code_hash: Buffer
    call: string
    body: Json<ColumnTypes['platform_download_ticket.body']>
    person_id: number
    expires_at: Instant
    used_at: Instant | null
  }
  /** local: steps of signing in and of setting up, of the platform's own staff */
  platform_factor_step: {
    code_hash: Buffer
    purpose: 'second' | 'enrol' | 'passkey' | 'new_app' | 'new_passkey'
    person_id: number | null
    first_way: Given<string>
    challenge: string | null
    secret_sealed: string | null
    tries: Given<number>
    created_at: Instant
    expires_at: Instant
    used_at: Instant | null
    sso_ticket_hash: Buffer | null
  }
  /** local: how the platform's own staff signs in */
  platform_identity_settings: {
    id: Given<1>
    require_second_factor: Given<boolean>
  }
  /** local: single-use links by which a platform account sets its first password */
  platform_invitation: {
    code_hash: Buffer
    person_id: number
    expires_at: Instant
    used_at: Instant | null
  }
  /** local: mails of no town, to the platform's own staff */
  platform_mail: {
    id: Given<number>
    to_address: string
    subject: string
    text_body: string
    html_body: string
    attachments: GivenJson<ColumnTypes['platform_mail.attachments']>
    created_at: Instant
    sent_at: Instant | null
    attempts: Given<number>
    last_error: string | null
    failed_at: Instant | null
    stop_url: Given<string>
  }
  /** local: passkeys of the platform's own staff */
  platform_passkey: {
    id: Generated<number>
    person_id: number
    credential_id: string
    public_key: Buffer
    counter: number
    transports: GivenJson<ColumnTypes['platform_passkey.transports']>
    name: string
    created_at: Instant
    used_at: Instant | null
  }
  /** local: the provider's own staff */
  platform_person: {
    id: Given<number>
    email: string
    password_hash: string | null
    role_id: number
    first_name: string
    last_name: string
    is_active: Given<0 | 1>
    created_at: GivenInstant
    privileges: GivenJson<ColumnTypes['platform_person.privileges']>
    locked_at: Instant | null
    /** positions are the towns' alone; here so that both lists are read alike */
    position: null
    department_id: number | null
    signed_in_at: Instant | null
    address: Given<string>
    city: Given<string>
    state: Given<string>
    zipcode: Given<string>
    mobile_no: Given<string>
    mailbox_proven_at: Instant | null
  }
  /** local: recovery codes of the platform's own staff */
  platform_recovery_code: {
    person_id: number
    mark: Buffer
    used_at: Instant | null
  }
  /** local: sessions on the administrator's host */
  platform_session: {
    token_hash: Buffer
    person_id: number
    created_at: Instant
    seen_at: Instant
    expires_at: Instant
    ended_at: Instant | null
    id: Generated<number>
    device: Given<string>
    address: Given<string>
  }
  premise_look: {
    company_id: number
    note_id: number
    id: Generated<number>
    at: Instant
    /** of the town, or of the platform's staff who look for it */
    person_id: number
    by_name: string
  }
  premise_note: {
    company_id: number
    id: Generated<number>
    public_id: Given<string>
    kind: 'hazard' | 'access' | 'person'
    place: string
    address_id: number | null
    lat: number | null
    lon: number | null
    at: Point | null
    /** of nothing once the note has ended */
    words_sealed: string
    agreed_by: Given<string>
    agreed_on: string | null
    agreed_how: Given<string>
    /** by then somebody asks whether it is still so */
    confirm_on: string
    written_at: Instant
    written_by: string
    ended_at: Instant | null
    is_ended: Computed<boolean>
    search_text: Computed<string>
  }
  /** reference: card payment processors that have an adapter */
  processor: {
    id: number
    name: string
    provider: string
  }
  provider_account: {
    company_id: number
    provider: string
    /** what the provider calls the town */
    account: string
  }
  /** local: when payment providers answered last, and when they did not since */
  provider_call: {
    provider: string
    /** whose calls; empty for those that are of no town */
    account: string
    verb: string
    answered_at: Instant | null
    /** when the newest calls were that nobody answered since */
    silent: GivenJson<ColumnTypes['provider_call.silent']>
  }
  /** local: inbox of the payment providers' events */
  provider_event: {
    provider: string
    event_id: string
    received_at: Instant
    body: Json<ColumnTypes['provider_event.body']>
    applied_at: Instant | null
    id: Generated<number>
    tries: Given<number>
    next_try_at: Instant | null
    last_error: string | null
    given_up_at: Instant | null
  }
  provider_onboarding: {
    company_id: number
    id: Generated<number>
    provider: string
    status: Given<'not_started' | 'in_progress' | 'missing' | 'in_review' | 'on_hold' | 'held' | 'ready'>
    /** whose turn it is */
    owed_by: Given<'town' | 'platform' | 'provider' | 'nobody'>
    /** new payments of the town are started through this provider */
    may_charge: Given<boolean>
    /** what the provider said last; empty before it was asked */
    told_state: Given<'' | 'in_progress' | 'missing' | 'in_review' | 'on_hold' | 'ready'>
    takes_payments: Given<boolean>
    is_paid_out: Given<boolean>
    /** what the provider asks for, by its own codes */
    missing: Given<string[]>
    /** until when the provider wants it, before it stops something */
    due_at: Instant | null
    /** why the provider stopped something, in its own words */
    why: Given<string>
    created_at: Instant
    status_at: Instant
    /** when that was asked for which is kept: an answer to an older question is dropped */
    asked_at: Instant | null
    ask_next_at: Instant
    tested_at: Instant | null
    test_passed: boolean | null
    tested_by: Given<string>
  }
  /** local: the last movement that was read of each payment provider */
  provider_place: {
    provider: string
    movement_id: string
    read_at: Instant
  }
  recon_exception: {
    company_id: number
    id: Generated<number>
    kind: 'line_unknown' | 'line_differs' | 'not_paid_out' | 'payout_sum' | 'deposit_missing' | 'deposit_differs' | 'bank_unknown' | 'statement_gap' | 'remittance_differs'
    /** the row that it is about, such as payout 12 or line 12/3: found again it is the same */
    subject: string
    about: string
    on_day: string
    /** how much does not agree: negative where less came than should have */
    amount_cents: number
    status: 'open' | 'resolved' | 'cleared'
    opened_at: Instant
    ended_at: Instant | null
    owner_id: number | null
    owner_name: Given<string>
    reason: Given<string>
    search_text: string
    /** number of the decision that counts: one more each time a decision is undone */
    version: Given<number>
  }
  recovery_code: {
    company_id: number
    person_id: number
    /** a hash of the code under the installation's key */
    mark: Buffer
    used_at: Instant | null
  }
  refused_address: {
    company_id: number
    address: string
    code: string
    refusals: Given<number>
    refused_at: Instant
    /** nothing is sent there before; each refusal in a row doubles the days */
    rests_until: Instant
  }
  /** local: refused calls of the minute; town 0 is the platform, actor and impersonator 0 are nobody */
  refused_call: {
    town: number
    minute: Instant
    action: string
    path: string
    asked: string
    actor_kind: string
    actor_id: number
    impersonator_id: number
    times: Given<number>
    first_at: Instant
    last_at: Instant
  }
  registration: {
    company_id: number
    id: Generated<number>
    kind: number
    /** stays for ever, whoever owns it later */
    number: Computed<string>
    status: 'pending' | 'asked' | 'registered' | 'due' | 'lapsed' | 'refused' | 'ended'
    person_id: number
    name: string
    owner_name: string
    place: string
    address_id: number | null
    lat: number | null
    lon: number | null
    at: Point | null
    field_set_id: number
    version: number
    answers_sealed: string
    /** whoever registered it agreed that first responders see what helps them */
    for_responders: boolean
    /** what they want to be told of: alert codes of specification 9.4 */
    alerts: Given<string[]>
    people: Given<number>
    pets: Given<number>
    units: Given<number>
    made_at: Instant
    changed_at: Instant
    /** the last day on which it counts without being confirmed; none before it was registered */
    confirm_by: string | null
    /** how many reminders of this year were sent */
    reminded: Given<number>
    inspect_by: string | null
    confirm_or_never: Computed<string>
    inspect_or_never: Computed<string>
    search_text: Computed<string>
  }
  registration_kind: {
    company_id: number
    /** 1 household, 2 business, 3 rental property (specification 9.7) */
    kind: number
    field_set_id: number
  }
  /** gone once it was accepted or taken back; a new offer replaces the one before */
  registration_offer: {
    company_id: number
    registration_id: number
    token_hash: Buffer
    to_email: string
    offered_at: Instant
    expires_at: Instant
  }
  registration_settings: {
    company_id: number
    known_address_only: boolean
    household_at_once: boolean
    renew_at_once: boolean
    inspection_months: number
    /** a business or a rental property has to stand on a parcel of the town's list */
    on_parcel: Given<boolean>
  }
  registration_snapshot: {
    company_id: number
    registration_id: number
    no: number
    at: Instant
    before: 'change' | 'confirm' | 'transfer'
    by_name: string
    owner_name: string
    place: string
    field_set_id: number
    version: number
    answers_sealed: string
  }
  remittance: {
    company_id: number
    id: Generated<number>
    account_id: number
    order_id: number
    source: string
    source_ref: string
    kind: 'credit' | 'reversal'
    amount_cents: number
    at: Instant
    line_no: number
  }
  /** daily files of what was paid through the portal, numbered without a gap; a day without payments has one, too */
  remittance_file: {
    company_id: number
    number: number
    /** what was paid up to the end of this day, unless an earlier file has it */
    day: string
    /** in which its days are told, for ever: a file never changes */
    time_zone: string
    made_at: Instant
    credits: number
    credit_cents: number
    reversals: number
    reversal_cents: number
    in_folder_at: Instant | null
    id: Generated<number>
  }
  /** in which daily file a remittance is */
  remittance_filed: {
    company_id: number
    remittance_id: number
    number: number
  }
  rental_access: {
    company_id: number
    id: Generated<number>
    reservation_id: number
    door: string
    from_at: Instant
    until_at: Instant
    status: 'wanted' | 'granted' | 'ending' | 'ended'
    /** its number at whoever made it */
    lock_id: Given<string>
    code_sealed: string | null
    tries: Given<number>
    try_at: Instant
    last_error: Given<string>
    told: Given<boolean>
    created_at: Instant
  }
  rental_agreement: {
    company_id: number
    id: Generated<number>
    resource_id: number
    field_set_id: number
    version: number
    answers: Json<ColumnTypes['rental_agreement.answers']>
    answered_at: Instant
    by_name: string
    /** somebody of the office answered for whoever reserved it */
    by_staff: boolean
  }
  rental_application: {
    company_id: number
    id: Generated<number>
    number: Computed<string>
    round_id: number
    person_id: number
    status: 'submitted' | 'withdrawn' | 'excluded' | 'given' | 'not_given'
    name: string
    email: Given<string>
    phone: Given<string>
    club: Given<string>
    purpose: Given<string>
    guests: Given<number>
    is_resident: Given<boolean>
    /** its group, counted from 1; 0: none was set, so that it comes after all groups */
    group_no: Given<number>
    agreed_at: Instant
    created_at: Instant
    updated_at: Instant
    search_text: Computed<string>
  }
  rental_blackout: {
    company_id: number
    id: Generated<number>
    resource_id: number
    from_on: string
    /** the last day on which nobody can have it */
    until_on: string
    reason: string
  }
  rental_certificate: {
    company_id: number
    id: Generated<number>
    reservation_id: number
    valid_through: string
    status: 'sent' | 'accepted' | 'refused' | 'replaced'
    /** why the office asked for another one */
    reason: Given<string>
    created_at: Instant
  }
  rental_draw: {
    company_id: number
    round_id: number
    seed: string
    inputs: Json<ColumnTypes['rental_draw.inputs']>
    result: Json<ColumnTypes['rental_draw.result']>
    drawn_at: Instant
    drawn_by: string
  }
  rental_occupancy: {
    company_id: number
    reservation_id: number
    space_id: number
    piece: Given<number>
    guard_from: Instant
    guard_until: Instant
  }
  rental_photo: {
    company_id: number
    file_id: string
    resource_id: number
    alt: Given<string>
    position: number
  }
  rental_reservation: {
    company_id: number
    id: Generated<number>
    number: Computed<string>
    resource_id: number
    space_id: number
    title: string
    pieces: Given<number>
    starts_at: Instant
    ends_at: Instant
    status: 'waiting' | 'requested' | 'held' | 'confirmed' | 'in_use' | 'completed' | 'no_show' | 'declined' | 'expired' | 'cancelled'
    /** whoever has not begun to pay by then has it no more */
    held_until: Instant | null
    person_id: number | null
    name: string
    email: Given<string>
    phone: Given<string>
    purpose: Given<string>
    guests: Given<number>
    is_resident: Given<boolean>
    by_staff: Given<boolean>
    items: GivenJson<ColumnTypes['rental_reservation.items']>
    price_cents: number
    deposit_cents: Given<number>
    paid_cents: Given<number>
    /** what the town owes whoever paid: after a cancellation, or of the deposit */
    back_cents: Given<number>
    kept_cents: Given<number>
    kept_reason: Given<string>
    agreed_text: Given<string>
    agreed_at: Instant | null
    /** how often it was changed, as calendars count it (SEQUENCE) */
    changes: Given<number>
    calendar_item_id: number | null
    /** whoever has it was written to of how it stands now */
    told: Given<boolean>
    created_at: Instant
    updated_at: Instant
    search_text: Computed<string>
    series_id: number | null
    /** what is asked of it; none where nothing was asked when it was made */
    field_set_id: number | null
    /** what was answered; none while that is still to come */
    agreement_id: number | null
    /** of the link by which whoever has no account here answers and signs */
    sign_token_hash: Buffer | null
    /** instant from which the cancellation terms count; null: from starts_at */
    terms_from: Instant | null
  }
  rental_resource: {
    company_id: number
    id: Generated<number>
    name: string
    kind: 'pavilion' | 'hall' | 'field' | 'equipment'
    status: Given<'draft' | 'open' | 'closed'>
    description: Given<string>
    place: Given<string>
    house_rules: Given<string>
    amenities: Given<string>
    accessibility: Given<string>
    capacity: Given<number>
    pieces: Given<number>
    needs_approval: Given<boolean>
    seasons: Json<ColumnTypes['rental_resource.seasons']>
    closed_on_holidays: Given<boolean>
    step_minutes: Given<15 | 30 | 60>
    least_minutes: Given<number>
    most_minutes: Given<number>
    notice_hours: Given<number>
    ahead_days: Given<number>
    before_minutes: Given<number>
    after_minutes: Given<number>
    charged_by: Given<'hour' | 'day'>
    resident_cents: Given<number>
    other_cents: Given<number>
    deposit_cents: Given<number>
    addons: GivenJson<ColumnTypes['rental_resource.addons']>
    refund_days: Given<number>
    /** so much of the price goes back to whoever cancels with fewer than refund_days days left */
    late_percent: Given<number>
    agreement: Given<string>
    gl_account: string
    created_at: Instant
    /** from so many guests on a certificate of insurance is needed; 0: always, null: never */
    certificate_from: number | null
    /** what its lock is called at whoever makes the codes; none where it is empty */
    door: Given<string>
    /** the questions and the agreement of whoever reserves it; none where nobody ever defined any */
    field_set_id: number | null
    /** whoever reserves it answers them; else they rest, and nobody is asked */
    asks_questions: Given<boolean>
    /** so many dates one resident asks for at once; 0: only the office books series */
    series_dates: Given<number>
    /** the office approves series of residents, also where it does not approve single dates */
    series_approval: Given<boolean>
  }
  rental_round: {
    company_id: number
    id: Generated<number>
    name: string
    status: Given<'draft' | 'open' | 'closed' | 'drawn' | 'confirmed' | 'cancelled'>
    says: Given<string>
    season_from: string
    season_until: string
    opens_at: Instant
    closes_at: Instant
    most_wishes: number
    /** so many hours a week one applicant is given at most */
    most_hours: number
    who: 'residents' | 'everybody'
    /** so long what was given is held for its payment */
    pay_days: number
    /** names of the groups of applicants, whoever comes first in each turn first */
    groups: GivenJson<ColumnTypes['rental_round.groups']>
    seed_sealed: string | null
    /** the SHA-256 of the 32 bytes of the seed, in hex, which everybody reads from the day on which the round opens */
    seed_hash: Given<string>
    created_at: Instant
  }
  rental_round_resource: {
    company_id: number
    round_id: number
    resource_id: number
  }
  rental_series: {
    company_id: number
    id: Generated<number>
    resource_id: number
    rule: string
    starts_on: string
    created_at: Instant
    person_id: number | null
  }
  rental_settlement: {
    company_id: number
    id: Generated<number>
    reservation_id: number
    order_id: number
    line_no: number
    source: string
    source_ref: string
    kind: 'credit' | 'reversal'
    amount_cents: number
    at: Instant
  }
  rental_space: {
    company_id: number
    id: Generated<number>
    resource_id: number
    parent_id: number | null
    name: Given<string>
    price_percent: Given<number>
  }
  rental_wish: {
    company_id: number
    application_id: number
    place: number
    resource_id: number
    space_id: number
    rule: string
    starts_on: string
    from_time: string
    until_time: string
    /** the reservations that came of it */
    series_id: number | null
  }
  request_category: {
    company_id: number
    id: Generated<number>
    name: string
    hint: Given<string>
    sort_no: Given<number>
    is_active: Given<0 | 1>
    department_id: number | null
    /** working days by the town's office hours and holidays */
    target_days: number
    /** somebody of the staff who is told of what is late, besides whoever has it */
    escalate_to: number | null
    for_guests: Given<0 | 1>
    needs_place: Given<0 | 1>
    /** the public map and list show that it was reported, where the town has them */
    on_map: Given<0 | 1>
    /** what is asked besides; null where nothing is */
    field_set_id: number | null
  }
  request_follower: {
    company_id: number
    id: Generated<number>
    request_id: number
    email: string
    person_id: number | null
    since: Instant
    /** nobody is told anything before they confirmed their address by the link in the mail */
    verified_at: Instant | null
    stopped_at: Instant | null
    /** the request with which they came when it was merged into this one; they leave with it */
    came_from: number | null
  }
  request_number: {
    company_id: number
    year: number
    last_no: number
  }
  request_settings: {
    company_id: number
    for_guests: 0 | 1
    has_map: 0 | 1
    reopen_days: number
    /** the days of the week on which the office works: 1 Monday to 7 Sunday */
    work_days: Json<ColumnTypes['request_settings.work_days']>
    /** days on which it is closed: {on, name} */
    holidays: Json<ColumnTypes['request_settings.holidays']>
  }
  request_sum: {
    company_id: number
    span: 'day' | 'month'
    /** the day, or the first day of the month */
    since: string
    category_id: number
    status: 2 | 4 | 5
    requests: number
    /** closed after their target */
    late: number
  }
  request_verdict: {
    company_id: number
    id: Generated<number>
    request_id: number
    completed_at: Instant
    at: Instant
    is_mended: 0 | 1
    words: Given<string>
  }
  /** local: calls of the sandbox */
  sandbox_call: {
    id: Generated<number>
    sid: string
    key: string
    from_number: string
    to_number: string
    said: Json<ColumnTypes['sandbox_call.said']>
    keys_url: string
    status_url: string
    status: string
    answered_by: Given<string>
    pressed: Given<string>
    /** what was spoken to whoever answered, a line for each voice */
    heard: Given<string>
    seconds: Given<number>
    at: Instant
  }
  /** local: texts of the sandbox */
  sandbox_sms: {
    id: Generated<number>
    sid: string
    direction: 'to phone' | 'from phone'
    from_number: string
    to_number: string
    body: string
    status: string
    error_code: Given<string>
    status_url: Given<string>
    at: Instant
    key: string | null
  }
  /** saved views of lists, each person's own (server/saved-views.ts) */
  saved_view: {
    company_id: number
    id: Generated<number>
    person_id: number
    list: string
    name: string
    query: string
    created_at: Instant
  }
  scheduled_item: {
    company_id: number
    id: Generated<number>
    event_type_id: number
    title: string
    description: Given<string>
    starts_at: Instant
    ends_at: Instant
    status: 'not_started' | 'in_progress' | 'completed' | null
    /** what it is there for, where that is a thing of its own: whoever moves the item moves that */
    source_kind: string | null
    source_id: number | null
    assigned_to: number | null
    department_id: number | null
    crew_id: number | null
  }
  /** local: which migrations this database has had */
  schema_migration: {
    name: string
    sha256: string
    applied_at: GivenInstant
  }
  /** local: by which the key is known that this database's texts are sealed with */
  secret_key: {
    id: Given<1>
    fingerprint: string
    since: Instant
  }
  service_point: {
    company_id: number
    id: Generated<number>
    /** the address in the gazetteer (a12), or what was typed in small letters */
    place_key: string
    place: string
    since: Given<string>
  }
  service_point_change: {
    company_id: number
    service_point_id: number
    move_id: number
    does: 'in' | 'out'
    on_day: string
  }
  service_point_party: {
    company_id: number
    id: Generated<number>
    service_point_id: number
    /** 0001-01-01: since ever */
    from_on: string
    /** the first day on which they answer for it no more; none: until further notice */
    until_on: string | null
    party: 'resident' | 'owner' | 'town'
    move_id: number | null
    name: string
  }
  service_request: {
    company_id: number
    /** the year and a number of the town's in it: 20260000123 is R-2026-000123 */
    id: number
    /** may be made by the device that reports it, so that it is entered once */
    public_id: Given<string>
    number: Computed<string>
    came_by: Given<'portal' | 'staff' | 'open311'>
    created_at: Instant
    updated_at: Instant
    /** 0 New, 1 In Progress, 2 Completed, 3 Reopen, 4 Invalid, 5 Cancelled */
    status: Given<ColumnTypes['service_request.status']>
    closed_at: Instant | null
    category_id: number
    title: string
    description: string
    place: Given<string>
    address_id: number | null
    lat: number | null
    lon: number | null
    /** in metres from the town's origin */
    at: Point | null
    field_set_id: number | null
    version: number | null
    answers: GivenJson<ColumnTypes['service_request.answers']>
    name: string
    email: Given<string>
    phone: Given<string>
    /** whose session it came from; what else is told of the person is their own word */
    person_id: number | null
    due_at: Instant
    /** when it was told that it is late */
    escalated_at: Instant | null
    /** of one that is completed: so long whoever asked may open it again, by the days that the town had then */
    reopen_until: Instant | null
    /** the request that reports the same; who asked here follows that one */
    merged_into: number | null
    is_spam: Given<boolean>
    /** a person of the town's staff, who may have left meanwhile */
    assigned_to: number | null
    department_id: number | null
    last_message_id: Given<number>
    last_from: Given<'person' | 'staff'>
    first_answered_at: Instant | null
    search_text: Computed<string>
    /** the request that held this matter too, until somebody made two of it */
    split_from: number | null
  }
  session: {
    company_id: number
    token_hash: Buffer
    person_id: number | null
    created_at: Instant
    seen_at: Instant
    expires_at: Instant
    ended_at: Instant | null
    impersonator_id: number | null
    id: Generated<number>
    device: Given<string>
    /** where it was last seen */
    address: Given<string>
    impersonation_id: number | null
  }
  sms_incoming: {
    company_id: number
    provider_id: string
    phone: string
    meaning: 'stop' | 'start' | 'help' | 'other'
    at: Instant
  }
  sms_message: {
    company_id: number
    id: Given<number>
    event: string
    kind: 'account' | 'payments' | 'conversations' | 'alerts' | 'emergencies'
    phone: string
    person_id: number
    body: string
    segments: number
    created_at: Instant
    send_after: Instant
    state: Given<'waiting' | 'sent' | 'delivered' | 'unclear' | 'failed' | 'stopped' | 'resting'>
    reason: Given<string>
    attempts: Given<number>
    /** the provider was asked since then, and may have it although its answer was lost */
    asked_at: Instant | null
    /** a job sends it: no other does before */
    held_until: Instant | null
    provider_id: string | null
    settled_at: Instant | null
  }
  /** phones for texts, each with the words that its owner agreed to */
  sms_number: {
    company_id: number
    person_id: number
    phone: string
    agreed_at: Instant
    agreed_to: string
    confirmed_at: Instant | null
    code_hash: Buffer | null
    code_expires_at: Instant | null
  }
  sms_settings: {
    company_id: number
    payments: 0 | 1
    conversations: 0 | 1
    quiet_from: string
    quiet_to: string
    text_name: string
    /** ten digits of the town's own number; empty: the portal's */
    text_number: string
  }
  sms_stop: {
    company_id: number
    phone: string
    at: Instant
  }
  sso_attempt: {
    company_id: number
    state_hash: Buffer
    /** of the secret that stays in the tab that was sent: nobody else may come back */
    browser_hash: Buffer
    purpose: 'sign_in' | 'test'
    issuer: string
    nonce: string
    verifier_sealed: string
    started_by: number | null
    created_at: Instant
    expires_at: Instant
    used_at: Instant | null
  }
  sso_identity: {
    company_id: number
    issuer: string
    subject: string
    person_id: number
    linked_at: Instant
    signed_in_at: Instant
    /** of the code in the mail that told the owner, with which they take it back */
    undo_hash: Buffer | null
  }
  sso_pending: {
    company_id: number
    ticket_hash: Buffer
    kind: 'oidc' | 'ccs'
    issuer: string
    subject: string
    created_at: Instant
    expires_at: Instant
    used_at: Instant | null
  }
  sso_provider: {
    company_id: number
    issuer: string
    client_id: string
    client_secret_sealed: string
    label: string
    audience: 'residents' | 'staff' | 'both'
    claim_email: string
    claim_first_name: string
    claim_last_name: string
    counts_as_second_factor: Given<boolean>
    is_active: Given<0 | 1>
  }
  /** reference: allowed steps between the states of things */
  status_edge: {
    machine: string
    /** empty: the thing was not there before */
    from_state: string
    to_state: string
    event: string
  }
  /** who took a thing from one state to the next (server/states.ts) */
  status_history: {
    company_id: number
    machine: string
    subject_id: number
    seq: number
    from_state: string
    to_state: string
    event: string
    at: Instant
    actor_kind: 'guest' | 'citizen' | 'municipality' | 'platform' | 'system'
    actor_id: number | null
    actor_name: string
    reason: Given<string>
  }
  stored_method: {
    company_id: number
    id: Generated<number>
    person_id: number
    method: 1 | 2
    provider: string
    provider_customer: string
    provider_method: string
    means: string
    bank_name: Given<string>
    expires_on: string | null
    is_default: Given<boolean>
    unusable: Given<'' | 'details' | 'revoked'>
    mandate_text: string
    mandate_at: Instant
    mandate_address: string
    mandate_device: string
    created_at: Instant
    removed_at: Instant | null
    expiry_told_at: Instant | null
  }
  street: {
    company_id: number
    id: Generated<number>
    name: string
    name_key: string
    lines: GivenJson<ColumnTypes['street.lines']>
  }
  support_request: {
    company_id: number
    id: Given<number>
    created_at: Instant
    updated_at: Instant
    /** 0 New, 1 In Progress, 2 Completed, 3 Reopen, 4 Invalid */
    status: Given<ColumnTypes['support_request.status']>
    closed_at: Instant | null
    first_answered_at: Instant | null
    category: 'signing_in' | 'paying' | 'account' | 'form' | 'site' | 'else'
    name: string
    email: string
    phone: string
    account_number: string
    address: string
    city: string
    state: string
    zipcode: string
    message: string
    /** whose session it came from; what else is told of the person is their own word */
    person_id: number | null
    /** a platform_person, who may have left meanwhile */
    assigned_to: number | null
    /** whoever answers names it, so that two people do not answer at once */
    last_message_id: Given<number>
    last_from: Given<'person' | 'staff'>
    search_text: Computed<string>
    /** a platform_department whose people may take it */
    department_id: number | null
  }
  /** reference: time zones that a town may choose */
  timezone: {
    id: number
    label: string
    zone: string
  }
  /** from where a town's metres are measured, which never changes, and the map beneath */
  town_map: {
    company_id: number
    origin_lat: number
    origin_lon: number
    file_id: string | null
  }
  town_notice: {
    company_id: number | null
    id: number | null
    created_at: Instant | null
    event: string | null
    channel: string | null
    receiver: string | null
    state: string | null
    reason: string | null
    segments: number | null
    send_after: Instant | null
    minutes: number | null
    rests_as: string | null
  }
  tried_in_outage: {
    company_id: number | null
    outage_id: number | null
    kind: string | null
    payable_id: number | null
    amount_cents: number | null
    at: Instant | null
    order_id: number | null
    promise_id: number | null
    since: Instant | null
    until: Instant | null
    grace_until: string | null
  }
  /** uploads that were begun and are not kept yet (server/attachments/parts.ts) */
  upload: {
    company_id: number
    owner: string
    key: string
    kind: string
    name: string
    bytes: number
    received: Given<number>
    expires_at: Instant
  }
  /** what has arrived of an upload */
  upload_part: {
    company_id: number
    owner: string
    key: string
    part_offset: number
    content: Buffer
  }
  utility_account: {
    company_id: number
    id: Generated<number>
    account_number: string
    customer_name: string
    customer_email: Given<string>
    phone_no: Given<string>
    service_address: string
    city: string
    state: string
    zipcode: string
    created_at: GivenInstant
    name_key: Computed<string>
    link_code_hash: Buffer | null
    paperless_since: Instant | null
    route: Given<string>
  }
  utility_adjustment: {
    company_id: number
    adjustment_number: string
    account_id: number
    adjusted_on: string
    amount_cents: number
    reason: string
    imported_at: Instant
  }
  utility_bill: {
    company_id: number
    account_id: number
    bill_number: string
    bill_date: string
    due_date: string
    period_start: string
    period_end: string
    lines: Json<ColumnTypes['utility_bill.lines']>
    amount_cents: number
    paid_elsewhere_cents: Given<number>
    imported_at: GivenInstant
  }
  /** bills of which the billing system's own PDF is kept */
  utility_bill_document: {
    company_id: number
    id: Generated<number>
    bill_number: string
    /** as the import named the file */
    name: string
  }
  /** the newest code that staff made for an account; another one takes its place */
  utility_link_code: {
    company_id: number
    account_id: number
    code_hash: Buffer
    made_at: Instant
    /** who made it, as they were called then */
    made_by: string
    expires_at: Instant
    used_at: Instant | null
  }
  utility_news: {
    company_id: number
    id: Generated<number>
    account_id: number
    bill_number: string | null
    read_date: string | null
    shutoff_number: string | null
  }
  utility_shutoff: {
    company_id: number
    shutoff_number: string
    account_id: number
    scheduled_on: string | null
    off_on: string | null
    /** when service came back, or when a shut-off that was scheduled was called off */
    restored_on: string | null
    state: Computed<string>
    /** what has to be paid so that service goes on; NULL: all that is past due */
    amount_cents: number | null
    reason: Given<string>
    imported_at: Instant
    /** the step and its day that its customers were mailed of last, so that none is mailed twice */
    told: Given<string>
  }
  voice_call: {
    company_id: number
    id: Given<number>
    /** with the number of the try what a provider that knows our keys knows a call by */
    key: Given<string>
    event: string
    kind: 'account' | 'alerts' | 'emergencies'
    phone: string
    person_id: number
    /** what is spoken, piece by piece, each with its language */
    words: Json<ColumnTypes['voice_call.words']>
    created_at: Instant
    call_after: Instant
    /** what it tells is over then: it does not ring any more */
    until: Instant | null
    /** sent: it rings or is answered; delivered: heard, or left on a machine; unclear: the provider may have it, and nobody knows */
    state: Given<'waiting' | 'sent' | 'delivered' | 'failed' | 'stopped' | 'resting' | 'unclear'>
    reason: Given<string>
    /** how often the phone was called */
    tries: Given<number>
    /** how often the provider did not take it since it last rang */
    attempts: Given<number>
    /** how many it is paid as, of all its tries */
    minutes: Given<number>
    /** the provider was asked since then for the try that is under way */
    asked_at: Instant | null
    /** a job asks the provider: no other does before */
    held_until: Instant | null
    provider_id: string | null
    /** the ids there of tries that did not reach anybody */
    earlier_ids: Given<string[]>
    settled_at: Instant | null
  }
  /** phones for calls, each with the words that its owner agreed to */
  voice_number: {
    company_id: number
    person_id: number
    phone: string
    agreed_at: Instant
    agreed_to: string
    confirmed_at: Instant | null
    code_hash: Buffer | null
    code_expires_at: Instant | null
  }
  voice_stop: {
    company_id: number
    phone: string
    at: Instant
  }
  work_order: {
    company_id: number
    id: Generated<number>
    public_id: Given<string>
    number: string
    title: string
    description: Given<string>
    kind: 'repair' | 'reading' | 'inspection' | 'maintenance'
    status: 0 | 1 | 2 | 3 | 4
    severity: 0 | 1 | 2
    /** what it was opened from, in another feature, which hears of its states */
    source_kind: string | null
    source_id: number | null
    asset_kind: string | null
    asset_id: number | null
    /** what is worked on, in words: also where no asset of ours is meant */
    asset_name: Given<string>
    plan_id: number | null
    /** the day for which a plan opened it: one order a day */
    plan_day: string | null
    place: Given<string>
    address_id: number | null
    lat: number | null
    lon: number | null
    at: Point | null
    department_id: number | null
    assigned_to: number | null
    due_on: string | null
    starts_at: Instant | null
    ends_at: Instant | null
    /** where it stands in the calendar, once it is scheduled */
    item_id: number | null
    minutes: Given<number>
    cost_cents: Given<number>
    created_at: Instant
    completed_at: Instant | null
    is_open: Computed<boolean>
    due_or_never: Computed<string>
    search_text: Computed<string>
    crew_id: number | null
  }
  work_order_cost: {
    company_id: number
    order_id: number
    no: number
    kind: 'labor' | 'part' | 'other'
    text: string
    /** minutes of labor, pieces of parts */
    quantity: number
    /** of an hour, of a piece */
    unit_cents: number
    cents: number
    at: Instant
    by_name: string
    struck_at: Instant | null
  }
  work_order_file: {
    company_id: number
    order_id: number
    file_id: string
  }
  work_order_number: {
    company_id: number
    year: number
    last: number
  }
  work_order_task: {
    company_id: number
    order_id: number
    no: number
    text: string
    done_at: Instant | null
    done_by: Given<string>
  }
  work_plan: {
    company_id: number
    id: Generated<number>
    title: string
    description: Given<string>
    kind: 'repair' | 'reading' | 'inspection' | 'maintenance'
    severity: 0 | 1 | 2
    department_id: number | null
    assigned_to: number | null
    place: Given<string>
    address_id: number | null
    lat: number | null
    lon: number | null
    at: Point | null
    checklist: Given<string[]>
    /** when it comes again, as the RRULE of RFC 5545, counted in the town's days from starts_on */
    rule: string
    starts_on: string
    /** by the town's clock; empty: its orders have a day to be done by, and no time */
    start_time: Given<string>
    minutes: number
    lead_days: number
    is_active: Given<0 | 1>
    /** the first day for which no order was opened yet; 9999-12-31 where none comes any more */
    next_on: string
    search_text: Computed<string>
    crew_id: number | null
  }
  zone: {
    company_id: number
    id: Generated<number>
    kind: string
    name: string
    name_key: string
    outline: Json<ColumnTypes['zone.outline']>
  }
  zone_ring: {
    company_id: number
    zone_id: number
    part: number
    ring: number
    shape: string
  }
}
