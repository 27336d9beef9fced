import type { ColumnType, Generated } from 'kysely'
import type { Position } from '../../shared/places.ts'
import type { Definition } from '../../shared/fields/definition.ts'
import type { Privileges } from '../../shared/privileges.ts'

/** Rows as the database gives them: bigint as number (safe integers), date as YYYY-MM-DD, timestamptz as Date. */
type Instant = ColumnType<Date, Date | string, Date | string>
type Given<T> = ColumnType<T, T | undefined, T>
/** jsonb is written as text that we stringify, and read parsed. */
type Json<T> = ColumnType<T, string, string>
type GivenJson<T> = ColumnType<T, string | undefined, string>
type Flag = Given<0 | 1>

/** What is paid: the kind that a feature registered, and its id there. */
export interface PayableRef {
  kind: string
  id: number
}

/** What a receipt says of a line, by a name of `factLabels`. */
export interface LineFact {
  name: string
  value: string
}

/** What an amount is made of. */
export interface LineItem {
  text: string
  note: string
  amountCents: number
}

export interface BillLine {
  service: string
  description: string
  quantity: number | null
  unit: string
  amountCents: number
}

export interface Schema {
  timezone: { id: number; label: string; zone: string }
  company: {
    id: Generated<number>
    guid: Generated<string>
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
    fiscal_month: Given<number>
    is_online: Flag
    offline_msg: Given<string>
    use_dbilling: Flag
    is_managed_services: Flag
    has_chk_agnst_prcl: Flag
    is_demo: Flag
    founded: number | null
    tagline: Given<string>
    site_wide_message: Given<string>
    theme_background: Given<string>
    theme_text: Given<string>
    file_path: Given<string>
    created_at: Given<Date>
  }
  company_component: { company_id: number; url: string; is_active: Flag }
  company_service: {
    company_id: number
    id: number
    name: string
    description: string
    icon: string | null
    url: string
    is_active: Flag
    position: number
    button_text: Given<string>
  }
  company_config: {
    company_id: number
    tags: GivenJson<string[]>
    alerts: GivenJson<Record<'alerts' | 'essentials' | 'others', { name: string }[]>>
    contacts: GivenJson<Record<'name' | 'title' | 'phone' | 'email', string>[]>
  }
  company_config_version: {
    company_id: number
    id: Generated<number>
    at: Instant
    actor_kind: string
    actor_id: number | null
    actor_name: string
    section: string
    origin: 'form' | 'logo' | 'put_back' | 'import'
    before: Json<Record<string, unknown>>
    after: Json<Record<string, unknown>>
  }
  announcement: { id: number; place: 'landing' | 'back_office'; message: string; until: string }
  company_announcement: {
    company_id: number
    id: Generated<number>
    place: 'landing' | 'back_office'
    message: string
    until: string
  }
  person: {
    company_id: number
    id: Generated<number>
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
    primary_contact_method: Given<number>
    is_active: Flag
    created_at: Given<Date>
    /** Masks that differ from the role's defaults. */
    privileges: GivenJson<Privileges>
    email_confirmed_at: Instant | null
    mailbox_proven_at: Given<Instant | null>
    locked_at: Instant | null
    position: number | null
    department_id: number | null
    signed_in_at: Instant | null
  }
  department: { company_id: number; id: Generated<number>; name: string; is_active: Flag; created_at: Given<Date> }
  invitation: {
    company_id: number
    code_hash: Buffer
    person_id: number
    expires_at: Instant
    used_at: Instant | null
  }
  session: {
    company_id: number
    id: Generated<number>
    token_hash: Buffer
    person_id: number | null
    created_at: Instant
    seen_at: Instant
    expires_at: Instant
    ended_at: Instant | null
    impersonator_id: number | null
    impersonation_id: Given<number | null>
    device: Given<string>
    address: Given<string>
  }
  impersonation: {
    company_id: number
    id: Generated<number>
    actor_kind: 'platform' | 'municipality'
    actor_id: number
    actor_name: string
    actor_session: Buffer
    target_id: number | null
    reason: string
    code_hash: Buffer
    admin_code_hash: Buffer
    created_at: Instant
    expires_at: Instant
    used_at: Instant | null
  }
  platform_person: {
    id: Generated<number>
    email: string
    password_hash: string | null
    role_id: number
    first_name: string
    last_name: string
    is_active: Flag
    created_at: Given<Date>
    privileges: GivenJson<Privileges>
    locked_at: Instant | null
    position: null
    department_id: number | null
    signed_in_at: Instant | null
    address: Given<string>
    city: Given<string>
    state: Given<string>
    zipcode: Given<string>
    mobile_no: Given<string>
  }
  platform_department: { id: Generated<number>; name: string; is_active: Flag; created_at: Given<Date> }
  platform_session: {
    id: Generated<number>
    token_hash: Buffer
    person_id: number
    created_at: Instant
    seen_at: Instant
    expires_at: Instant
    ended_at: Instant | null
    device: Given<string>
    address: Given<string>
  }
  platform_invitation: { code_hash: Buffer; person_id: number; expires_at: Instant; used_at: Instant | null }
  identity_settings: {
    company_id: number
    password_rules: Given<'standard' | 'nist'>
    require_second_factor: Given<boolean>
  }
  platform_identity_settings: { id: Given<1>; require_second_factor: boolean }
  account_link: {
    company_id: number
    code_hash: Buffer
    person_id: number
    purpose: 'confirm_email' | 'change_email' | 'reset_password'
    email: string
    created_at: Instant
    expires_at: Instant
    used_at: Instant | null
  }
  platform_account_link: {
    code_hash: Buffer
    person_id: number
    purpose: 'confirm_email' | 'change_email' | 'reset_password'
    email: string
    created_at: Instant
    expires_at: Instant
    used_at: Instant | null
  }
  platform_mail: {
    id: Generated<number>
    to_address: string
    subject: string
    text_body: string
    html_body: string
    attachments: GivenJson<{ filename: string; contentType: string; drawnBy: string; of: number }[]>
    created_at: Instant
    sent_at: Instant | null
    attempts: Given<number>
    last_error: string | null
    failed_at: Given<Date | null>
    stop_url: Given<string>
  }
  secret_key: { id: Given<1>; fingerprint: string; since: Instant }
  failed_guess: {
    scope: string
    key_hash: Buffer
    failures: number
    window_started_at: Instant
    blocked_until: Instant | null
  }
  audit_event: {
    company_id: number
    id: Generated<number>
    at: Instant
    actor_kind: 'guest' | 'citizen' | 'municipality' | 'platform' | 'system'
    actor_id: number | null
    impersonator_id: number | null
    action: string
    subject_kind: Given<string>
    subject: Given<string>
    person_id: number | null
    detail: GivenJson<Record<string, unknown>>
    request_id: Given<string>
  }
  audit_seal: {
    company_id: number
    position: number
    event_id: number
    version: number
    hash: Buffer
    sealed_at: Instant
  }
  platform_audit_seal: { position: number; event_id: number; version: number; hash: Buffer; sealed_at: Instant }
  audit_unsealed: { town: number; event_id: number }
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
  platform_audit_event: {
    id: Generated<number>
    at: Instant
    actor_id: number | null
    action: string
    subject_kind: Given<string>
    subject: Given<string>
    person_id: number | null
    detail: GivenJson<Record<string, unknown>>
    request_id: Given<string>
  }
  platform_download_ticket: {
    code_hash: Buffer
    call: string
    body: GivenJson<unknown>
    person_id: number
    expires_at: Instant
    used_at: Instant | null
  }
  mail_outbox: {
    company_id: number
    id: Generated<number>
    to_address: string
    subject: string
    text_body: string
    html_body: string
    attachments: GivenJson<{ filename: string; contentType: string; drawnBy: string; of: number }[]>
    created_at: Instant
    sent_at: Instant | null
    attempts: Given<number>
    last_error: string | null
    failed_at: Given<Date | null>
    stop_url: Given<string>
    event: Given<string>
  }
  attachment: {
    company_id: number
    id: Generated<string>
    kind: string
    subject_kind: string
    subject_id: number
    nth: number
    state: 'waiting' | 'clean' | 'refused'
    name: string
    content_type: string
    bytes: number
    sha256: Buffer
    path: string | null
    preview: Buffer | null
    finding: Given<string>
    created_at: Instant
    created_by_kind: 'guest' | 'citizen' | 'municipality' | 'platform' | 'system'
    created_by: number | null
    scanned_at: Instant | null
    refused_at: Instant | null
    expires_at: Instant | null
  }
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
  upload_part: { company_id: number; owner: string; key: string; part_offset: number; content: Buffer }
  town_map: {
    company_id: number
    origin_lat: number
    origin_lon: number
    file_id: Given<string | null>
  }
  street: { company_id: number; id: Generated<number>; name: string; name_key: string; lines: GivenJson<Position[][]> }
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
    /** In metres from the town's origin. */
    at: { x: number; y: number }
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
    at: { x: number; y: number }
    outline: GivenJson<Position[][][]>
    search_text: ColumnType<string, never, never>
  }
  zone: {
    company_id: number
    id: Generated<number>
    kind: string
    name: string
    name_key: string
    outline: Json<Position[][][]>
  }
  zone_ring: { company_id: number; zone_id: number; part: number; ring: number; shape: string }
  form_template: {
    id: Generated<number>
    title: string
    description: Given<string>
    category: string
    is_active: Flag
    current_version: Given<number>
    first_assigned_at: Instant | null
    created_at: Instant
    created_by: number | null
    changed_at: Instant
    changed_by: number | null
    title_key: ColumnType<string, never, never>
    search_text: ColumnType<string, never, never>
  }
  /** A view of attachments. */
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
  form_template_assignment: {
    company_id: number
    template_id: number
    assigned_at: Instant
    assigned_by: number | null
  }
  download_ticket: {
    company_id: number
    code_hash: Buffer
    call: string
    body: Json<unknown>
    person_id: number
    person_kind: 'citizen' | 'municipality' | 'platform'
    expires_at: Instant
    used_at: Instant | null
    session_hash: Given<Buffer | null>
  }
  idempotency_key: {
    company_id: number
    call: string
    key: string
    body_hash: Buffer
    answer: ColumnType<unknown, string | null | undefined, string | null>
    lease_until: Instant
    created_at: Instant
  }
  saved_view: {
    company_id: number
    id: Generated<number>
    person_id: number
    list: string
    name: string
    query: string
    created_at: Instant
  }
  last_change: { company_id: number; subject: string; field: string; at: Instant; actor_name: string }
  event_type: { id: number; name: string; category: 'billing' | 'rental' | 'workorder' | 'inspection' }
  scheduled_item: {
    company_id: number
    id: Generated<number>
    event_type_id: number
    title: string
    description: Given<string>
    starts_at: Instant
    ends_at: Instant
    status: 'not_started' | 'in_progress' | 'completed' | null
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
    created_at: Given<Date>
  }
  linked_account: { company_id: number; person_id: number; account_id: number; linked_at: Instant }
  utility_bill: {
    company_id: number
    account_id: number
    bill_number: string
    bill_date: string
    due_date: string
    period_start: string
    period_end: string
    lines: Json<BillLine[]>
    amount_cents: number
    paid_elsewhere_cents: Given<number>
    imported_at: Given<Date>
  }
  processor: { id: number; name: string; provider: string }
  payment_settings: {
    company_id: number
    processor_id: Given<number>
    provider_account: string | null
    min_payment_cents: Given<number>
    max_payment_cents: Given<number>
    fee_program: Given<'convenience' | 'service' | 'none'>
    absorb: Flag
    card_fee_bps: Given<number>
    card_fee_fixed_cents: Given<number>
    card_fee_min_cents: Given<number>
    card_fee_max_cents: Given<number>
    echeck_fee_cents: Given<number>
    autopay_enabled: Flag
    ivr_user_pin_enabled: Flag
    has_card_reader: Flag
    receive_payment_emails: Flag
    has_tele_check: Flag
    only_usd_currency: Flag
    has_pay_by_phone: Flag
    pay_by_phone_number: Given<string>
    guest_fact: Given<'none' | 'last_name' | 'last_bill'>
    is_pay_in_full: Flag
    primary_contact: Given<number | null>
    secondary_contact: Given<number | null>
  }
  guest_checkout: {
    company_id: number
    id: Generated<number>
    token_hash: Buffer
    /** What was found, in the order of the lines to come. */
    payables: Json<PayableRef[]>
    created_at: Instant
    expires_at: Instant
  }
  checkout_link: {
    company_id: number
    token_hash: Buffer
    checkout_id: number
    created_at: Instant
    expires_at: Instant
  }
  status_edge: { machine: string; from_state: string; to_state: string; event: string }
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
  order_status: { id: number; label: string }
  order_status_edge: { from_status: number; to_status: number; event: string }
  payment_order: {
    company_id: number
    id: Generated<number>
    status: number
    checkout_id: number | null
    person_id: number | null
    /** What clerks know its lines by: an account's number, say. */
    reference: string
    /** What reports call its lines. */
    type: string
    payer_name: string
    payer_email: string
    location: number
    method: number
    pay_type: number
    bill_cents: number
    fee_cents: number
    absorbed_fee_cents: Given<number>
    total_cents: number
    refunded_cents: Given<number>
    fee_quote: Json<Record<string, unknown>>
    means: Given<string>
    return_code: string | null
    dispute_open: Given<boolean>
    created_at: Instant
    paid_at: Instant | null
    search_text: string
    /** What the ledger holds of it for the town, and of the payer's fee; what was refunded and returned of both. */
    kept_bill_cents: Given<number>
    kept_fee_cents: Given<number>
    refunded_bill_cents: Given<number>
    refunded_fee_cents: Given<number>
    returned_bill_cents: Given<number>
    returned_fee_cents: Given<number>
  }
  payment_order_line: {
    company_id: number
    order_id: number
    line_no: number
    kind: string
    payable_id: number
    amount_cents: number
    /** What is left of the amount, of what was captured and not given back. */
    settled_cents: Given<number>
    gl_account: string
    fee_program: 'convenience' | 'service' | 'none'
    title: string
    facts: Json<LineFact[]>
    items: GivenJson<LineItem[]>
    /** What could be paid then, in cents; null for older payments. */
    owed_before_cents: number | null
  }
  order_status_history: {
    company_id: number
    order_id: number
    seq: number
    from_status: number
    to_status: number
    event: string
    at: Instant
  }
  payment_attempt: {
    company_id: number
    id: Generated<number>
    order_id: number
    attempt_no: number
    idempotency_key: string
    status: number
    step:
      | 'new'
      | 'created'
      | 'submitted'
      | 'processing'
      | 'requires_action'
      | 'succeeded'
      | 'failed'
      | 'canceled'
      | 'returned'
    provider: string
    provider_account: string
    intent_id: string | null
    action_url: string | null
    error_code: string | null
    error_message: string | null
    created_at: Instant
    submitted_at: Instant | null
    checked_at: Instant
  }
  ledger_account: {
    company_id: number
    code: string
    name: string
    kind: 'asset' | 'liability' | 'revenue' | 'expense'
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
  }
  remittance: {
    company_id: number
    id: Generated<number>
    account_id: number
    order_id: number
    line_no: number
    source: string
    source_ref: string
    kind: 'credit' | 'reversal'
    amount_cents: number
    at: Instant
  }
  provider_event: {
    id: Generated<number>
    provider: string
    event_id: string
    received_at: Instant
    body: Json<Record<string, unknown>>
    applied_at: Instant | null
    tries: Given<number>
    next_try_at: Instant | null
    last_error: Given<string | null>
    given_up_at: Given<Date | null>
  }
  provider_place: { provider: string; movement_id: string; read_at: Instant }
  payment_alert: {
    company_id: number
    id: Generated<number>
    order_id: number
    code: string
    message: string
    at: Instant
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
    is_active: Flag
  }
  ccs_issuer: {
    company_id: number
    issuer: string
    label: string
    jwks: ColumnType<Record<string, unknown> | null, string | null, string | null>
    jwks_url: string | null
    is_active: Flag
  }
  sso_identity: {
    company_id: number
    issuer: string
    subject: string
    person_id: number
    linked_at: Instant
    signed_in_at: Instant
    undo_hash: Buffer | null
  }
  sso_attempt: {
    company_id: number
    state_hash: Buffer
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
  ccs_hand_off: {
    company_id: number
    issuer: string
    jti: string
    code_hash: Buffer
    subject: string
    created_at: Instant
    code_expires_at: Instant
    expires_at: Instant
    used_at: Instant | null
  }
  daily_figure: { company_id: number; day: string; measure: string; part: string; count: number; cents: number }
  platform_daily_figure: { day: string; measure: string; part: string; count: number; cents: number }
  figure_progress: { company_id: number; through: string; looked_at: Instant }
  figure_walk: { id: Given<1>; began_at: Instant; through: string }
  support_request: {
    company_id: number
    id: Generated<number>
    created_at: Instant
    updated_at: Instant
    status: Given<0 | 1 | 2 | 3 | 4>
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
    person_id: number | null
    assigned_to: number | null
    department_id: Given<number | null>
    last_message_id: Given<number>
    last_from: Given<'person' | 'staff'>
  }
  case_entry: {
    company_id: number
    id: Generated<number>
    subject_kind: string
    subject_id: number
    at: Instant
    kind: 'message' | 'reply' | 'note' | 'assignment'
    visibility: 'everyone' | 'staff'
    author_kind: 'person' | 'municipality' | 'platform'
    author_id: number | null
    author_name: string
    text: string
    assigned_to: Given<number | null>
    department_id: Given<number | null>
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
    reader_id: number
    seen_id: Given<number>
    watches: Given<boolean>
  }
  case_told: { company_id: number; entry_id: number; told_at: Instant }
  notice_waiting: {
    company_id: number
    id: Generated<number>
    event: string
    address: string
    person_id: number | null
    facts: Json<unknown>
    at: Instant
  }
  notice_stop: { company_id: number; address: string; event: string; at: Instant }
  refused_address: {
    company_id: number
    address: string
    code: string
    refusals: Given<number>
    refused_at: Instant
    rests_until: Instant
  }
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
  sms_stop: { company_id: number; phone: string; at: Instant }
  sms_incoming: {
    company_id: number
    provider_id: string
    phone: string
    meaning: 'stop' | 'start' | 'help' | 'other'
    at: Instant
  }
  sms_settings: {
    company_id: number
    payments: 0 | 1
    conversations: 0 | 1
    quiet_from: string
    quiet_to: string
    text_name: string
    text_number: string
  }
  sms_message: {
    company_id: number
    id: Generated<number>
    event: string
    kind: 'account' | 'payments' | 'conversations'
    phone: string
    person_id: number
    body: string
    segments: number
    created_at: Instant
    send_after: Instant
    state: Given<'waiting' | 'sent' | 'delivered' | 'failed' | 'stopped' | 'resting'>
    reason: Given<string>
    attempts: Given<number>
    asked_at: Given<Date | null>
    held_until: Given<Date | null>
    provider_id: Given<string | null>
    settled_at: Given<Date | null>
  }
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
  }
  town_notice: {
    company_id: number
    id: number
    created_at: Date
    event: string
    channel: 'email' | 'text'
    receiver: string
    state: string
    reason: string
    segments: number
    send_after: Date
  }
  canned_answer: { company_id: number; id: Generated<number>; subject_kind: string; title: string; text: string }
  field_set: {
    company_id: number
    id: Generated<number>
    kind: string
    name: string
    draft: Json<Definition>
    latest_version: Given<number>
    created_at: Instant
    updated_at: Instant
  }
  field_set_version: {
    company_id: number
    field_set_id: number
    version: number
    definition: Json<Definition>
    published_at: Instant
    published_by: string
  }
  field_draft: {
    company_id: number
    field_set_id: number
    owner: string
    subject: string
    version: number
    raw: Json<Record<string, unknown>>
    changes: GivenJson<string[]>
    saved_at: Instant
  }
}
