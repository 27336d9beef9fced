// Made of the migrated database by `npm run schema`: write a migration or column-types.ts, never this file.
import type { Generated } from 'kysely'
import type { ColumnTypes, Computed, Defaulted, DefaultedInstant, DefaultedJson, Instant, Json, Point } from './column-types.ts'

export interface Schema {
  /** Emailed links that confirm an email address, change it, or reset a password. Each link works once. The table stores only a hash of the code. */
  account_link: {
    company_id: number
    code_hash: Buffer
    person_id: number
    purpose: 'confirm_email' | 'change_email' | 'reset_password'
    /** Address that receives the link. For a change of email, this is the new address. */
    email: string
    created_at: Instant
    expires_at: Instant
    used_at: Instant | null
  }
  /** Share of a utility account: read access that the account holder offers to another person. Both people must agree, and either can end the share. */
  account_share: {
    company_id: number
    id: Generated<number>
    account_id: number
    /** history: usage up to until_day, for the next occupant. watch: notifications of unpaid bills, for a landlord. */
    kind: 'history' | 'watch'
    with_amounts: boolean
    /** If kind is history: last day of usage that the person can see. */
    until_day: string
    offered_by: number
    /** Email address of the only person who can accept the share. Empty if anyone with the code can accept it. */
    to_email: string
    code_hash: Buffer
    state: 'offered' | 'accepted' | 'ended'
    offered_at: Instant
    expires_at: Instant
    accepted_by: number | null
    accepted_at: Instant | null
    /** If kind is watch: due date of the last bill for which the portal sent an unpaid-bill notification. */
    notified_due: string | null
  }
  /** Street addresses in a company, imported by staff. Used for the address search and to find coordinates. */
  address: {
    company_id: number
    id: Generated<number>
    street_id: number
    /** House number as written, for example 12B. */
    house_number: string
    /** Numeric part of house_number, for sorting. */
    number: number
    unit: Defaulted<string>
    city: string
    state: string
    zipcode: string
    lat: number
    lon: number
    /** Location in metres from the origin of the company's map (company_map). */
    at: Point
  }
  /** Alerts to residents, including updates, cancellations and all-clears of an earlier alert. */
  alert: {
    company_id: number
    id: Generated<number>
    public_id: Defaulted<string>
    number: Computed<string>
    /** waiting: awaits approval by a second staff member. sent and updated: active. */
    status: 'draft' | 'waiting' | 'scheduled' | 'sending' | 'sent' | 'updated' | 'cancelled' | 'ended'
    kind: Defaulted<'alert' | 'update' | 'cancel' | 'all_clear'>
    /** Original alert that this update, cancellation or all-clear refers to. This message goes to the recipients of the original alert. */
    about_id: number | null
    service_id: number
    event: string
    /** CAP 1.2 category. */
    category: 'Geo' | 'Met' | 'Safety' | 'Security' | 'Rescue' | 'Fire' | 'Health' | 'Env' | 'Transport' | 'Infra' | 'CBRNE' | 'Other'
    urgency: 'Immediate' | 'Expected' | 'Future' | 'Past' | 'Unknown'
    severity: 'Extreme' | 'Severe' | 'Moderate' | 'Minor' | 'Unknown'
    certainty: 'Observed' | 'Likely' | 'Possible' | 'Unlikely' | 'Unknown'
    /** Headline, description and instruction in each language (en, es). */
    content: Json<ColumnTypes['alert.content']>
    headline: Computed<string>
    by_email: Defaulted<boolean>
    /** True if the alert is sent by text message. */
    by_sms: Defaulted<boolean>
    /** True if the alert appears on the portal's pages. */
    on_pages: Defaulted<boolean>
    /** Audience: everyone, zones, a drawn area, routes, or the people who submitted a form. */
    area: Json<ColumnTypes['alert.area']>
    /** Description of the audience, shown to residents. Empty if the audience is everyone. */
    area_text: Defaulted<string>
    /** Scheduled send time. Null: send as soon as possible. */
    send_at: Instant | null
    expires_at: Instant
    /** Number of recipients. */
    people: Defaulted<number>
    /** Submitter of the alert as account kind and person ID, for example municipality:12. The submitter cannot approve the alert. */
    submitted_by: Defaulted<string>
    created_at: Instant
    edited_at: Instant
    sent_at: Instant | null
    search_text: Computed<string>
    by_call: Defaulted<boolean>
    /** CAP message as sent. Null until the alert is sent. */
    cap: Json<ColumnTypes['alert.cap']> | null
  }
  /** Channels that a resident chose for an alert service. Without a row, the defaults of the service type apply. */
  alert_choice: {
    company_id: number
    person_id: number
    service_id: number
    by_email: boolean
    by_sms: boolean
    changed_at: Instant
    /** Null if the resident made no choice about calls. The default of the service type then applies. */
    by_call: boolean | null
  }
  /** Recipients of an alert. One row per channel and address, so that an address gets each alert once. */
  alert_delivery: {
    company_id: number
    id: Generated<number>
    alert_id: number
    channel: 'email' | 'text' | 'call'
    /** Email address or phone number, depending on the channel. */
    address: string
    person_id: number
    name: string
    language: 'en' | 'es'
    /** queued: not sent yet. stopped: opted out, or a duplicate. resting: paused after recent refusals. The other values are the states of the email, text message or call. */
    state: Defaulted<'queued' | 'waiting' | 'sent' | 'delivered' | 'unclear' | 'failed' | 'stopped' | 'resting'>
    reason: Defaulted<string>
    message_id: number | null
    at: Instant
  }
  /** Language in which a resident reads alerts. Without a row, the language is English. */
  alert_reader: {
    company_id: number
    person_id: number
    language: 'en' | 'es'
  }
  /** CAP messages received from outside alert sources. Staff release or dismiss those that await review. */
  alert_received: {
    company_id: number
    id: Generated<number>
    source_id: number
    sender: string
    identifier: string
    /** Parsed message of type CapAlert (features/alerts/cap/message.ts). */
    message: Json<ColumnTypes['alert_received.message']>
    headline: string
    msg_type: 'Alert' | 'Update' | 'Cancel'
    severity: 'Extreme' | 'Severe' | 'Moderate' | 'Minor' | 'Unknown'
    /** superseded: replaced by a later message. filtered_out: ignored, for the reason in why. */
    status: 'waiting' | 'released' | 'dismissed' | 'superseded' | 'filtered_out'
    /** Reason for filtering out the message. Empty if status is not filtered_out. */
    why: Defaulted<'' | 'not_actual' | 'expired' | 'kind' | 'minor' | 'elsewhere' | 'unknown'>
    /** Alert created from the message. Null if none. */
    alert_id: number | null
    sent_at: Instant
    received_at: Instant
  }
  /** Alert services of a company, such as weather or road closures. The ID of a row never changes, because residents' choices refer to it. */
  alert_service: {
    company_id: number
    id: Generated<number>
    /** 1 alert, 2 essential, 3 other (spec 9.4). */
    type: number
    name: string
    name_key: Computed<string>
    position: Defaulted<number>
    is_active: Defaulted<boolean>
  }
  /** Alert approval rule of a company. */
  alert_settings: {
    company_id: number
    /** An alert to more people than this needs approval by a second staff member. */
    approval_over: number
  }
  /** Outside alert sources of a company, such as the National Weather Service. */
  alert_source: {
    company_id: number
    id: Generated<number>
    name: string
    url: string
    /** Geocodes of the company's area, such as 042041 or PAC041, separated by spaces. A message with one of these geocodes applies to the company. */
    codes: Defaulted<string>
    /** Event types to accept, separated by commas. Empty if all types are accepted. */
    events: Defaulted<string>
    /** Messages below this severity are filtered out. */
    min_severity: 'Extreme' | 'Severe' | 'Moderate' | 'Minor' | 'Unknown'
    service_id: number
    /** True if the portal sends the messages to residents automatically. False if staff release each message. */
    is_automatic: Defaulted<boolean>
    is_active: Defaulted<boolean>
    /** Time at which the portal last read the source. Null if it never read the source. */
    read_at: Instant | null
    /** Error from the last read of the source. Empty if the read succeeded. */
    problem: Defaulted<string>
    /** Zones that limit which messages are accepted. The area of a message must contain an address in one of these zones. If empty, any address of the company is enough. */
    zone_ids: Defaulted<number[]>
  }
  /** Templates of alerts. Staff start an alert with one. */
  alert_template: {
    company_id: number
    id: Generated<number>
    name: string
    /** Service of the alert. Null if staff must choose a service. */
    service_id: number | null
    /** Event, levels and texts of the alert. */
    content: Json<ColumnTypes['alert_template.content']>
  }
  /** reference: Dated notices from the platform to all companies. */
  announcement: {
    id: number
    location: 'landing' | 'back_office'
    message: string
    /** Last day on which the notice is shown. */
    until: string
  }
  /** Keys that a company's programs use to call the portal. The portal shows a key only once and stores only its hash. */
  api_key: {
    company_id: number
    id: Generated<number>
    name: string
    /** Last characters of the key, so that staff can tell keys apart. */
    ending: string
    key_hash: Buffer
    made_at: Instant
    made_by: string
    used_at: Instant | null
    revoked_at: Instant | null
    revoked_by: Defaulted<string>
    /** The only API that the key can be used for. */
    use: 'billing' | 'open311'
  }
  /** Payment arrangements. Each one splits the amount due on an open item into installments. */
  arrangement: {
    company_id: number
    id: Generated<number>
    /** Kind of payable. With payable_id, identifies the open item. */
    kind: string
    payable_id: number
    reference: string
    payer_name: string
    state: 'proposed' | 'active' | 'completed' | 'defaulted' | 'ended'
    total_cents: number
    /** Number of installments. */
    installments: number
    /** Days that an installment may be late before the arrangement defaults. */
    grace_days: number
    /** Amount paid on the open item before the arrangement. Later payments cover the oldest installment first. */
    paid_before_cents: Defaulted<number>
    made_by: string
    made_at: Instant
    last_due: string
    person_id: number | null
    agreed_at: Instant | null
    /** Version of the terms that the payer agreed to (arrangement_terms). */
    agreed_version: number | null
    /** Name of the person who agreed, or of the staff member who recorded an agreement on paper or by phone. */
    agreed_by: Defaulted<string>
    /** IP address of the person who agreed. */
    agreed_address: Defaulted<string>
    agreed_device: Defaulted<string>
    closed_at: Instant | null
    search_text: Computed<string>
  }
  /** Installments of an arrangement. The rows are created with the arrangement and never change. */
  arrangement_installment: {
    company_id: number
    arrangement_id: number
    no: number
    due_on: string
    cents: number
  }
  /** Limits for payment arrangements that residents start. Staff may exceed them. */
  arrangement_settings: {
    company_id: number
    /** True if residents may start an arrangement. */
    by_residents: boolean
    max_installments: number
    /** Maximum length of an arrangement in days. */
    max_days: number
    /** Minimum first installment, in percent of the total. */
    min_first_percent: number
    /** Minimum installment. */
    min_cents: number
    /** Days that an installment may be late before the arrangement defaults. */
    grace_days: number
    /** The company's own terms for residents. Empty: the default terms. */
    terms: Defaulted<string>
  }
  /** Terms that residents agree to, by version. A version is never changed. */
  arrangement_terms: {
    company_id: number
    version: number
    text: string
    since: Instant
  }
  /** Uploaded files of all features (server/attachments/). Company 0 is the platform. */
  attachment: {
    company_id: number
    id: Defaulted<string>
    /** Purpose of the file, as declared by a feature. */
    kind: string
    /** With subject_id, identifies the record that the file belongs to. */
    subject_kind: string
    subject_id: number
    /** Number of the file within its subject. If each file replaces the previous one, this is the version number. */
    nth: number
    /** waiting: not scanned yet. refused: rejected by the virus scanner. */
    state: 'waiting' | 'clean' | 'refused'
    name: string
    content_type: string
    bytes: number
    sha256: Buffer
    /** Key in the file store. Null if the virus scanner rejected the file, which is then deleted from the store. */
    path: string | null
    /** Thumbnail image. */
    preview: Buffer | null
    /** Finding of the virus scanner. Empty if none. */
    finding: Defaulted<string>
    created_at: Instant
    created_by_kind: 'guest' | 'citizen' | 'municipality' | 'platform' | 'system'
    created_by: number | null
    scanned_at: Instant | null
    refused_at: Instant | null
    /** Time of automatic deletion. Null if the file is never deleted automatically. */
    expires_at: Instant | null
    /** Latitude at which a photo was taken. */
    taken_lat: number | null
    /** Longitude at which a photo was taken. */
    taken_lon: number | null
  }
  /** Audit log of a company. Entries are only added, never changed. */
  audit_event: {
    company_id: number
    id: Generated<number>
    at: Instant
    actor_kind: 'guest' | 'citizen' | 'municipality' | 'platform' | 'system'
    actor_id: number | null
    /** Platform staff member who impersonated the actor. Null without impersonation. */
    impersonator_id: number | null
    action: string
    subject: Defaulted<string>
    detail: DefaultedJson<ColumnTypes['audit_event.detail']>
    request_id: Defaulted<string>
    /** Person affected, if not the actor. */
    person_id: number | null
    /** Kind of the subject (shared/audit-actions.ts). Empty if the entry concerns only its actor. */
    subject_kind: Defaulted<string>
  }
  /** Hash chain over the audit log. Each seal covers one entry and the previous seal. */
  audit_seal: {
    company_id: number
    /** Position in the chain, without gaps. */
    position: number
    event_id: number
    hash: Buffer
    sealed_at: Instant
    /** Version of the sealed content (features/audit/server/chain.ts). */
    version: number
  }
  /** local: Audit log entries that are not sealed yet. Company 0 is the platform. */
  audit_unsealed: {
    company: number
    event_id: number
  }
  /** Authenticator apps (TOTP) of residents and company staff. Those of platform staff are in platform_authenticator. */
  authenticator: {
    company_id: number
    person_id: number
    /** Encrypted TOTP secret. */
    secret_sealed: string
    /** Time step of the last accepted code. Only codes of later steps are valid. */
    last_step: number
    created_at: Instant
  }
  /** AutoPay enrollments. Each one pays the due bills of one payable automatically. */
  autopay: {
    company_id: number
    id: Generated<number>
    person_id: number
    /** Kind of payable. With payable_id, identifies the account. */
    kind: string
    payable_id: number
    reference: string
    /** Saved payment method (stored_method). */
    method_id: number
    state: 'active' | 'paused' | 'ended' | 'removed'
    /** due: on the due date. before: days_before days before the due date. day: on the day of the month in day_of_month. */
    timing: 'due' | 'before' | 'day'
    /** Number of days before the due date. 0 unless timing is before. */
    days_before: number
    /** Day of the month for the charge. 0 unless timing is day. */
    day_of_month: number
    /** Maximum amount of a charge. Null: no maximum. */
    cap_cents: number | null
    /** True if AutoPay skips the next bill. Only that one bill is skipped. */
    skip_next: Defaulted<boolean>
    enrolled_at: Instant
    ended_at: Instant | null
    end_reason: Defaulted<string>
    /** Error code from the provider or the bank, such as R02. */
    end_code: Defaulted<string>
    search_text: string
    /** Last day on which AutoPay can charge, set when the resident leaves the account. Null if no end is set. */
    ends_on: string | null
  }
  /** Evidence of consent to automatic charges: terms, time, address and device. One row per consent. */
  autopay_agreement: {
    company_id: number
    id: Generated<number>
    autopay_id: number
    at: Instant
    /** IP address of the person who agreed. */
    address: string
    /** Browser of the person who agreed. */
    device: string
    /** Version of the authorization text (autopay_mandate). */
    mandate_version: number
    /** Payment method, timing and maximum amount, as shown on the screen. */
    terms: string
  }
  /** Planned AutoPay charges, one per bill. Adding a row and notifying the payer happen in one transaction. The charge follows later. */
  autopay_charge: {
    company_id: number
    id: Generated<number>
    autopay_id: number
    kind: string
    payable_id: number
    /** Number of the bill. */
    bill: string
    due_date: string
    charge_on: string
    /** not_owed: nothing was due, or the amount changed after a returned debit. skipped: the payer skipped the bill, or the enrollment was not active. refused: the portal did not charge, for example because of the maximum. */
    state: 'planned' | 'charging' | 'paid' | 'failed' | 'skipped' | 'not_owed' | 'refused'
    /** Amount that the payer was notified of. The charge is never higher. */
    notified_cents: number
    /** Amount charged. Null before the first charge. */
    amount_cents: number | null
    /** Number of times that the charge was presented to the bank, including the next or pending presentment. */
    presentment: Defaulted<number>
    /** Number of payment orders of this presentment that ended before the provider charged anything. */
    tries: Defaulted<number>
    /** Day of the first presentment. */
    first_on: string | null
    /** Earliest time of the next attempt. Null if no wait is needed. */
    not_before: Instant | null
    order_id: number | null
    attempt_id: number | null
    reason: Defaulted<string>
    created_at: Instant
    finished_at: Instant | null
  }
  /** Authorization texts that residents agree to, by version. A version is never changed. */
  autopay_mandate: {
    company_id: number
    version: number
    text: string
    since: Instant
  }
  /** Matching rules for bank statement lines, added by staff. A line that contains the rule's text gets the rule's resolution. */
  bank_rule: {
    company_id: number
    id: Generated<number>
    /** Text that the statement line contains. Case is ignored. */
    match_text: string
    /** True if the rule applies to money in, false if it applies to money out. */
    comes_in: boolean
    became: 'office' | 'fee' | 'not_ours'
    made_at: Instant
    made_by: string
  }
  /** Imported bank statements. */
  bank_statement: {
    company_id: number
    id: Generated<number>
    /** Last digits of the account number: four, or more if two accounts end with the same four. */
    account: string
    format: 'bai2' | 'csv'
    file_name: string
    /** Hash of the file. */
    digest: string
    from_day: string
    to_day: string
    /** Opening balance. Null if the file has no balances. */
    opening_cents: number | null
    /** Closing balance. Null if the file has no balances. */
    closing_cents: number | null
    line_count: number
    imported_at: Instant
    /** Keyed hash of the full account number, which is not stored. Empty if the file has no number. */
    account_mark: Defaulted<string>
  }
  /** Lines of bank statements, matched automatically or by staff. */
  bank_transaction: {
    company_id: number
    id: Generated<number>
    statement_id: number
    line_no: number
    booked_on: string
    /** Negative for money out. */
    amount_cents: number
    /** BAI2 type code, such as 142 (ACH credit). Empty for CSV files. */
    code: Defaulted<string>
    reference: Defaulted<string>
    /** Description from the bank. */
    description: Defaulted<string>
    /** Resolution. open: not matched. not_ours: unrelated to the portal. */
    became: Defaulted<'open' | 'payout' | 'office' | 'lockbox' | 'fee' | 'not_ours'>
    payout_id: number | null
    /** Name of the matched lockbox file. */
    lockbox_file: string | null
    finished_at: Instant | null
    finished_by: Defaulted<string>
    reason: Defaulted<string>
    search_text: string
    /** Version of the resolution. Increases by one each time the resolution is undone. */
    version: Defaulted<number>
  }
  /** Billing files received from a billing system, with the result of the import. */
  billing_file: {
    company_id: number
    id: Generated<number>
    name: string
    /** Source of the file. */
    source: 'upload' | 'key' | 'folder' | 'command'
    /** Name of the person, API key or folder that sent the file, as it was when the file arrived. */
    sender: string
    received_at: Instant
    state: 'previewing' | 'mapping' | 'previewed' | 'importing' | 'imported' | 'undone' | 'refused' | 'discarded'
    finished_at: Instant | null
    problem: Defaulted<string>
    /** True if the import differed from the preview. The file then needs a new decision. */
    differs_from_preview: Defaulted<boolean>
    /** Hash of the preview. The import must produce the same hash. Null without a preview. */
    digest: Buffer | null
    lines_read: Defaulted<number>
    /** Number of imported lines. An interrupted import continues after these lines. */
    lines_done: Defaulted<number>
    /** Number of lines with errors. */
    error_count: Defaulted<number>
    accounts_created: Defaulted<number>
    accounts_updated: Defaulted<number>
    bills_created: Defaulted<number>
    bills_changed: Defaulted<number>
    bills_unchanged: Defaulted<number>
    billed_cents: Defaulted<number>
    received_cents: Defaulted<number>
    adjustments_created: Defaulted<number>
    adjusted_cents: Defaulted<number>
    shutoffs_changed: Defaulted<number>
    documents_stored: Defaulted<number>
    /** Number of bill PDFs that a line names but that the file does not contain. */
    documents_missing: Defaulted<number>
    /** Columns of the file and its layout. Null until they are certain. */
    mapping: Json<ColumnTypes['billing_file.mapping']> | null
    /** Column names with sample values, for the choice of staff. Null without a choice. */
    columns: Json<ColumnTypes['billing_file.columns']> | null
    /** Import with the rows of the file. Null before the import. */
    import_id: number | null
  }
  /** Changes that individual lines of a billing file made, and reasons for refused lines. For very long files, only the first lines are stored. */
  billing_file_line: {
    company_id: number
    id: Generated<number>
    file_id: number
    line: number
    /** Kind of change. invalid: line with an error. no_document: the bill PDF is missing. */
    what: 'invalid' | 'account' | 'account_updated' | 'bill' | 'paid' | 'adjustment' | 'shutoff' | 'no_document'
    account: Defaulted<string>
    customer: Defaulted<string>
    bill: Defaulted<string>
    cents: number | null
    /** Amount before the change. */
    before_cents: number | null
    reason: Defaulted<string>
    /** Position of the kind in a preview. */
    rank: Computed<number>
  }
  /** Secret URLs for external calendar apps. Each URL returns the items of one person or one department. */
  calendar_feed: {
    company_id: number
    id: Generated<number>
    secret_hash: Buffer
    person_id: number | null
    department_id: number | null
    created_at: Instant
    created_by: number | null
    /** Type of the person's calendar, as declared by a feature. */
    kind: Defaulted<string>
  }
  /** Timeline entries of all kinds of cases. Entries never change. The assignee and the columns for lists are in the row of the subject, such as the request. */
  case_entry: {
    company_id: number
    id: Generated<number>
    subject_kind: string
    subject_id: number
    at: Instant
    /** message: from the requester. reply: from staff to the requester. note: internal. assignment: text is the name of the assignee. */
    kind: 'message' | 'reply' | 'note' | 'assignment'
    /** Danger: entries for staff must never reach anyone else, on any screen or in any email. */
    visibility: 'everyone' | 'staff'
    author_kind: 'person' | 'municipality' | 'platform'
    author_id: number | null
    author_name: string
    text: string
    /** Person who was assigned, if kind is assignment. */
    assigned_to: number | null
    /** Department that was assigned, if kind is assignment. */
    department_id: number | null
  }
  /** Emailed links to a case. Only the hash of each token is stored. */
  case_link: {
    company_id: number
    token_hash: Buffer
    subject_kind: string
    subject_id: number
    created_at: Instant
    expires_at: Instant
  }
  /** Case entries for which staff have been notified by email. The row prevents a second email if the job runs again. */
  case_notification: {
    company_id: number
    entry_id: number
    notified_at: Instant
  }
  /** Last entry that a reader has seen in a case, and whether the reader wants notifications. */
  case_reader: {
    company_id: number
    subject_kind: string
    subject_id: number
    reader_kind: 'person' | 'municipality' | 'platform'
    /** Id of the reader. 0 is the requester, who uses the emailed link. */
    reader_id: number
    /** Last case_entry that the reader has seen. */
    seen_id: Defaulted<number>
    /** True if the reader wants notifications. */
    watches: Defaulted<boolean>
  }
  /** Accepted sign-in tokens of a billing system. A row prevents a second use of its token. The row also stores the hash of the code that the page exchanges for a session. */
  ccs_hand_off: {
    company_id: number
    issuer: string
    /** ID of the token, unique for its issuer. */
    jti: string
    code_hash: Buffer
    /** Customer in the billing system, from the sub claim of the token. */
    subject: string
    created_at: Instant
    code_expires_at: Instant
    /** Time after which the token is too old to be accepted. The row can be deleted after that. */
    expires_at: Instant
    used_at: Instant | null
  }
  /** Billing system that signs customers in to the portal: identity and public keys. */
  ccs_issuer: {
    company_id: number
    /** Value of the iss claim in the billing system's tokens. */
    issuer: string
    label: string
    /** Public keys (JSON Web Key Set). Null if they are read from jwks_url. */
    jwks: Json<ColumnTypes['ccs_issuer.jwks']> | null
    jwks_url: string | null
    is_active: Defaulted<0 | 1>
  }
  /** Emailed links to a checkout. Only the hash of each token is stored. */
  checkout_link: {
    company_id: number
    token_hash: Buffer
    checkout_id: number
    created_at: Instant
    expires_at: Instant
  }
  /** Closed days, months and years, with their figures. Records of a closed period are never changed. */
  closed_period: {
    company_id: number
    kind: 'day' | 'month' | 'year'
    last_day: string
    first_day: string
    closed_at: Instant
    person_id: number | null
    closed_by: string
    /** Figures at closing: money received, comparisons and account balances. */
    figures: Json<ColumnTypes['closed_period.figures']>
  }
  /** View that counts closed requests by the day and month of creation, in the company's time zone. It leaves out spam and merged requests. request_sum is computed from this view. */
  closed_request_sum: {
    company_id: number | null
    span: string | null
    since: string | null
    category_id: number | null
    status: number | null
    requests: number | null
    late: number | null
  }
  /** reference: Municipalities, with the public data that every host reads. */
  company: {
    id: Defaulted<number>
    guid: Defaulted<string>
    name: string
    subdomain: string
    license_no: Defaulted<string>
    address1: string
    address2: Defaulted<string>
    city: string
    state: string
    zipcode: string
    phone_no: string
    website_url: string
    timezone_id: Defaulted<number>
    office_hours_open: Defaulted<string>
    office_hours_closed: Defaulted<string>
    is_online: Defaulted<0 | 1>
    offline_msg: Defaulted<string>
    /** 1 if the company uses the platform's billing system (spec 3). */
    use_dbilling: Defaulted<0 | 1>
    is_managed_services: Defaulted<0 | 1>
    /** 1 if addresses are checked against parcels (spec 3). */
    has_chk_agnst_prcl: Defaulted<0 | 1>
    is_demo: Defaulted<0 | 1>
    founded: number | null
    tagline: Defaulted<string>
    site_wide_message: Defaulted<string>
    theme_background: Defaulted<string>
    theme_text: Defaulted<string>
    /** Path of the logo. */
    file_path: Defaulted<string>
    created_at: DefaultedInstant
    /** Name in lower case, for uniqueness and sorting. */
    name_key: Computed<string>
    search_text: Computed<string>
    /** First month of the fiscal year. */
    fiscal_month: Defaulted<number>
    /** Pay by Phone number in ten digits. Empty if the company takes no payments by phone. */
    pay_by_phone_number: Defaulted<string>
    /** Modules that are off, by URL. All others are on. */
    modules_off: Defaulted<string[]>
    /** Modules that only the platform turns on or off, by URL. */
    modules_locked: Defaulted<string[]>
    /** 1 if only the platform turns the portal online or offline. */
    online_reserved: Defaulted<0 | 1>
    /** 1 if other municipalities may copy forms and other records that staff built. */
    shares_records: Defaulted<0 | 1>
  }
  /** Dated notices of a company. */
  company_announcement: {
    company_id: number
    id: Generated<number>
    location: 'landing' | 'back_office'
    message: string
    /** Last day on which the notice is shown. */
    until: string
  }
  /** Company settings that have no table of their own. Public data is in company, and payment settings are in payment_settings. */
  company_config: {
    company_id: number
    tags: DefaultedJson<ColumnTypes['company_config.tags']>
    contacts: DefaultedJson<ColumnTypes['company_config.contacts']>
  }
  /** Saved changes of a settings section, with the values before and after. Rows are never changed or deleted. */
  company_config_version: {
    company_id: number
    id: Generated<number>
    at: Instant
    actor_kind: string
    actor_id: number | null
    actor_name: string
    section: string
    /** form: saved on the settings screen. restored: staff restored an earlier version. go_online: staff turned the portal online or offline in Get Started. */
    origin: Defaulted<'form' | 'logo' | 'restored' | 'import' | 'go_online'>
    before: Json<ColumnTypes['company_config_version.before']>
    after: Json<ColumnTypes['company_config_version.after']>
  }
  /** Background map of a company, and the origin of its coordinates in metres. The origin must never change. */
  company_map: {
    company_id: number
    origin_lat: number
    origin_lon: number
    file_id: string | null
  }
  /** View of a company's emails, text messages and calls, for the list of notices. */
  company_notice: {
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
    /** Recipient's address in the format that refused_address uses. */
    rests_as: string | null
  }
  /** Service tiles on a company's home page. */
  company_service: {
    company_id: number
    id: number
    name: string
    description: string
    icon: string | null
    url: string
    is_active: Defaulted<0 | 1>
    position: number
    button_text: Defaulted<string>
  }
  /** Crews that work orders can be assigned to. */
  crew: {
    company_id: number
    id: Generated<number>
    name: string
    is_active: Defaulted<0 | 1>
  }
  /** Members of a crew. */
  crew_member: {
    company_id: number
    crew_id: number
    person_id: number
  }
  /** Daily counts of a company (features/analytics), written by a job. Days are in the company's time zone. */
  daily_figure: {
    company_id: number
    day: string
    /** Name of a measure in features/analytics/rules.ts. */
    measure: string
    /** Part of the measure, such as a channel or a state. */
    part: string
    count: number
    cents: number
  }
  /** Imports of files. */
  data_import: {
    company_id: number
    id: Generated<number>
    /** Importer, such as parking_tickets. */
    kind: string
    file_name: string
    imported_at: Instant
    imported_by: string
    created_count: Defaulted<number>
    changed_count: Defaulted<number>
    /** Tables without a foreign key whose later rows prevent the undo. */
    uses: DefaultedJson<ColumnTypes['data_import.uses']>
    undone_at: Instant | null
    undone_by: Defaulted<string>
  }
  /** Payment deferred because of an outage, with the action that the payer chose for later. At first it has no payment attempt. */
  deferred_payment: {
    company_id: number
    id: Generated<number>
    outage_id: number
    status: 'noted' | 'waiting' | 'charging' | 'reminded' | 'paid' | 'failed' | 'not_owed' | 'changed' | 'withdrawn'
    /** Action after the outage. note: no action. autopay: AutoPay charges later. */
    action: 'note' | 'charge' | 'remind' | 'autopay'
    made_at: Instant
    reference: string
    payer_name: string
    email: string
    person_id: number | null
    checkout_id: number | null
    method_id: number | null
    /** Label of the payment method. */
    method_label: Defaulted<string>
    bill_cents: number
    /** Total that the payer saw, including the fee. The portal never charges more. */
    total_cents: number
    tries: Defaulted<number>
    /** Earliest time of the next attempt. */
    not_before: Instant | null
    order_id: number | null
    attempt_id: number | null
    finished_at: Instant | null
  }
  /** Item of a deferred payment. */
  deferred_payment_line: {
    company_id: number
    deferred_payment_id: number
    line_no: number
    kind: string
    payable_id: number
    amount_cents: number
  }
  /** Departments of a company. */
  department: {
    company_id: number
    id: Generated<number>
    name: string
    is_active: Defaulted<0 | 1>
    created_at: DefaultedInstant
  }
  /** Single-use tokens for downloads. */
  download_token: {
    company_id: number
    code_hash: Buffer
    /** Path of the call that the token allows. The request body is fixed too and stored in body. */
    call: string
    body: Json<ColumnTypes['download_token.body']>
    /** Person who requested the token. 0 for a guest. */
    person_id: number
    person_kind: 'guest' | 'citizen' | 'municipality' | 'platform'
    expires_at: Instant
    used_at: Instant | null
    /** Session of the impersonation that requested the token. Null outside an impersonation. */
    session_hash: Buffer | null
  }
  /** Cash drawers of the counter (features/counter/). A staff member counts the cash when opening and closing a drawer. */
  drawer: {
    company_id: number
    id: Generated<number>
    status: 'open' | 'closed'
    staff_id: number
    staff_name: string
    opened_at: Instant
    /** Number of coins and bills of each denomination. The key is the value in cents. */
    opening_counts: Json<ColumnTypes['drawer.opening_counts']>
    opening_cents: number
    closed_at: Instant | null
    /** Number of coins and bills of each denomination. The key is the value in cents. */
    closing_counts: Json<ColumnTypes['drawer.closing_counts']> | null
    closing_cents: number | null
    /** Cash that the drawer should contain at closing, computed from its payments. */
    expected_cents: number | null
    note: Defaulted<string>
    /** Payments and later voids that the day sheet showed at closing. */
    sheet: Json<ColumnTypes['drawer.sheet']> | null
  }
  /** Corrections of the counts of closed drawers, made by a supervisor (features/counter/). */
  drawer_correction: {
    company_id: number
    id: Generated<number>
    drawer_id: number
    at: Instant
    person_id: number
    person_name: string
    /** Difference from the count, in cents. Positive if the drawer contained more cash than counted. */
    cents: number
    reason: string
  }
  /** Payments taken into a drawer, with the amount tendered and the change. */
  drawer_payment: {
    company_id: number
    order_id: number
    drawer_id: number
    tendered_cents: number
    change_cents: number
  }
  /** Daily sums of ledger transfers on revenue and expense accounts: credits less debits. npm run verify compares them with the ledger. */
  earning_day: {
    company_id: number
    /** In the company's time zone. */
    day: string
    /** Revenue or expense account. */
    account: string
    /** Account on the other side of the transfers. */
    other: string
    cents: number
  }
  /** Emails of a company, queued or sent. */
  email_outbox: {
    company_id: number
    id: Defaulted<number>
    to_address: string
    subject: string
    text_body: string
    html_body: string
    attachments: DefaultedJson<ColumnTypes['email_outbox.attachments']>
    created_at: Instant
    sent_at: Instant | null
    attempts: Defaulted<number>
    /** Error code from the mail server. The error text is left out, because it may quote the address. */
    last_error: string | null
    /** Time at which the portal gave up sending. Null if the email is sent or still queued. */
    failed_at: Instant | null
    /** Unsubscribe link. Empty for a required email. */
    unsubscribe_url: Defaulted<string>
    /** Notice event that the email is about. Empty for other emails. */
    event: Defaulted<string>
  }
  /** reference: Types of scheduled items. */
  event_type: {
    id: number
    name: string
    category: 'billing' | 'rental' | 'workorder' | 'inspection'
  }
  /** Pending steps of two-factor authentication. A code connects the two calls of a sign-in or setup. */
  factor_step: {
    company_id: number
    code_hash: Buffer
    /** second: sign-in with a second factor. enroll: required setup during sign-in. passkey: sign-in with a passkey. new_app, new_passkey: setup by a signed-in person. */
    purpose: 'second' | 'enroll' | 'passkey' | 'new_app' | 'new_passkey'
    /** Null until the passkey identifies the person. */
    person_id: number | null
    /** First sign-in method, for the Login Report. */
    first_method: Defaulted<string>
    challenge: string | null
    /** Encrypted secret of the authenticator app during setup. */
    secret_sealed: string | null
    /** Number of wrong codes so far. */
    tries: Defaulted<number>
    created_at: Instant
    expires_at: Instant
    used_at: Instant | null
    /** Single sign-on identity to link after this step (sso_pending). */
    sso_ticket_hash: Buffer | null
  }
  /** local: Counters of failed guesses, such as wrong passwords. The key of each counter is hashed. All servers share the counters. */
  failed_guess: {
    /** Name of a rate limit (server/limits.ts). */
    scope: string
    key_hash: Buffer
    failures: number
    window_started_at: Instant
    blocked_until: Instant | null
  }
  /** Frequently asked questions and their answers. */
  faq: {
    company_id: number
    id: Generated<number>
    category_id: number
    status: Defaulted<'draft' | 'published'>
    question: string
    answer: Json<ColumnTypes['faq.answer']>
    /** Plain text of the answer, for search. */
    answer_text: string
    /** Other wordings of the question, one per line. Read only by search. */
    other_wordings: Defaulted<string>
    position: number
    visible_from: string | null
    visible_until: string | null
    /** Last change of the question or its answer. */
    edited_at: DefaultedInstant
  }
  /** Categories of frequently asked questions. */
  faq_category: {
    company_id: number
    id: Generated<number>
    name: string
    position: number
  }
  /** Daily counts of reader feedback on an answer. Readers are not recorded. */
  faq_helped: {
    company_id: number
    faq_id: number
    day: string
    yes: Defaulted<number>
    no: Defaulted<number>
  }
  /** Searches that found no answer. The people who searched are not stored. Equal searches share a row. */
  faq_missing: {
    company_id: number
    id: Generated<number>
    /** Search text as a person last entered it. */
    query: string
    /** Words of the search in lower case, without punctuation. Searches with the same key share a row. */
    query_key: string
    times: Defaulted<number>
    first_at: Instant
    last_at: Instant
  }
  /** Synonyms for the FAQ search. Each row is a group of words with the same meaning. */
  faq_synonym: {
    company_id: number
    id: Generated<number>
    /** Words with the same meaning, separated by spaces. */
    terms: string
    lexemes: Computed<string>
  }
  /** Fee rules by payment kind, method, channel and card, from a given day. A rule in force is never changed. A later rule replaces it. */
  fee_rule: {
    company_id: number
    id: Generated<number>
    /** Kind of item to pay, or a part of a kind, such as general/taxes. Null: all kinds without their own rule. */
    kind: string | null
    /** 1 card, 2 eCheck. */
    method: 1 | 2
    /** Null if the rule applies to all channels without their own rule. */
    channel: 'online' | 'phone' | 'autopay' | 'office' | null
    brand: 'visa' | 'mastercard' | 'amex' | 'discover' | null
    funding: 'credit' | 'debit' | null
    /** First day on which the rule applies, in the company's time zone. A later rule with the same kind, method, channel and card replaces this one. */
    valid_from: string
    /** True if the fee rules for this kind, method, channel and card end on this day. More general rules then apply. */
    ends: Defaulted<boolean>
    program: 'convenience' | 'service' | 'none'
    /** two_transactions: the fee is charged separately. */
    mode: 'single' | 'two_transactions'
    /** 1 if the company absorbs the fee. */
    absorb: 0 | 1
    /** Fee in hundredths of a percent of the bill. If recovers is true, this is the percentage that the provider charges. */
    bps: number
    fixed_cents: number
    min_cents: number
    max_cents: number
    /** True if the fee is grossed up, so that the full bill amount remains after the provider's percentage and fixed amount. */
    recovers: Defaulted<boolean>
    /** Time at which the rule was created. Null for rules from before fee rules had dates. */
    made_at: Instant | null
    made_by: string
  }
  /** Sync conflicts: offline actions that conflict with changes by other people. Staff choose which changes apply. */
  field_conflict: {
    company_id: number
    id: Generated<number>
    /** ID that the device gave to the action. */
    action_id: string
    /** Kind of record, as declared by a feature. With subject_id, identifies the record. */
    part: string
    subject_id: number
    subject_name: string
    label: string
    /** Path of the call that the device made. */
    call: string
    /** Body of the call. */
    body: Json<ColumnTypes['field_conflict.body']>
    /** Error message with which the portal refused the call. */
    refusal: string
    /** Fields that the device and another person both changed, with both values. */
    edit_conflicts: DefaultedJson<ColumnTypes['field_conflict.edit_conflicts']>
    /** Time of the action according to the device's clock. */
    made_at: Instant
    /** Time at which the portal received the action. */
    stored_at: Instant
    person_id: number
    person_name: string
    status: 'open' | 'own' | 'others' | 'both'
    finished_at: Instant | null
    finished_by: Defaulted<string>
  }
  /** Unsent answers to a field set. */
  field_draft: {
    company_id: number
    field_set_id: number
    /** Owner of the draft, such as person 17. For a guest, the hash of a secret in the browser. */
    owner: string
    /** Record that the answers belong to. Needed if a person can fill in the field set more than once. */
    subject: string
    version: number
    raw: Json<ColumnTypes['field_draft.raw']>
    /** Messages about changes in newer versions of the field set. The owner has not confirmed them yet. */
    changes: DefaultedJson<ColumnTypes['field_draft.changes']>
    saved_at: Instant
  }
  /** Field sets that staff define for forms, registrations and checklists (shared/fields). Company 0 is the platform. */
  field_set: {
    company_id: number
    id: Generated<number>
    /** Purpose of the field set, as declared by a feature. */
    kind: string
    name: string
    /** Working version that staff edit. Respondents see only published versions. */
    draft: Json<ColumnTypes['field_set.draft']>
    /** Latest published version. 0 if no version is published yet. */
    latest_version: Defaulted<number>
    created_at: Instant
    updated_at: Instant
  }
  /** Published versions of a field set. They never change, because each answer refers to the version that it was given for. */
  field_set_version: {
    company_id: number
    field_set_id: number
    version: number
    definition: Json<ColumnTypes['field_set_version.definition']>
    published_at: Instant
    published_by: string
  }
  /** Progress of the job that computes the daily figures of a company. */
  figure_progress: {
    company_id: number
    /** Last day counted. */
    through: string
    /** Time of the last count. */
    checked_at: Instant
  }
  /** local: Last run of the job that computes the daily figures of all companies. */
  figure_walk: {
    id: Defaulted<1>
    began_at: Instant
    /** Last day counted for every company. */
    through: string
  }
  /** Form 1099-K amounts of a company, as staff enter them from the provider's form. */
  form_1099k: {
    company_id: number
    year: number
    filer: string
    /** Legal entity named on the form. */
    payee: string
    tin_last4: string
    /** Box 1a of Form 1099-K, in cents. */
    gross_cents: number
    /** Box 1b of Form 1099-K, in cents. */
    not_present_cents: number
    /** Box 3 of Form 1099-K. */
    transactions: number
    /** Boxes 5a to 5l of Form 1099-K: twelve amounts in cents, starting with January. */
    month_cents: Json<ColumnTypes['form_1099k.month_cents']>
    saved_at: Instant
    saved_by: string
  }
  /** Last submission number of a company in a year. */
  form_number: {
    company_id: number
    year: number
    last: number
  }
  /** PDF versions of a form. The portal fills in the PDF fields, or the applicant downloads, completes and uploads the PDF. */
  form_pdf: {
    company_id: number
    id: Generated<number>
    type_id: number
    /** flat: a program cannot fill in the PDF. */
    kind: 'fillable' | 'flat'
    /** [{pdf, label, name}]: form field for each PDF field. If the name is empty, the PDF field stays blank. */
    mapping: DefaultedJson<ColumnTypes['form_pdf.mapping']>
    /** PDF fields that the portal does not fill in, such as buttons and certificate signatures. */
    left_out: DefaultedJson<ColumnTypes['form_pdf.left_out']>
    /** {of, rendered: {renderer: count}, unseen: [pdf]}: result of a rendering check by two programs when the PDF was added. Null if kind is flat. */
    proof: Json<ColumnTypes['form_pdf.proof']> | null
    added_at: Instant
    added_by: string
    /** Time of removal. Earlier submissions still use this PDF. */
    removed_at: Instant | null
  }
  /** Submissions that renew an issued document. */
  form_renewal: {
    company_id: number
    submission_id: number
    /** Submission whose issued document is renewed. */
    renews_id: number
  }
  /** Rounds of a submission: one row for each time that it was sent, with its answers. The rows never change, because decisions refer to these answers. */
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
  /** Payments and refunds of submission fees. One row for each charge, refund or return at the source. The rows never change. */
  form_settlement: {
    company_id: number
    id: Generated<number>
    submission_id: number
    order_id: number
    line_no: number
    /** Payment provider, office or lockbox that moved the money. With source_ref, identifies the movement. */
    source: string
    source_ref: string
    /** credit: paid. reversal: refunded or returned. */
    kind: 'credit' | 'reversal'
    amount_cents: number
    at: Instant
  }
  /** Form submissions and drafts, from the first entry to the decision. */
  form_submission: {
    company_id: number
    /** Year, followed by the number within the company's year. For example, 20260000123 is F-2026-000123. */
    id: number
    public_id: Defaulted<string>
    number: Computed<string>
    type_id: number
    title: string
    field_set_id: number
    version: number
    /** Answers as last sent. Unsent answers are in field_draft. */
    answers: DefaultedJson<ColumnTypes['form_submission.answers']>
    /** Plain text of the answers, for search. */
    answer_text: Defaulted<string>
    /** Details for the payment and the receipt: [{name, value}]. For an imported permit, its details in the other system. */
    details: DefaultedJson<ColumnTypes['form_submission.details']>
    /** Line items of the fee. */
    items: DefaultedJson<ColumnTypes['form_submission.items']>
    /** Key made of the answers to the form's limit_fields. Submissions with the same key count toward max_same. */
    limit_key: string | null
    /** 0 Payment Required, 1 Pending Review, 2 Rejected, 3 Approved, 10 Draft, 11 More information needed, 12 Withdrawn, 13 Revoked, 14 Expired. */
    status: Defaulted<0 | 1 | 2 | 3 | 10 | 11 | 12 | 13 | 14>
    /** Person who was signed in when the form was filled in. If made_by is helper, this is the helper. Null if staff filled in the form at the counter. */
    person_id: number | null
    /** helper: a person filled in the form for another person. staff: staff entered the form at the counter. import: the permit comes from another system. */
    made_by: Defaulted<'person' | 'helper' | 'staff' | 'import'>
    /** Name of the person who filled in the form for someone else. Empty if the person in name filled it in. */
    entered_by: Defaulted<string>
    name: Defaulted<string>
    email: Defaulted<string>
    phone: Defaulted<string>
    /** Name of the second signer. Empty if there is none. */
    signer_name: Defaulted<string>
    signer_email: Defaulted<string>
    signer_token_hash: Buffer | null
    /** Evidence of the second signature: {typed} or {drawn}, and the text that the signer saw. */
    signer_evidence: Json<ColumnTypes['form_submission.signer_evidence']> | null
    signed_at: Instant | null
    fee_cents: Defaulted<number>
    paid_cents: Defaulted<number>
    paid_at: Instant | null
    /** Number of times that the submission was sent. For each time, form_round has a row. */
    rounds: Defaulted<number>
    created_at: Instant
    submitted_at: Instant | null
    decided_at: Instant | null
    decided_by: Defaulted<string>
    closed_at: Instant | null
    updated_at: Instant
    assigned_to: number | null
    department_id: number | null
    last_message_id: Defaulted<number>
    last_from: Defaulted<'person' | 'staff'>
    first_reply_at: Instant | null
    search_text: Computed<string>
  }
  /** reference: Forms and documents that the platform offers to companies. */
  form_template: {
    id: Generated<number>
    title: string
    description: Defaulted<string>
    category: string
    is_active: Defaulted<0 | 1>
    current_version: Defaulted<number>
    /** Time of the first assignment. After that, the template is deactivated instead of deleted, because a company may have used it. */
    first_assigned_at: Instant | null
    created_at: Instant
    created_by: number | null
    changed_at: Instant
    changed_by: number | null
    title_key: Computed<string>
    search_text: Computed<string>
  }
  /** Form templates assigned to a company. */
  form_template_assignment: {
    company_id: number
    template_id: number
    assigned_at: Instant
    assigned_by: number | null
  }
  /** reference: Questions and settings of form templates, by version of the file. */
  form_template_content: {
    template_id: number
    version: number
    /** Form of the starter pack that the questions come from. */
    source: string
    definition: Json<ColumnTypes['form_template_content.definition']>
    /** Settings of a form, other than title, text, department and reviewer. */
    settings: Json<ColumnTypes['form_template_content.settings']>
  }
  /** Attachments of form templates, by version. */
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
  /** Forms that staff build and residents fill in (features/forms), such as a block party or a business license. A submission keeps the field set version that it was filled in with. */
  form_type: {
    company_id: number
    id: Generated<number>
    status: Defaulted<'draft' | 'published' | 'closed'>
    title: string
    title_key: Computed<string>
    /** Last part of the form's URL, such as block-party in /forms-documents/block-party. */
    slug: string
    category: string
    description: string
    /** People who can see the form. link: residents who have its URL. staff: only staff, who fill in the form at the counter. */
    seen_by: 'residents' | 'link' | 'staff'
    opens_on: string | null
    closes_on: string | null
    /** Maximum number of submissions per person within each_days days. Null if there is no maximum. */
    max_each: number | null
    each_days: Defaulted<number>
    /** Names of fields. At most max_same open or approved submissions may have the same answers to these fields. */
    limit_fields: DefaultedJson<ColumnTypes['form_type.limit_fields']>
    max_same: number | null
    department_id: number | null
    reviewer_id: number | null
    fee_kind: 'none' | 'fixed' | 'computed'
    fee_cents: number | null
    gl_account: Defaulted<string>
    /** 1 if a second person must sign through an emailed link before the form counts as sent. */
    is_cosigned: Defaulted<0 | 1>
    /** Type of document issued on approval, such as Dog license. Empty if none is issued. */
    issues: Defaulted<string>
    /** Number of months for which the issued document is valid. Null if it does not expire. */
    valid_months: number | null
    /** Number of days before expiration on which the holder gets a reminder. 0 if there is no reminder. */
    remind_days: Defaulted<number>
    /** Platform form template that the form was created from. Null if the form was not created from a template. */
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
    content: Json<ColumnTypes['alert.content']>
    headline: string
    by_email: boolean
    by_sms: boolean
    on_pages: boolean
    area: Json<ColumnTypes['alert.area']>
    area_text: string
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
    state: 'proposed' | 'active' | 'completed' | 'defaulted' | 'ended'
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
    ends_on: string | null
  }
  found_bank_transaction: {
    company_id: number
    id: number
    statement_id: number
    line_no: number
    booked_on: string
    amount_cents: number
    code: string
    reference: string
    description: string
    became: 'open' | 'payout' | 'office' | 'lockbox' | 'fee' | 'not_ours'
    payout_id: number | null
    lockbox_file: string | null
    finished_at: Instant | null
    finished_by: string
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
    answer_text: string
    details: Json<ColumnTypes['form_submission.details']>
    items: Json<ColumnTypes['form_submission.items']>
    limit_key: string | null
    status: 0 | 1 | 2 | 3 | 10 | 11 | 12 | 13 | 14
    person_id: number | null
    made_by: 'person' | 'helper' | 'staff' | 'import'
    entered_by: string
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
    first_reply_at: Instant | null
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
    answer_text: string
    details: Json<ColumnTypes['general_charge.details']>
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
    location: string
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
    location: string
    address_id: number | null
    lat: number | null
    lon: number | null
    at: Point | null
    status: 'scheduled' | 'passed' | 'failed' | 'cancelled'
    due_on: string
    starts_at: Instant | null
    assigned_to: number | null
    item_id: number | null
    repeat_of: number | null
    created_at: Instant
    finished_at: Instant | null
    finished_by: string
    search_text: string
  }
  found_issued_document: {
    company_id: number
    submission_id: number
    number: string
    code: string
    title: string
    holder: string
    issued_on: string
    expires_on: string | null
    remind_on: string | null
    reminded_at: Instant | null
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
    state: 'waiting' | 'posted' | 'returned'
    reason: string
    order_id: number | null
    finished_at: Instant | null
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
    leaves_premise: string
    leaves_address_id: number | null
    leaves_by: 'account' | 'user' | 'register_address' | 'address'
    leaves_on: string | null
    enters_premise: string
    enters_address_id: number | null
    enters_on: string | null
    moves_on: string
    forwarding: string
    note: string
    final_reading: number | null
    first_reading: number | null
    owner_name: string
    owner_email: string
    owner_answer: 'none' | 'asked' | 'agreed' | 'refused'
    owner_answered_at: Instant | null
    owner_signed: string
    owner_covers_vacancy: boolean
    assigned_to: number | null
    department_id: number | null
    last_message_id: number
    last_from: 'person' | 'staff'
    first_reply_at: Instant | null
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
    citation_number: string
    plate: string
    plate_state: string
    vehicle: string
    violation_id: number
    violation_code: string
    violation_text: string
    officer: string
    issued_at: Instant
    location: string
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
    method_label: string
    return_code: string | null
    dispute_open: boolean
    created_at: Instant
    paid_at: Instant | null
    search_text: string
    net_bill_cents: number
    net_fee_cents: number
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
    location: string
    address_id: number | null
    lat: number | null
    lon: number | null
    at: Point | null
    text_sealed: string
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
    status: 'pending' | 'more_info_needed' | 'registered' | 'due' | 'lapsed' | 'rejected' | 'ended'
    person_id: number
    name: string
    owner_name: string
    location: string
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
    old_number: string
    search_text: string
  }
  found_rental_application: {
    company_id: number
    id: number
    number: string
    round_id: number
    person_id: number
    status: 'submitted' | 'withdrawn' | 'excluded' | 'allocated' | 'not_allocated'
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
    status: 'waitlisted' | 'requested' | 'held' | 'confirmed' | 'in_use' | 'completed' | 'no_show' | 'declined' | 'expired' | 'cancelled'
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
    security_deposit_cents: number
    paid_cents: number
    refund_cents: number
    withheld_cents: number
    withheld_reason: string
    agreed_text: string
    agreed_at: Instant | null
    changes: number
    calendar_item_id: number | null
    is_notified: boolean
    created_at: Instant
    updated_at: Instant
    search_text: string | null
    series_id: number | null
    field_set_id: number | null
    agreement_id: number | null
    sign_token_hash: Buffer | null
    terms_from: Instant | null
    old_number: string
  }
  found_service_request: {
    company_id: number
    id: number
    public_id: string
    number: string
    came_by: 'portal' | 'phone' | 'counter' | 'letter' | 'staff' | 'open311' | 'import'
    created_at: Instant
    updated_at: Instant
    status: ColumnTypes['service_request.status']
    closed_at: Instant | null
    category_id: number
    title: string
    description: string
    location: string
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
    first_reply_at: Instant | null
    search_text: string | null
    split_from: number | null
    old_number: string
    call_back_since: Instant | null
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
    location: string
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
    old_number: string
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
    location: string
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
  /** Amount due for a payment type. Created by a payer's form, by staff, or by an import of open items. */
  general_charge: {
    company_id: number
    id: Generated<number>
    type_id: number
    /** Number of an open item as imported. `item_key` contains only the letters and digits of this number. */
    item_number: string | null
    item_key: string | null
    address: Defaulted<string>
    /** Code printed on the notice. It proves that the payer received the notice. */
    notice_code: Defaulted<string>
    field_set_id: number | null
    version: number | null
    answers: DefaultedJson<ColumnTypes['general_charge.answers']>
    /** Answers as text, for searches. */
    answer_text: Defaulted<string>
    /** Details on the receipt, as {name, value}. */
    details: DefaultedJson<ColumnTypes['general_charge.details']>
    /** Line items that add up to a computed amount. Empty for other amounts. */
    items: DefaultedJson<ColumnTypes['general_charge.items']>
    payer_name: string
    name_key: Computed<string>
    email: Defaulted<string>
    person_id: number | null
    amount_cents: number
    paid_cents: Defaulted<number>
    due_date: string | null
    /** True if the payer gets a number from payment_stock. */
    is_numbered: Defaulted<boolean>
    /** Number on hold for the payer, or assigned by the payment. */
    stock_number: string | null
    /** End of the hold on the number. Null if nothing is on hold or the number is assigned. */
    held_until: Instant | null
    /** Name of the staff member who created the charge. Empty if the payer or an import created it. */
    made_by: Defaulted<string>
    created_at: Instant
    /** Time of the first payment. Until then, time of creation. */
    at: Instant
    paid_at: Instant | null
    status: Computed<string>
    search_text: Computed<string>
  }
  /** Credit to a general charge, or reversal of a credit, from one payment line. Each source reference counts only once. */
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
  /** Number that a company's general ledger uses for an account in ledger_account. */
  gl_account: {
    company_id: number
    account: string
    number: string
  }
  /** Payment page with its items, for guests and signed-in residents. Payment orders refer to it. */
  guest_checkout: {
    company_id: number
    id: Generated<number>
    /** Hash of the token in the page's address. */
    token_hash: Buffer
    created_at: Instant
    expires_at: Instant
    /** Items to pay, in the same order as the order lines that they become. */
    payables: Json<ColumnTypes['guest_checkout.payables']>
    /** Highest item number so far. Numbers of removed items are not reused. */
    last_no: number
    /** Resident who owns the cart. Null if the checkout is not a cart. */
    cart_of: number | null
  }
  /** Payment movement that is not yet part of a payout. The ledger adds rows, and the payout import removes them. */
  held_movement: {
    company_id: number
    source_ref: string
    /** Part of ledger_transfer.kind before the dot, such as capture or refund. */
    movement_type: string
    /** Payment provider, office or lockbox that moved the money. */
    source: string
    at: Instant
    /** Net amount in cents. Negative for money out. */
    cents: number
  }
  /** Fire hydrant with its service status, and the results of its last inspection and flow test. */
  hydrant: {
    company_id: number
    id: Generated<number>
    public_id: Defaulted<string>
    number: string
    make: Defaulted<string>
    model: Defaulted<string>
    made_year: number | null
    /** Diameter of the main valve, in inches. */
    size_inches: number | null
    /** Diameter of the connected water main, in inches. */
    main_inches: number | null
    location: Defaulted<string>
    address_id: number | null
    lat: number | null
    lon: number | null
    /** Location in metres from the company's map origin. */
    at: Point | null
    notes: Defaulted<string>
    service: 'in_service' | 'out_of_service' | 'retired'
    service_reason: Defaulted<string>
    service_since: Instant
    last_inspected_on: string | null
    next_inspection_on: string | null
    tested_on: string | null
    /** Flow at 20 psi in the last flow test, in gallons per minute. */
    available_gpm: number | null
    flow_class: 'AA' | 'A' | 'B' | 'C' | null
    /** Copy of next_inspection_on for sorting. The value is 9999-12-31 if no inspection is due. */
    next_or_never: Computed<string>
    search_text: Computed<string>
  }
  /** Flow test of a hydrant. A wrong test is voided, not deleted. */
  hydrant_flow_test: {
    company_id: number
    id: Generated<number>
    public_id: Defaulted<string>
    hydrant_id: number
    tested_on: string
    tested_by: string
    /** Hydrants that the water flowed from, if they differ from the hydrant with the pressure gauge. */
    flowed_at: Defaulted<string>
    static_psi: number
    residual_psi: number
    /** Diameter, coefficient and pitot pressure of each flowing outlet. */
    outlets: Json<ColumnTypes['hydrant_flow_test.outlets']>
    flow_gpm: number
    /** Computed flow at 20 psi, in gallons per minute. */
    available_gpm: number
    flow_class: 'AA' | 'A' | 'B' | 'C'
    notes: Defaulted<string>
    recorded_at: Instant
    voided_at: Instant | null
    voided_by: Defaulted<string>
    voided_reason: Defaulted<string>
    search_text: Computed<string>
  }
  /** Inspection and flow test intervals of a company's hydrants. */
  hydrant_settings: {
    company_id: number
    /** Email addresses of the fire department. They get a notice when a hydrant goes out of service or returns to service. */
    fire_emails: Defaulted<ColumnTypes['hydrant_settings.fire_emails']>
    inspection_months: number
    flow_test_years: number
  }
  /** Idempotent call in progress or completed. A repeated call with the same body gets the stored response. */
  idempotency_key: {
    company_id: number
    call: string
    key: string
    /** Keyed hash of the request body. The portal refuses a call with the same key and another body. */
    body_hash: Buffer
    /** Time until which other calls with the same key are refused because this call is in progress. */
    lease_until: Instant
    created_at: Instant
    /** Encrypted response of the completed call. Null until the call completes. */
    stored_response: string | null
  }
  /** Sign-in rules of a company. */
  identity_settings: {
    company_id: number
    /** Password rules. A company without a row has the standard rules. */
    password_rules: Defaulted<'standard' | 'nist'>
    /** True if staff must use two-factor authentication. It is optional for residents. */
    require_second_factor: Defaulted<boolean>
  }
  /** Impersonation started by staff. Its one-time code opens the portal in a new window. */
  impersonation: {
    company_id: number
    id: Generated<number>
    actor_kind: 'platform' | 'municipality'
    actor_id: number
    actor_name: string
    /** Token hash of the session that started the impersonation. If that session ends, the impersonation ends. */
    actor_session: Buffer
    /** Resident to impersonate. Null if platform staff open the municipality's portal as themselves. */
    target_id: number | null
    reason: string
    /** Hash of the one-time code for the new window. */
    code_hash: Buffer
    /** Hash of the token that cancels the impersonation. */
    admin_code_hash: Buffer
    created_at: Instant
    expires_at: Instant
    used_at: Instant | null
    /** Record of the rows of a preview as a resident (data_import), deleted after 31 days. Null for other impersonations. */
    preview_import_id: number | null
  }
  /** Columns of imported files, by the column names of the file. */
  import_mapping: {
    company_id: number
    /** Layout that the mapping belongs to, such as bills. */
    kind: string
    /** Hash of the column names. */
    header_hash: string
    mapping: Json<ColumnTypes['import_mapping.mapping']>
    saved_at: Instant
  }
  /** reference: Columns of the files of billing systems, for the imports of all municipalities. */
  import_preset: {
    id: Generated<number>
    /** Name of the billing system. */
    name: string
    /** Layout that the columns belong to, such as bills. */
    kind: string
    /** Hash of the column names. */
    header_hash: string
    /** Column names of the file. */
    headers: Json<ColumnTypes['import_preset.headers']>
    /** Our name of each column. */
    mapping: Json<ColumnTypes['import_preset.mapping']>
    saved_at: Instant
    saved_by: string
    name_key: Computed<string>
  }
  /** Rows that an import created, changed or removed. Only the functions below write this table. */
  import_row: {
    company_id: number
    import_id: number
    table_name: string
    /** Primary key of the row, without company_id. */
    row_key: Json<ColumnTypes['import_row.row_key']>
    action: 'made' | 'changed' | 'removed'
    /** Row before the import. Null for a new row. */
    before: Json<ColumnTypes['import_row.before']> | null
    /** Hash of the row after the import. Empty while the transaction of the import still writes. */
    revision: Defaulted<string>
  }
  /** Inspection of an asset or a location, scheduled or completed. It uses one version of its template. */
  inspection: {
    company_id: number
    id: Generated<number>
    public_id: Defaulted<string>
    number: string
    template_id: number
    field_set_id: number
    version: number
    title: string
    subject_kind: string
    /** Null if the inspection is only for a location. */
    subject_id: number | null
    subject_name: string
    location: Defaulted<string>
    address_id: number | null
    lat: number | null
    lon: number | null
    /** Location in metres from the company's map origin. */
    at: Point | null
    status: 'scheduled' | 'passed' | 'failed' | 'cancelled'
    due_on: string
    starts_at: Instant | null
    assigned_to: number | null
    /** Calendar entry in scheduled_item. */
    item_id: number | null
    /** Failed inspection that this one repeats. Only the failed items are inspected again. */
    repeat_of: number | null
    created_at: Instant
    finished_at: Instant | null
    finished_by: Defaulted<string>
    search_text: Computed<string>
  }
  /** Checklist item of an inspection. */
  inspection_item: {
    company_id: number
    id: Generated<number>
    public_id: Defaulted<string>
    inspection_id: number
    no: number
    /** Step of the template version with the fields of this item. */
    step: string
    title: string
    status: 'open' | 'complete' | 'passed' | 'failed'
    answers: DefaultedJson<ColumnTypes['inspection_item.answers']>
    note: Defaulted<string>
    reason: Defaulted<string>
    done_at: Instant | null
    done_by: Defaulted<string>
    /** Failed item of the earlier inspection that this item repeats. */
    repeat_of: number | null
  }
  /** Last inspection number of a company in a year. */
  inspection_number: {
    company_id: number
    year: number
    last: number
  }
  /** Type of inspection with its checklist, interval and certificate text. */
  inspection_template: {
    company_id: number
    id: Generated<number>
    name: string
    subject_kind: string
    /** Number of months from a passed inspection to the next. Null if the inspection does not recur. */
    every_months: number | null
    /** Text of the certificate after a passed inspection. Empty if none is issued. */
    certificate: Defaulted<string>
    field_set_id: number
    is_active: Defaulted<0 | 1>
  }
  /** Single-use link with which a new person sets the first password. */
  invitation: {
    company_id: number
    code_hash: Buffer
    person_id: number
    expires_at: Instant
    used_at: Instant | null
  }
  /** Licenses, permits and certificates issued on approval of a submission. Anyone can verify them by their code. */
  issued_document: {
    company_id: number
    submission_id: number
    /** For example L-2026-000012, or the number in the system that the document was imported from. The number and the code stay the same through renewals. */
    number: string
    /** Code in the QR link /verify/{code}. */
    code: string
    title: string
    holder: string
    issued_on: string
    /** Last valid day. Null if the document does not expire. */
    expires_on: string | null
    remind_on: string | null
    reminded_at: Instant | null
    search_text: Computed<string>
  }
  /** Last number of an issued document, for each company and year. */
  issued_document_number: {
    company_id: number
    year: number
    last: number
  }
  /** Time and author of the last change to each field of an entity, for messages about edit conflicts. Written by server/edits.ts. */
  last_change: {
    /** Company, or 0 for the platform. */
    company_id: number
    /** Edited entity, such as `person 17`. */
    subject: string
    field: string
    at: Instant
    actor_name: string
  }
  /** Account of a company's payment ledger. */
  ledger_account: {
    company_id: number
    code: string
    name: string
    kind: 'asset' | 'liability' | 'revenue' | 'expense'
  }
  /** View of the payment ledger's totals by day, method, location and fee program. payment_day stores these totals. */
  ledger_day: {
    company_id: number | null
    made_on: string | null
    moved_on: string | null
    /** Part of ledger_transfer.kind before the dot, such as capture or refund. */
    movement_type: string | null
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
  /** View of the changes to revenue and expense accounts by ledger entry. earning_day stores the daily totals. */
  ledger_earning: {
    company_id: number | null
    order_id: number | null
    entry_id: number | null
    day: string | null
    account: string | null
    /** Opposite account of the transfer. */
    other: string | null
    /** Credit in cents. Negative for a debit. */
    cents: number | null
  }
  /** View of the changes to the money that a provider holds, by ledger entry. held_movement stores the changes that are not yet part of a payout. */
  ledger_held: {
    company_id: number
    order_id: number | null
    entry_id: number
    source_ref: string
    movement_type: string | null
    source: string
    at: Instant
    /** Net amount in cents. Negative for money out. */
    cents: number | null
  }
  /** View of ledger transfers as changes to the bill, fee and absorbed fee, with their days and payment details. */
  ledger_movement: {
    company_id: number | null
    order_id: number | null
    entry_id: number | null
    /** Day on which the payment order was created, in the company's time zone. */
    made_on: string | null
    /** Day of the ledger transfer, in the company's time zone. */
    moved_on: string | null
    /** Part of ledger_transfer.kind before the dot, such as capture or refund. */
    movement_type: string | null
    method: number | null
    location: number | null
    /** True if the company absorbs a fee of the payment. */
    absorbs: boolean | null
    /** 1 for the capture of a payment's first line, otherwise 0. */
    payments: number | null
    bill_cents: number | null
    fee_cents: number | null
    absorbed_cents: number | null
    program: string | null
    mode: string | null
    provider: string | null
  }
  /** View of the net, refunded and returned amounts of each payment order. payment_order stores these amounts. */
  ledger_payment: {
    company_id: number | null
    order_id: number | null
    net_bill_cents: number | null
    net_fee_cents: number | null
    /** Refunded bill amount, including lost disputes. */
    refunded_bill_cents: number | null
    refunded_fee_cents: number | null
    returned_bill_cents: number | null
    returned_fee_cents: number | null
  }
  /** Transfer between two ledger accounts. Transfers with the same entry_id belong to one ledger entry. */
  ledger_transfer: {
    company_id: number
    id: Generated<number>
    entry_id: number
    order_id: number | null
    debit_account: string
    credit_account: string
    amount_cents: number
    /** Payment provider, office or lockbox that moved the money. */
    source: string
    /** Id of the charge, refund, return, dispute or payout at the source. */
    source_ref: string
    /** Movement type and part, such as `capture.bill` or `refund.fee`. */
    kind: string
    at: Instant
    line_no: number | null
    /** Order line that was named in the refund request. */
    named_line_no: number | null
    /** True for the charge of a separate fee. */
    is_fee_part: Defaulted<boolean>
  }
  /** Utility account that a person linked to their profile. */
  linked_account: {
    company_id: number
    person_id: number
    account_id: number
    linked_at: Instant
    nickname: Defaulted<string>
    /** Usage limit. The person gets a usage alert if usage between two readings is above it. Null if the person set no limit. */
    usage_limit: number | null
    /** First day away. Any usage from this day to away_until triggers an alert. */
    away_from: string | null
    away_until: string | null
    /** Second email address for usage alerts. Empty if the person set none. */
    also_to: Defaulted<string>
    /** Last day on which the person lived at this address. The person can still see the final bill and the history. */
    left_on: string | null
  }
  /** Payment from a bank's lockbox file. Each trace number is stored only once. */
  lockbox_payment: {
    company_id: number
    id: Generated<number>
    trace: string
    file_name: string
    received_at: Instant
    paid_on: string
    /** Account number as reported by the bank. */
    account: string
    payer_name: string
    amount_cents: number
    currency: Defaulted<string>
    state: 'waiting' | 'posted' | 'returned'
    /** Reason that staff must review the payment. It stays in the row after the payment is posted. */
    reason: Defaulted<string>
    order_id: number | null
    finished_at: Instant | null
    search_text: string
  }
  /** Meter reading with its usage, imported from the billing system. */
  meter_reading: {
    company_id: number
    account_id: number
    meter_number: string
    read_date: string
    service: string
    unit: string
    reading: number
    /** Usage since the previous reading, in `unit`. */
    used: number
    /** Number of days that the usage covers. The last of these days is read_date. */
    days: number
    kind: 'actual' | 'estimated' | 'corrected'
    imported_at: Instant
  }
  /** Payment method that can be saved only after the payer approves it with the bank. The row contains the payer's authorization. */
  method_setup: {
    company_id: number
    person_id: number
    /** Idempotency key of the call. The return URL contains it to identify the setup. */
    setup_key: string
    /** 1 card, 2 eCheck. */
    method: 1 | 2
    provider: string
    provider_setup: string
    mandate_text: string
    mandate_at: Instant
    mandate_address: string
    mandate_device: string
    created_at: Instant
    finished_at: Instant | null
  }
  /** Emailed link for a property owner to answer a move request. */
  move_owner_link: {
    company_id: number
    move_id: number
    token_hash: Buffer
    expires_at: Instant
  }
  /** Request to move in, move out or move to another address within the company (spec 9.7). */
  move_request: {
    company_id: number
    id: Generated<number>
    number: Computed<string>
    /** 1 move in, 2 move out, 3 move within (spec 9.7). */
    kind: number
    status: Defaulted<'Pending' | 'Completed' | 'Withdrawn'>
    created_at: Instant
    updated_at: Instant
    closed_at: Instant | null
    person_id: number | null
    name: string
    email: Defaulted<string>
    phone: Defaulted<string>
    account_id: number | null
    account_number: Defaulted<string>
    leaves_premise: Defaulted<string>
    leaves_address_id: number | null
    /** Type of the source for the old address (spec 9.7). */
    leaves_by: Defaulted<'account' | 'user' | 'register_address' | 'address'>
    leaves_on: string | null
    enters_premise: Defaulted<string>
    enters_address_id: number | null
    enters_on: string | null
    /** First day at the new address. For a move out, last day at the old one. */
    moves_on: Computed<string>
    forwarding: Defaulted<string>
    note: Defaulted<string>
    /** Meter reading at the old address on the last day. */
    final_reading: number | null
    /** Meter reading at the new address on the first day. */
    first_reading: number | null
    owner_name: Defaulted<string>
    owner_email: Defaulted<string>
    /** `none` if no property owner has to agree to the request. */
    owner_answer: Defaulted<'none' | 'asked' | 'agreed' | 'refused'>
    owner_answered_at: Instant | null
    /** Name that the owner typed as a signature. */
    owner_signed: Defaulted<string>
    /** True if the owner agreed to be responsible for the address whenever it is vacant. */
    owner_covers_vacancy: Defaulted<boolean>
    assigned_to: number | null
    department_id: number | null
    /** Last entry of the case timeline that the requester can see. */
    last_message_id: Defaulted<number>
    last_from: Defaulted<'person' | 'staff'>
    first_reply_at: Instant | null
    search_text: Computed<string>
    /** Charge for the move-in fee, in general_charge. */
    charge_id: number | null
  }
  /** Move settings of a company. A company without a row has the defaults. */
  moving_settings: {
    company_id: number
    for_guests: boolean
    /** Minimum number of days from the request to the move. */
    lead_days: number
    /** Maximum number of days from the request to the move. */
    max_lead_days: number
    /** Department whose staff read the meter for the final and first readings. Null if the company sends no staff. */
    reads_by: number | null
    /** Number of days that AutoPay continues after the last day at the address, so that it pays the final bill. */
    autopay_days: Defaulted<number>
    /** Payment type of the move-in fee. Null if there is no fee. */
    fee_type_id: number | null
    /** Description of the documents that the company requires, shown with the file upload. Empty if it requires none. */
    documents: Defaulted<string>
  }
  /** reference: Limits that card networks set on the fees that payers are charged. */
  network_fee_rule: {
    id: string
    network: 'visa' | 'mastercard' | 'amex' | 'discover'
    program: 'convenience' | 'service'
    /** Condition that a fee rule must meet. Its parameters are in funding, channels and kinds. */
    demand: 'flat' | 'single' | 'separate' | 'not_in' | 'only_for' | 'all_cards' | 'no_program'
    funding: 'credit' | 'debit' | null
    channels: Defaulted<string[]>
    kinds: Defaulted<string[]>
    /** First day on which the portal applies the rule. It may be later than the network's own date. */
    valid_from: string
    valid_to: string | null
    /** Message to staff if a fee rule breaks the limit. */
    message: string
    /** Network document that contains the rule. */
    source: string
    /** published: the network's own document states the rule. reading: our interpretation, which the company's acquirer must confirm. */
    basis: 'published' | 'reading'
  }
  /** Email address that unsubscribed from a notice event. */
  notice_opt_out: {
    /** Company, or 0 for the platform. */
    company_id: number
    address: string
    event: string
    at: Instant
  }
  /** Working days and holidays of a company's office. */
  office_days: {
    company_id: number
    /** Weekdays on which the office is open, from 1 (Monday) to 7 (Sunday). */
    work_days: Json<ColumnTypes['office_days.work_days']>
    /** Days on which the office is closed, as {on, name}. */
    holidays: Json<ColumnTypes['office_days.holidays']>
  }
  /** Document that a company sent for its onboarding with a payment provider. Only the latest document of each kind counts. */
  onboarding_document: {
    company_id: number
    id: Generated<number>
    onboarding_id: number
    kind: 'bank_agreement' | 'board_decision' | 'tax_form'
    status: 'sent' | 'accepted' | 'replacement_needed' | 'replaced'
    /** Reason that staff requested a replacement. */
    reason: Defaulted<string>
    created_at: Instant
  }
  /** Id of an update from another portal that is already in the timeline of a sent request. The row prevents a second timeline entry. */
  open311_applied_update: {
    company_id: number
    request_id: number
    /** Id of the update at the other portal. If that portal lacks the update extension, the id consists of the time and a hash of status and text. */
    update_id: string
  }
  /** Open311 portal of another organization that receives requests from this company. */
  open311_portal: {
    company_id: number
    id: Generated<number>
    public_id: Defaulted<string>
    name: string
    url: string
    jurisdiction_id: Defaulted<string>
    api_key_sealed: Defaulted<string>
    is_active: boolean
    /** True if closing the request at the other portal also completes it here. */
    follows_status: boolean
    /** True if the other portal receives the requester's name, email and phone number. */
    sends_contact: boolean
    /** Services that the other portal listed in its last response. */
    services: DefaultedJson<ColumnTypes['open311_portal.services']>
    services_at: Instant | null
    format: Defaulted<'json' | 'xml'>
    /** True if the other portal supports the update extension. */
    has_updates: Defaulted<boolean>
    /** Error of the last call to the other portal. Empty if the call succeeded. */
    problem: Defaulted<string>
    /** Time up to which all updates are already imported. */
    updates_until: Instant
    /** Time of the next check for updates. */
    next_check_at: Instant
    /** Minutes until the next check. The wait doubles if a check finds no update. */
    wait_minutes: Defaulted<number>
    removed_at: Instant | null
  }
  /** Request that another program reported through the company's Open311 server. */
  open311_request: {
    company_id: number
    request_id: number
    key_id: number
    /** URL of the photo on the reporting program's server. A job fetches the photo once. */
    media_url: Defaulted<string>
  }
  /** Category whose requests the company sends to another Open311 portal. */
  open311_route: {
    company_id: number
    category_id: number
    portal_id: number
    service_code: string
    /** Earliest creation time of requests to send. Older requests are not sent. */
    since: Instant
  }
  /** Requester's message on a request that was sent to another portal. The message is queued or sent to that portal. */
  open311_sent_comment: {
    company_id: number
    entry_id: number
    request_id: number
    state: 'waiting' | 'sent' | 'refused' | 'abandoned'
    began_at: Instant
    tries: Defaulted<number>
    /** Time of the next attempt. A worker claims the row by setting a later time. */
    next_at: Instant
  }
  /** Request that is queued for or sent to another Open311 portal, with its status at that portal. */
  open311_sent_request: {
    company_id: number
    request_id: number
    portal_id: number
    service_code: string
    /** token: the other portal accepted the request, but has not assigned a request number yet. */
    state: 'waiting' | 'token' | 'sent' | 'refused' | 'abandoned'
    /** Time of the first attempt. If the other portal does not respond for some days, the portal stops trying. */
    began_at: Instant
    /** Time of an attempt whose result is unknown. Before the next attempt, the portal searches the other portal for the request. */
    attempted_at: Instant | null
    /** Number of attempts to send. After the request is sent, number of status checks since the last update. */
    tries: Defaulted<number>
    /** Time of the next attempt or check. A worker claims the row by setting a later time. */
    next_at: Instant
    /** Token that the other portal returned. It is used until that portal assigns a request number. */
    token: Defaulted<string>
    /** Request number at the other portal. Empty until that portal assigns it. */
    portal_request_id: Defaulted<string>
    portal_status: Defaulted<'' | 'open' | 'closed'>
    /** Time of the last status check at the other portal. */
    status_checked_at: Instant | null
    /** Last status text from a portal that lacks the update extension. */
    portal_status_text: Defaulted<string>
    /** Last timeline entry that was checked for messages to send to the other portal. */
    last_checked_entry_id: Defaulted<number>
    problem: Defaulted<string>
  }
  /** Settings of the company's Open311 server. */
  open311_settings: {
    company_id: number
    /** True if the Open311 server also publishes the photos of public requests. */
    publish_photos: boolean
  }
  /** Update that another program sent to a request that the same program reported. Its id prevents a second timeline entry. */
  open311_update: {
    company_id: number
    request_id: number
    update_id: string
    /** Timeline entry of the update in case_entry. */
    entry_id: number
  }
  /** View of payments that were attempted or deferred during a provider outage, by open item. Until grace_until, the portal adds no late fees, does not default arrangements and does not shut off service. */
  outage_attempt: {
    company_id: number | null
    outage_id: number | null
    kind: string | null
    payable_id: number | null
    amount_cents: number | null
    at: Instant | null
    order_id: number | null
    deferred_payment_id: number | null
    since: Instant | null
    until: Instant | null
    grace_until: string | null
  }
  /** Property owner's agreement to be responsible for a vacant service point. Agreements for the same service point never overlap. */
  owner_agreement: {
    company_id: number
    service_point_id: number
    from_on: string
    /** First day after the agreement ends. Null if the agreement has no end. */
    until_on: string | null
    name: string
    email: string
    move_id: number
  }
  /** Parcel of land, imported by the company. */
  parcel: {
    company_id: number
    id: Generated<number>
    parcel_number: string
    /** Parcel number with only its letters and digits. */
    number_key: string
    address: Defaulted<string>
    owner_name: Defaulted<string>
    land_use: Defaulted<string>
    lat: number
    lon: number
    /** Location in metres from the company's map origin. */
    at: Point
    outline: DefaultedJson<ColumnTypes['parcel.outline']>
    search_text: Computed<string>
  }
  /** Contest of a parking ticket, with its hearing and decision. */
  parking_contest: {
    company_id: number
    id: Generated<number>
    ticket_id: number
    citation_number: string
    created_at: Instant
    name: string
    email: string
    phone: Defaulted<string>
    person_id: number | null
    grounds: string
    hearing_at: Instant | null
    hearing_location: Defaulted<string>
    /** Calendar entry of the hearing in scheduled_item. */
    item_id: number | null
    decision: 'upheld' | 'dismissed' | null
    decided_at: Instant | null
    /** Assigned staff member of the company, who may have left the company since then. */
    assigned_to: number | null
    department_id: number | null
    last_message_id: Defaulted<number>
    last_from: Defaulted<'person' | 'staff'>
    first_reply_at: Instant | null
    updated_at: Instant
    /** Postal address for the decision. Empty for a contest sent through the portal. */
    address: Defaulted<string>
    /** Day on which the office received a contest on paper. Null for a contest sent through the portal. */
    received_on: string | null
  }
  /** Late step applied to an unpaid parking ticket. */
  parking_delinquency_step: {
    company_id: number
    ticket_id: number
    counted_from: string
    /** Day of the late step, as the number of days after counted_from. */
    day: number
    fee_cents: number
    /** True if this step sent a notice to the driver. */
    is_notified: boolean
    at: Instant
  }
  /** Credit to a parking ticket, or reversal of a credit, from one payment line. Each source reference counts only once. */
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
  /** Payment, late step and contest rules of a company's parking tickets. */
  parking_settings: {
    company_id: number
    due_days: number
    /** Late steps of an unpaid ticket. Each step has a day, a late fee in cents, and a flag for notifying the driver. */
    delinquency_steps: Json<ColumnTypes['parking_settings.delinquency_steps']>
    /** Number of unpaid tickets that puts a plate on the boot list. */
    boot_tickets: number
    /** Minimum age, in days, of a ticket that counts toward boot_tickets. */
    boot_days: number
    /** The company's description of the legal alternatives to payment. */
    alternatives: string
    hearing_location: string
    gl_account: string
    /** Number of days in which a driver can contest a ticket. */
    contest_days: number
    /** True if each emailed late notice restarts the time limit for contesting the ticket. */
    notice_renews_contest: boolean
  }
  /** Parking ticket with its fine, late fees and payments. */
  parking_ticket: {
    company_id: number
    id: Generated<number>
    citation_number: string
    plate: string
    plate_state: string
    vehicle: Defaulted<string>
    violation_id: number
    /** Violation code. The code and violation_text are copies from the day of the ticket. */
    violation_code: string
    violation_text: string
    officer: Defaulted<string>
    issued_at: Instant
    location: Defaulted<string>
    address_id: number | null
    lat: number | null
    lon: number | null
    /** Location in metres from the company's map origin. */
    at: Point | null
    notes: Defaulted<string>
    /** Email address for late notices. Empty if unknown. */
    email: Defaulted<string>
    status: 'open' | 'paid' | 'contested' | 'void' | 'warning'
    fine_cents: number
    /** Total of late fees, in cents. */
    late_cents: Defaulted<number>
    paid_cents: Defaulted<number>
    due_on: string
    /** Day from which the days of the late steps are counted: the day of the ticket or of the contest decision. */
    counted_from: string
    /** Last late step that was applied, given as its day in the company's schedule. 0 if no step was applied. */
    last_step_day: Defaulted<number>
    /** Unpaid amount of an open or contested ticket. 0 for other statuses. */
    unpaid_cents: Computed<number>
    search_text: Computed<string>
    /** Last day to contest the ticket. */
    contest_until: string
  }
  /** Violation code of a company with its fine. */
  parking_violation: {
    company_id: number
    id: Generated<number>
    code: string
    description: string
    amount_cents: number
    is_active: Defaulted<0 | 1>
  }
  /** Passkey of a person. */
  passkey: {
    company_id: number
    id: Generated<number>
    person_id: number
    credential_id: string
    public_key: Buffer
    /** Last known value of the authenticator's signature counter. */
    counter: number
    transports: DefaultedJson<ColumnTypes['passkey.transports']>
    name: string
    created_at: Instant
    used_at: Instant | null
  }
  /** Message to staff about a payment that needs a review. */
  payment_alert: {
    company_id: number
    id: Generated<number>
    order_id: number
    code: string
    message: string
    at: Instant
  }
  /** Attempt to charge a payment order at a provider. */
  payment_attempt: {
    company_id: number
    id: Generated<number>
    order_id: number
    attempt_no: number
    idempotency_key: string
    /** 0 pending, 1 succeeded, 2 failed. */
    status: ColumnTypes['payment_attempt.status']
    step: 'new' | 'created' | 'submitted' | 'processing' | 'requires_action' | 'succeeded' | 'failed' | 'canceled' | 'returned'
    provider: string
    provider_account: string
    /** Id of the charge at the provider. Null until the provider creates it. */
    intent_id: string | null
    action_url: string | null
    error_code: string | null
    error_message: string | null
    created_at: Instant
    submitted_at: Instant | null
    checked_at: Instant
    /** bill: the payment's own charge. fee: the charge of a separate fee. */
    part: Defaulted<'bill' | 'fee'>
  }
  /** Daily totals of payments for reports. count_ledger_entry() keeps them equal to ledger_day. */
  payment_day: {
    company_id: number
    made_on: string
    moved_on: string
    /** Part of ledger_transfer.kind before the dot, such as capture or refund. */
    movement_type: string
    method: number
    location: number
    absorbs: boolean
    /** Number of captured payments. */
    payments: number
    bill_cents: number
    fee_cents: number
    absorbed_cents: number
    program: Defaulted<string>
    mode: Defaulted<string>
    /** Source of the capture: a payment provider, office or lockbox. */
    provider: Defaulted<string>
  }
  /** Separate fee of a payment, with its status. */
  payment_fee: {
    company_id: number
    /** Id of the payment order. */
    id: number
    /** dropped: no longer owed, because the bill was refunded or returned. */
    status: 'waiting' | 'charged' | 'owed' | 'waived' | 'dropped'
    amount_cents: number
    /** Time at which the current status started. */
    since: Instant
  }
  /** Payment made through a checkout, at the counter, by phone, through AutoPay or through a bank. Its attempts are in payment_attempt. */
  payment_order: {
    company_id: number
    id: Generated<number>
    /** 0 Pending, 1 Success, 2 Declined, 3 Refund, 5 Void (spec 4.6). */
    status: 0 | 1 | 2 | 3 | 5
    checkout_id: number | null
    person_id: number | null
    /** References of the paid items, such as an account number, for staff. */
    reference: string
    payer_name: string
    payer_email: string
    /** 1 Online, 3 PayByPhone, 4 Guest quick-pay, 5 Office, 6 Autopay, 7 Pay channel (spec 9.5). */
    location: ColumnTypes['payment_order.location']
    /** 1 card, 2 eCheck, 3 cash, 4 check, 5 money order, 6 bank payment. */
    method: 1 | 2 | 3 | 4 | 5 | 6
    /** 1 full, 2 partial, 3 other amount. */
    pay_type: 1 | 2 | 3
    bill_cents: number
    fee_cents: number
    absorbed_fee_cents: Defaulted<number>
    total_cents: number
    refunded_cents: Defaulted<number>
    /** Fee terms and amounts at the time of payment. They never change. */
    fee_quote: Json<ColumnTypes['payment_order.fee_quote']>
    /** Label of the payment method, such as a card brand and its last digits. */
    method_label: Defaulted<string>
    /** Return code from the bank for a declined or returned eCheck. Null if there is none. */
    return_code: string | null
    dispute_open: Defaulted<boolean>
    created_at: Instant
    paid_at: Instant | null
    search_text: string
    /** Bill amount in the ledger after refunds and returns. This amount and the other net, refunded and returned amounts are copies from ledger_payment. */
    net_bill_cents: Defaulted<number>
    net_fee_cents: Defaulted<number>
    refunded_bill_cents: Defaulted<number>
    refunded_fee_cents: Defaulted<number>
    returned_bill_cents: Defaulted<number>
    returned_fee_cents: Defaulted<number>
    /** Types of the order lines, as shown in reports. */
    type: string
  }
  /** Line item of a payment order. */
  payment_order_line: {
    company_id: number
    order_id: number
    line_no: number
    kind: string
    payable_id: number
    amount_cents: number
    /** Captured amount less refunds and returns, in cents. */
    settled_cents: Defaulted<number>
    gl_account: string
    fee_program: 'convenience' | 'service' | 'none'
    title: string
    /** Details on the receipt, as {name, value}. */
    details: Json<ColumnTypes['payment_order_line.details']>
    items: DefaultedJson<ColumnTypes['payment_order_line.items']>
    /** Amount due on the item before this payment. Null for older payments. */
    owed_before_cents: number | null
    fee_cents: number
    absorbed_fee_cents: number
    fee_mode: Defaulted<'single' | 'two_transactions'>
  }
  /** Outage of a payment provider for a company. */
  payment_outage: {
    company_id: number
    id: Generated<number>
    provider: string
    /** True if the outage affects only this company. Other companies can pay through the provider. */
    is_company_only: Defaulted<boolean>
    /** Time of the first call without a response. */
    since: Instant
    noticed_at: Instant
    /** Time of the first response after the failed calls. The outage ends only after a period without errors. */
    calm_since: Instant | null
    until: Instant | null
    /** Number of times that the outage started again shortly after it ended. */
    relapses: Defaulted<number>
  }
  /** Refund or void of a payment, with its requester and approver. */
  payment_refund: {
    company_id: number
    id: Generated<number>
    order_id: number
    attempt_id: number
    kind: 'refund' | 'void'
    amount_cents: number
    reason: string
    status: 'waiting' | 'sending' | 'done' | 'declined' | 'failed'
    /** Person who requested the refund, from the company or the platform. */
    requested_by: number
    requested_by_name: string
    requested_at: Instant
    decided_by: number | null
    decided_by_name: Defaulted<string>
    decided_at: Instant | null
    provider_ref: string | null
    /** Reason that the approver declined the refund, or that the provider refused it. */
    note: Defaulted<string>
    idempotency_key: string
    /** Order line to refund. Null for a refund of the whole payment. */
    line_no: number | null
    /** True for the refund of a separate fee. The portal makes this refund after the refund of the bill. */
    is_fee_part: Defaulted<boolean>
  }
  /** Payment settings of a company (spec 2.15). */
  payment_settings: {
    company_id: number
    processor_id: Defaulted<number>
    min_payment_cents: Defaulted<number>
    max_payment_cents: Defaulted<number>
    autopay_enabled: Defaulted<0 | 1>
    ivr_user_pin_enabled: Defaulted<0 | 1>
    has_card_reader: Defaulted<0 | 1>
    receive_payment_emails: Defaulted<0 | 1>
    has_tele_check: Defaulted<0 | 1>
    only_usd_currency: Defaulted<0 | 1>
    has_pay_by_phone: Defaulted<0 | 1>
    is_pay_in_full: Defaulted<0 | 1>
    /** Staff member whom the processor calls first (spec 2.15). */
    primary_contact: number | null
    secondary_contact: number | null
    /** Second proof that a guest enters in addition to the account number. */
    guest_proof: Defaulted<'none' | 'last_name' | 'last_bill'>
    autopay_notice_days: Defaulted<number>
    /** AutoPay authorization in the company's own text. Empty for the default text. */
    autopay_mandate: Defaulted<string>
    /** Maximum refund of a payment that needs no approver, in cents. */
    refund_limit_cents: Defaulted<number>
    /** Time up to which payments are included in the emails to the office. */
    office_notified_until: Instant | null
    /** Day of the first payout line. Reconciliation checks the payments from this day on. */
    reconciled_since: string | null
    /** Processor that takes new payments while the first processor has an outage. */
    second_processor_id: number | null
  }
  /** Number that a payment type can assign, such as a tag number. */
  payment_stock: {
    company_id: number
    type_id: number
    number: string
    /** Order in which the numbers are assigned. */
    position: Generated<number>
    /** Charge that the number is assigned to, or is on hold for until the payer completes the payment. */
    charge_id: number | null
  }
  /** General payment that a company offers, such as a dog license. */
  payment_type: {
    company_id: number
    id: Generated<number>
    status: Defaulted<'draft' | 'open' | 'closed'>
    title: string
    title_key: Computed<string>
    /** Last part of the page's URL, such as dog-license in /pay/dog-license. If the page is open only to people with its link, the URL continues with link_code. */
    slug: string
    link_code: string
    category: string
    description: string
    gl_account: string
    seen_by: 'everyone' | 'signed_in' | 'link'
    /** computed: calculated from the form fields. listed: each charge is an imported open item. */
    amount_kind: 'fixed' | 'computed' | 'open' | 'listed'
    amount_cents: number | null
    min_cents: number | null
    max_cents: number | null
    /** 1 if partial payments are allowed. */
    in_parts: Defaulted<0 | 1>
    due_date: string | null
    opens_on: string | null
    closes_on: string | null
    /** Label of the number that each payment gets, such as Tag number. Empty if payments get no number. */
    number_label: Defaulted<string>
    /** Label of the number that a payer enters to find an open item, such as Parcel number. */
    item_label: Defaulted<string>
    /** Proof that a payer enters for an open item: its amount, or the code on the notice. */
    proof: Defaulted<'amount' | 'code'>
    field_set_id: number
    created_at: Instant
    changed_at: Instant
  }
  /** Payout of a provider to the company's bank account. */
  payout: {
    company_id: number
    id: Generated<number>
    provider: string
    provider_ref: string
    /** Trace number that bank statements show. */
    trace: string
    paid_at: Instant
    arrives_on: string
    gross_cents: number
    cost_cents: number
    net_cents: number
    line_count: number
    /** Sum of the payout lines minus their costs, in cents. It equals net_cents if the payout is correct. */
    line_cents: number
    /** Amount that the bank received. Null until a bank statement line matches the payout. */
    deposited_cents: number | null
    deposited_on: string | null
    search_text: string
  }
  /** Charge, refund or dispute in a payout, with the ledger amount for comparison. */
  payout_line: {
    company_id: number
    payout_id: number
    line_no: number
    /** Id of the balance movement at the provider. */
    movement: string
    /** Type of the movement, such as capture or refund. */
    movement_type: string
    /** Id of the charge, refund or dispute. The ledger uses the same id. */
    source_ref: string
    amount_cents: number
    cost_cents: number
    at: Instant
    /** Ledger amount of the line. It equals amount_cents if the line is correct. */
    ledger_cents: Defaulted<number>
    order_id: number | null
    /** Provider of the payout. source_ref is an id of this provider. */
    provider: string
  }
  /** local: Last payout read from each payment provider. */
  payout_position: {
    provider: string
    payout_ref: string
    read_at: Instant
    /** Company's account at the provider. Empty if the provider lists all accounts together. */
    account: Defaulted<string>
  }
  /** Notice that has not been sent yet. All pending notices of one event to one address are sent as one email. */
  pending_notice: {
    /** Company, or 0 for the platform. */
    company_id: number
    id: Generated<number>
    event: string
    address: string
    /** Resident whose alert settings apply to the notice. Null for other recipients. */
    person_id: number | null
    /** Input of the email template of the event. */
    data: Json<ColumnTypes['pending_notice.data']>
    at: Instant
  }
  /** Person with an account of a company: resident or staff. */
  person: {
    company_id: number
    id: Defaulted<number>
    /** Email address, used as the sign-in name. */
    email: string
    password_hash: string | null
    role_id: number
    first_name: string
    last_name: string
    service_address: Defaulted<string>
    city: Defaulted<string>
    state: Defaulted<string>
    zipcode: Defaulted<string>
    mobile_no: Defaulted<string>
    /** Phone alerts. a: active. i: inactive. Null if the person made no choice. */
    active_phone_alerts: 'a' | 'i' | null
    /** Email alerts. a: active. i: inactive. Null if the person made no choice. */
    active_email_alerts: 'a' | 'i' | null
    primary_contact_method: Defaulted<1 | 2 | 3>
    is_active: Defaulted<0 | 1>
    created_at: DefaultedInstant
    /** Permission masks that differ from the role's defaults, by policy. */
    privileges: DefaultedJson<ColumnTypes['person.privileges']>
    email_confirmed_at: Instant | null
    /** Time when staff locked the account. The person cannot sign in until staff unlock it, but loses no data. */
    locked_at: Instant | null
    /** Municipality staff only: 1 Staff, 2 Deputy Manager, 3 Manager. */
    position: ColumnTypes['person.position'] | null
    department_id: number | null
    signed_in_at: Instant | null
    name_key: Computed<string>
    /** Last time that the person used an emailed link, which proves access to the mailbox. Null if no use is recorded. */
    mailbox_proven_at: Instant | null
    /** Role of a staff member. Empty for roles from before, and for residents. */
    staff_role_id: number | null
  }
  /** Settings of the screens of each member of staff (server/person-settings.ts). Company 0 is the platform. */
  person_setting: {
    company_id: number
    person_id: number
    name: string
    /** JSON that the screen reads, such as the visible columns of a list. */
    value: Json<ColumnTypes['person_setting.value']>
    changed_at: Instant
  }
  /** Pay by Phone call from a resident, with its current step and outcome. */
  phone_call: {
    company_id: number
    id: Generated<number>
    voice_provider: 'sandbox' | 'twilio'
    /** Id of the call at the voice provider. */
    voice_provider_call_id: string
    phone: string
    /** Number of the current step. A repeated request for an earlier step changes nothing. */
    step_no: Defaulted<number>
    /** Current step: its stage, messages and expected keys (features/phone-payments/rules.ts). */
    step: Json<ColumnTypes['phone_call.step']>
    /** refused: Pay by Phone was not available, or the PIN failed. left: the call ended without a payment. unknown: the payment result is not known yet. */
    outcome: 'talking' | 'paid' | 'processing' | 'declined' | 'left' | 'refused' | 'unknown'
    /** Account number that the caller pays. Empty until the portal finds the account. */
    reference: Defaulted<string>
    order_id: number | null
    attempt_id: number | null
    started_at: Instant
    ended_at: Instant | null
  }
  /** Hashed PIN of a resident for Pay by Phone. */
  phone_pin: {
    company_id: number
    person_id: number
    pin_hash: string
    set_at: Instant
  }
  /** local: Emailed account links of platform staff. */
  platform_account_link: {
    code_hash: Buffer
    person_id: number
    purpose: 'confirm_email' | 'change_email' | 'reset_password'
    email: string
    created_at: Instant
    expires_at: Instant
    used_at: Instant | null
  }
  /** local: Actions of platform staff that do not belong to one company. */
  platform_audit_event: {
    id: Generated<number>
    at: Instant
    actor_id: number | null
    action: string
    subject: Defaulted<string>
    detail: DefaultedJson<ColumnTypes['platform_audit_event.detail']>
    request_id: Defaulted<string>
    /** Person affected, if not the actor. */
    person_id: number | null
    subject_kind: Defaulted<string>
  }
  /** local: Hash chain over the platform's audit log. */
  platform_audit_seal: {
    position: number
    event_id: number
    hash: Buffer
    sealed_at: Instant
    /** Version of the hash method (features/audit/server/chain.ts). */
    version: number
  }
  /** local: Authenticator apps of platform staff. */
  platform_authenticator: {
    person_id: number
    secret_sealed: string
    /** Time step of the last accepted code. Only codes of later steps are accepted. */
    last_step: number
    created_at: Instant
  }
  /** local: Daily figures, summed over all companies. */
  platform_daily_figure: {
    day: string
    measure: string
    part: string
    count: number
    cents: number
  }
  /** local: Departments of the platform. */
  platform_department: {
    id: Generated<number>
    name: string
    is_active: Defaulted<0 | 1>
    created_at: DefaultedInstant
  }
  /** local: Single-use download tokens of platform staff, for downloads that do not belong to one company. */
  platform_download_token: {
    code_hash: Buffer
    call: string
    body: Json<ColumnTypes['platform_download_token.body']>
    person_id: number
    expires_at: Instant
    used_at: Instant | null
  }
  /** local: Emails to platform staff that do not belong to a company. */
  platform_email: {
    /** Id from the same sequence as the ids of email_outbox. */
    id: Defaulted<number>
    to_address: string
    subject: string
    text_body: string
    html_body: string
    attachments: DefaultedJson<ColumnTypes['platform_email.attachments']>
    created_at: Instant
    sent_at: Instant | null
    attempts: Defaulted<number>
    last_error: string | null
    failed_at: Instant | null
    /** Unsubscribe link. Empty for a required email. */
    unsubscribe_url: Defaulted<string>
  }
  /** local: Pending steps of two-factor authentication of platform staff, for sign-in and setup. */
  platform_factor_step: {
    code_hash: Buffer
    /** second, enroll: between the first sign-in step and the start of the session. new_app, new_passkey: setup by a signed-in person. */
    purpose: 'second' | 'enroll' | 'passkey' | 'new_app' | 'new_passkey'
    person_id: number | null
    /** First sign-in method, for the audit log. */
    first_method: Defaulted<string>
    challenge: string | null
    secret_sealed: string | null
    tries: Defaulted<number>
    created_at: Instant
    expires_at: Instant
    used_at: Instant | null
    sso_ticket_hash: Buffer | null
  }
  /** local: Sign-in rules of platform staff. The table has one row. */
  platform_identity_settings: {
    id: Defaulted<1>
    require_second_factor: Defaulted<boolean>
  }
  /** local: Single-use links for platform staff to set the first password. */
  platform_invitation: {
    code_hash: Buffer
    person_id: number
    expires_at: Instant
    used_at: Instant | null
  }
  /** local: Passkeys of platform staff. */
  platform_passkey: {
    id: Generated<number>
    person_id: number
    credential_id: string
    public_key: Buffer
    /** Last known value of the authenticator's signature counter. */
    counter: number
    transports: DefaultedJson<ColumnTypes['platform_passkey.transports']>
    name: string
    created_at: Instant
    used_at: Instant | null
  }
  /** local: Staff accounts of the platform. */
  platform_person: {
    id: Defaulted<number>
    email: string
    password_hash: string | null
    role_id: number
    first_name: string
    last_name: string
    is_active: Defaulted<0 | 1>
    created_at: DefaultedInstant
    privileges: DefaultedJson<ColumnTypes['platform_person.privileges']>
    locked_at: Instant | null
    /** Always null, because only company staff have positions. With this column, the queries for both staff lists can read the same columns. */
    position: null
    department_id: number | null
    signed_in_at: Instant | null
    address: Defaulted<string>
    city: Defaulted<string>
    state: Defaulted<string>
    zipcode: Defaulted<string>
    mobile_no: Defaulted<string>
    mailbox_proven_at: Instant | null
  }
  /** local: Recovery codes of platform staff for two-factor authentication. */
  platform_recovery_code: {
    person_id: number
    /** Hash of the code, made with the installation's key. */
    mark: Buffer
    used_at: Instant | null
  }
  /** local: Sign-in sessions of platform staff on the administrator host. Expired rows are deleted after 90 days. */
  platform_session: {
    /** Hash of the session token. */
    token_hash: Buffer
    person_id: number
    created_at: Instant
    seen_at: Instant
    expires_at: Instant
    ended_at: Instant | null
    id: Generated<number>
    device: Defaulted<string>
    /** IP address of the latest request. */
    address: Defaulted<string>
  }
  /** Confidential note for first responders and field staff about a service address. The text is encrypted. */
  premise_note: {
    company_id: number
    id: Generated<number>
    public_id: Defaulted<string>
    kind: 'hazard' | 'access' | 'person'
    /** Service address as text. */
    location: string
    address_id: number | null
    lat: number | null
    lon: number | null
    /** Location in metres from the company's map origin. */
    at: Point | null
    /** Encrypted text of the note. Empty after the note has ended. */
    text_sealed: string
    /** Person who agreed to the note. */
    agreed_by: Defaulted<string>
    agreed_on: string | null
    agreed_how: Defaulted<string>
    /** Day by which staff must confirm that the note is still correct. */
    confirm_on: string
    written_at: Instant
    written_by: string
    ended_at: Instant | null
    is_ended: Computed<boolean>
    search_text: Computed<string>
  }
  /** Access log of premise notes. Each row records that a person opened a note. Rows are deleted after seven years. */
  premise_note_access: {
    company_id: number
    note_id: number
    id: Generated<number>
    at: Instant
    /** Company staff member, or a platform staff member who impersonates someone. */
    person_id: number
    by_name: string
  }
  /** reference: Payment processors with an adapter. Spec 2.15 assigns one to each company. */
  processor: {
    id: number
    name: string
    provider: string
  }
  /** Account of a company with a payment provider. */
  provider_account: {
    company_id: number
    provider: string
    /** Id of the company's account with the provider. */
    account: string
  }
  /** local: Latest response and latest calls without a response. One row per payment provider, account and call type. Used to detect outages. */
  provider_call: {
    provider: string
    /** Account that the calls belong to. Empty for calls without a company. */
    account: string
    verb: string
    responded_at: Instant | null
    /** Times of the latest calls without a response, since the last response. Up to ten ISO timestamps, newest first. */
    silent: DefaultedJson<ColumnTypes['provider_call.silent']>
  }
  /** local: Inbox of events from payment providers. One row per event, applied once. */
  provider_event: {
    provider: string
    event_id: string
    received_at: Instant
    body: Json<ColumnTypes['provider_event.body']>
    /** Time at which the event was applied. Null until then. */
    applied_at: Instant | null
    id: Generated<number>
    tries: Defaulted<number>
    next_try_at: Instant | null
    last_error: string | null
    /** Time of the last attempt. After this attempt, the portal stopped retrying the event. */
    abandoned_at: Instant | null
  }
  /** Onboarding of a company with a payment provider. One row per company and provider. */
  provider_onboarding: {
    company_id: number
    id: Generated<number>
    provider: string
    /** Onboarding state. `on_hold`: put on hold by the provider. `held`: put on hold by the platform. */
    status: Defaulted<'not_started' | 'in_progress' | 'missing' | 'in_review' | 'on_hold' | 'held' | 'ready'>
    /** Party that must act next in the onboarding. */
    owed_by: Defaulted<'company' | 'platform' | 'provider' | 'none'>
    /** True if new payments to the company can be started through this provider. */
    may_charge: Defaulted<boolean>
    /** Last status from the provider. Empty before the first status check. */
    provider_state: Defaulted<'' | 'in_progress' | 'missing' | 'in_review' | 'on_hold' | 'ready'>
    takes_payments: Defaulted<boolean>
    is_paid_out: Defaulted<boolean>
    /** Information that the provider still requires, as codes that the provider defines. */
    missing: Defaulted<string[]>
    /** Provider's deadline for the missing information. After it, the provider restricts the account. */
    due_at: Instant | null
    /** Reason that the provider restricted the account, in the provider's words. */
    why: Defaulted<string>
    created_at: Instant
    status_at: Instant
    /** Start time of the status check that returned the stored status. The portal ignores responses to earlier checks. */
    checked_at: Instant | null
    next_check_at: Instant
    tested_at: Instant | null
    test_passed: boolean | null
    tested_by: Defaulted<string>
  }
  /** local: Position in the movement list of each payment provider. A job has read all movements up to this position. */
  provider_position: {
    provider: string
    /** Id of the last movement that the job read. */
    movement_id: string
    read_at: Instant
  }
  /** Reconciliation exception: a difference between the ledger, payouts, bank statements and remittances. A daily check opens exceptions and clears those that no longer exist. */
  recon_exception: {
    company_id: number
    id: Generated<number>
    kind: 'line_unknown' | 'line_differs' | 'not_paid_out' | 'payout_sum' | 'deposit_missing' | 'deposit_differs' | 'bank_unknown' | 'statement_gap' | 'remittance_differs'
    /** Row with the difference, such as payout 12 or line 12/3. A repeated check uses this value to find the same exception. */
    subject: string
    about: string
    on_day: string
    /** Difference in cents. Negative if less arrived than expected. */
    amount_cents: number
    status: 'open' | 'resolved' | 'cleared'
    opened_at: Instant
    ended_at: Instant | null
    /** Staff member who handles the exception. */
    owner_id: number | null
    owner_name: Defaulted<string>
    reason: Defaulted<string>
    search_text: string
    /** Version of the resolution. Increases by one each time the resolution is undone. */
    version: Defaulted<number>
  }
  /** Recovery codes for two-factor authentication of residents and staff. Each code works once. */
  recovery_code: {
    company_id: number
    person_id: number
    /** Hash of the code, made with the installation's key. */
    mark: Buffer
    used_at: Instant | null
  }
  /** Email addresses and phone numbers that refused a message. A row is deleted after a delivery, or 60 days after the pause ends. */
  refused_address: {
    /** Company 0 is the platform. */
    company_id: number
    /** Email address in lower case, or phone number for text messages. For calls, tel: followed by the phone number. */
    address: string
    code: string
    refusals: Defaulted<number>
    refused_at: Instant
    /** End of the pause. No message is sent before this time. Each further refusal doubles the pause, up to 32 days. */
    rests_until: Instant
  }
  /** local: Refused calls of the current minute, counted by caller and path. A job moves the counts of past minutes into the audit log. */
  refused_call: {
    /** Company id. 0 is the platform. */
    company: number
    minute: Instant
    action: string
    path: string
    /** Summary of the refused call, as in the API documentation. */
    summary: string
    actor_kind: string
    /** Id of the caller. 0 if the caller is not signed in. */
    actor_id: number
    /** Id of the impersonator. 0 without impersonation. */
    impersonator_id: number
    times: Defaulted<number>
    first_at: Instant
    last_at: Instant
  }
  /** Registration of a household, business or rental property. */
  registration: {
    company_id: number
    id: Generated<number>
    /** 1 household, 2 business, 3 rental property (spec 9.7). */
    kind: number
    /** Registration number. It is permanent, and ownership transfers do not change it. */
    number: Computed<string>
    status: 'pending' | 'more_info_needed' | 'registered' | 'due' | 'lapsed' | 'rejected' | 'ended'
    person_id: number
    name: string
    owner_name: string
    /** Registered address as text. */
    location: string
    address_id: number | null
    lat: number | null
    lon: number | null
    /** Location in metres from the company's map origin. */
    at: Point | null
    field_set_id: number
    version: number
    answers_sealed: string
    /** True if the owner lets first responders see the answers that help in an emergency. */
    for_responders: boolean
    /** Alert codes of spec 9.4 that the owner wants to receive. */
    alerts: Defaulted<string[]>
    people: Defaulted<number>
    pets: Defaulted<number>
    units: Defaulted<number>
    made_at: Instant
    changed_at: Instant
    /** Last day on which the registration is valid unless the owner confirms it again. Null before the first registration. */
    confirm_by: string | null
    /** Number of reminders since the last confirmation. */
    reminded: Defaulted<number>
    /** Day by which the next inspection must take place. Null if no inspection is required. */
    inspect_by: string | null
    /** Copy of confirm_by for sorting. The value is 9999-12-31 if confirm_by is null. */
    confirm_or_never: Computed<string>
    /** Copy of inspect_by for sorting. The value is 9999-12-31 if inspect_by is null. */
    inspect_or_never: Computed<string>
    /** Number in the system that the registration was imported from. Empty for other registrations. */
    old_number: Defaulted<string>
    search_text: Computed<string>
  }
  /** Field set of each registration kind. */
  registration_kind: {
    company_id: number
    /** 1 household, 2 business, 3 rental property (spec 9.7). */
    kind: number
    field_set_id: number
  }
  /** Open offer to transfer a registration to a new owner. A new offer replaces the earlier one. The row is deleted after the offer is accepted or withdrawn. */
  registration_offer: {
    company_id: number
    registration_id: number
    token_hash: Buffer
    to_email: string
    offered_at: Instant
    expires_at: Instant
  }
  /** Registration settings of a company. */
  registration_settings: {
    company_id: number
    /** True if the portal accepts only addresses from the company's gazetteer. */
    known_address_only: boolean
    /** True if households at an address in the gazetteer are registered without a review. */
    household_at_once: boolean
    /** True if an unchanged registration is renewed without a review. This does not apply if the registration has lapsed or an inspection is overdue. */
    renew_at_once: boolean
    /** Number of months between inspections of a rental property. */
    inspection_months: number
    /** True if a business or rental property must be on a parcel of the company. */
    on_parcel: Defaulted<boolean>
  }
  /** Earlier version of a registration, saved before a change, confirmation or transfer. */
  registration_snapshot: {
    company_id: number
    registration_id: number
    no: number
    at: Instant
    /** Event that replaced this version of the registration. */
    before: 'change' | 'confirm' | 'transfer'
    by_name: string
    owner_name: string
    location: string
    field_set_id: number
    version: number
    answers_sealed: string
  }
  /** Settled utility payment or its reversal, to be reported to the billing system. One row per order line and per charge or reversal at the source. */
  remittance: {
    company_id: number
    id: Generated<number>
    account_id: number
    order_id: number
    /** Payment provider, office or lockbox that moved the money. `source_ref` is the id of the charge, refund, return or dispute there. */
    source: string
    source_ref: string
    /** `credit`: settled payment. `reversal`: refund, return or lost dispute. */
    kind: 'credit' | 'reversal'
    amount_cents: number
    at: Instant
    line_no: number
  }
  /** Daily file of payments made through the portal. File numbers have no gaps, so the portal creates a file even for a day without payments. */
  remittance_file: {
    company_id: number
    number: number
    /** Last day that the file covers. The file also includes payments of earlier days that no earlier file contains. */
    day: string
    /** Time zone of the dates in the file. It is stored because a file never changes. */
    time_zone: string
    made_at: Instant
    credits: number
    credit_cents: number
    reversals: number
    reversal_cents: number
    /** Time at which the file was saved to the billing system's folder. Null until then. */
    in_folder_at: Instant | null
    id: Generated<number>
  }
  /** Daily file that contains a remittance. */
  remittance_filed: {
    company_id: number
    remittance_id: number
    number: number
  }
  /** Door code for a reservation. A job requests the code from the code service and later revokes it. */
  rental_access: {
    company_id: number
    id: Generated<number>
    reservation_id: number
    /** Name of the lock at the code service. */
    door: string
    from_at: Instant
    until_at: Instant
    status: 'requested' | 'granted' | 'ending' | 'ended'
    /** Id of the code at the code service. */
    lock_id: Defaulted<string>
    /** Encrypted door code. Null before the code is granted and after the code ends. */
    code_sealed: string | null
    tries: Defaulted<number>
    /** Time of the next attempt to request or revoke the code. */
    try_at: Instant
    last_error: Defaulted<string>
    /** True if the renter was notified of the code. */
    is_notified: Defaulted<boolean>
    created_at: Instant
  }
  /** Answers of a renter to the questions of a resource, with the signed agreement. All dates of a series share one agreement. */
  rental_agreement: {
    company_id: number
    id: Generated<number>
    resource_id: number
    field_set_id: number
    version: number
    answers: Json<ColumnTypes['rental_agreement.answers']>
    answered_at: Instant
    by_name: string
    /** True if staff answered the questions for the renter. */
    by_staff: boolean
  }
  /** Application of a renter in an allocation round. */
  rental_application: {
    company_id: number
    id: Generated<number>
    number: Computed<string>
    round_id: number
    person_id: number
    status: 'submitted' | 'withdrawn' | 'excluded' | 'allocated' | 'not_allocated'
    name: string
    email: Defaulted<string>
    phone: Defaulted<string>
    club: Defaulted<string>
    purpose: Defaulted<string>
    guests: Defaulted<number>
    is_resident: Defaulted<boolean>
    /** Number of the priority group, counted from 1. 0 means no group, which ranks after all groups. */
    group_no: Defaulted<number>
    agreed_at: Instant
    created_at: Instant
    updated_at: Instant
    search_text: Computed<string>
  }
  /** Closure of a resource for a range of days. */
  rental_blackout: {
    company_id: number
    id: Generated<number>
    resource_id: number
    from_on: string
    /** Last closed day. */
    until_on: string
    reason: string
  }
  /** Certificate of insurance for a reservation. Only the latest certificate counts. */
  rental_certificate: {
    company_id: number
    id: Generated<number>
    reservation_id: number
    valid_through: string
    status: 'sent' | 'accepted' | 'replacement_needed' | 'replaced'
    /** Reason that staff requested a replacement. */
    reason: Defaulted<string>
    created_at: Instant
  }
  /** Ranked choice of an application: a space at a recurring time. */
  rental_choice: {
    company_id: number
    application_id: number
    /** Rank of the choice, 1 for the first. */
    rank: number
    resource_id: number
    space_id: number
    /** Recurrence rule (RRULE of RFC 5545). */
    rule: string
    starts_on: string
    from_time: string
    until_time: string
    /** Series of reservations that the choice was allocated. Null if the choice was not allocated. */
    series_id: number | null
  }
  /** Lottery of an allocation round, with all data that is needed to repeat it. */
  rental_lottery: {
    company_id: number
    round_id: number
    /** Seed of the lottery, in hex. The hash of the seed was published earlier, in rental_round.seed_hash. */
    seed: string
    /** Applications and their choices, as the lottery read them. Public, so that anyone can repeat the lottery. */
    inputs: Json<ColumnTypes['rental_lottery.inputs']>
    /** Order in which the applicants took their turns, the allocated choices, and the missed choices with reasons. */
    result: Json<ColumnTypes['rental_lottery.result']>
    run_at: Instant
    run_by: string
  }
  /** Time that a reservation occupies in a space, including setup and cleanup. An exclusion constraint prevents overlaps. */
  rental_occupancy: {
    company_id: number
    reservation_id: number
    space_id: number
    /** Number of the item, if a resource has several identical items. 1 for a space. */
    piece: Defaulted<number>
    /** Start, including setup time. */
    buffer_from: Instant
    /** End, including cleanup time. */
    buffer_until: Instant
  }
  /** Photo of a rental resource. */
  rental_photo: {
    company_id: number
    file_id: string
    resource_id: number
    alt: Defaulted<string>
    position: number
  }
  /** Reservation of a rental resource, or an entry on its waitlist. */
  rental_reservation: {
    company_id: number
    id: Generated<number>
    number: Computed<string>
    resource_id: number
    space_id: number
    title: string
    /** Number of reserved items, for equipment. */
    pieces: Defaulted<number>
    starts_at: Instant
    ends_at: Instant
    status: 'waitlisted' | 'requested' | 'held' | 'confirmed' | 'in_use' | 'completed' | 'no_show' | 'declined' | 'expired' | 'cancelled'
    /** Time at which the hold ends. If the renter has not started to pay by then, the reservation expires. */
    held_until: Instant | null
    person_id: number | null
    name: string
    email: Defaulted<string>
    phone: Defaulted<string>
    purpose: Defaulted<string>
    guests: Defaulted<number>
    is_resident: Defaulted<boolean>
    by_staff: Defaulted<boolean>
    /** Price lines in the order of the receipt: the rental, add-ons, security deposit. */
    items: DefaultedJson<ColumnTypes['rental_reservation.items']>
    /** Price in cents, without the security deposit. */
    price_cents: number
    /** Security deposit in cents. */
    security_deposit_cents: Defaulted<number>
    paid_cents: Defaulted<number>
    /** Refund that the company owes the payer after a cancellation or from the security deposit, in cents. */
    refund_cents: Defaulted<number>
    /** Part of the security deposit that the company withholds after the inspection, in cents. */
    withheld_cents: Defaulted<number>
    withheld_reason: Defaulted<string>
    agreed_text: Defaulted<string>
    agreed_at: Instant | null
    /** Number of changes to the reservation. Calendar programs receive the number as SEQUENCE. */
    changes: Defaulted<number>
    /** Calendar item in scheduled_item. Null if the calendar does not show the reservation. */
    calendar_item_id: number | null
    /** True if the renter was notified of the current status. */
    is_notified: Defaulted<boolean>
    created_at: Instant
    updated_at: Instant
    search_text: Computed<string>
    series_id: number | null
    /** Field set with the questions for the renter. Null if none applied when the reservation was made. */
    field_set_id: number | null
    /** Agreement with the renter's answers and signature. Null until the renter signs. */
    agreement_id: number | null
    /** Hash of the token in the link for a renter without an account. The renter uses the link to answer and sign. */
    sign_token_hash: Buffer | null
    /** Start time on which the cancellation terms are based. Null means starts_at. */
    terms_from: Instant | null
    /** Number in the system that the reservation was imported from. Empty for other reservations. */
    old_number: Defaulted<string>
  }
  /** Resource that people can rent, such as a pavilion, hall, field or equipment. The row has its prices and rules. */
  rental_resource: {
    company_id: number
    id: Generated<number>
    name: string
    kind: 'pavilion' | 'hall' | 'field' | 'equipment'
    status: Defaulted<'draft' | 'open' | 'closed'>
    description: Defaulted<string>
    location: Defaulted<string>
    house_rules: Defaulted<string>
    amenities: Defaulted<string>
    accessibility: Defaulted<string>
    capacity: Defaulted<number>
    /** Number of identical items, for equipment. */
    pieces: Defaulted<number>
    needs_approval: Defaulted<boolean>
    /** Opening hours by season. */
    seasons: Json<ColumnTypes['rental_resource.seasons']>
    closed_on_holidays: Defaulted<boolean>
    /** Interval between possible start times, in minutes. */
    step_minutes: Defaulted<15 | 30 | 60>
    min_minutes: Defaulted<number>
    max_minutes: Defaulted<number>
    /** Minimum number of hours between the reservation and its start. */
    notice_hours: Defaulted<number>
    /** Maximum number of days between the reservation and its start. */
    ahead_days: Defaulted<number>
    /** Setup time before each reservation, in minutes. */
    before_minutes: Defaulted<number>
    /** Cleanup time after each reservation, in minutes. */
    after_minutes: Defaulted<number>
    charged_by: Defaulted<'hour' | 'day'>
    /** Price for residents in cents, per hour or per day (charged_by). */
    resident_cents: Defaulted<number>
    /** Price for nonresidents in cents, per hour or per day (charged_by). */
    other_cents: Defaulted<number>
    /** Security deposit in cents. */
    security_deposit_cents: Defaulted<number>
    addons: DefaultedJson<ColumnTypes['rental_resource.addons']>
    /** Minimum number of days before the start for a full refund. */
    refund_days: Defaulted<number>
    /** Percentage of the price that is refunded if fewer than refund_days days are left before the start. */
    late_percent: Defaulted<number>
    agreement: Defaulted<string>
    gl_account: string
    created_at: Instant
    /** Minimum number of guests for which a certificate of insurance is required. 0: always required. Null: never required. */
    certificate_from: number | null
    /** Name of the lock in the access code service. Empty if the resource has no door code. */
    door: Defaulted<string>
    /** Field set with the questions and agreement for renters. Null if none was ever defined. */
    field_set_id: number | null
    /** True if renters must answer the questions. False while staff pause the questions. */
    has_questions: Defaulted<boolean>
    /** Maximum number of dates that a resident can request together. 0 means that only staff book series. */
    series_dates: Defaulted<number>
    /** True if staff must approve a series that a resident requests, even if single dates need no approval. */
    series_approval: Defaulted<boolean>
  }
  /** Allocation round. Renters apply for the times of a season, and a lottery allocates them. */
  rental_round: {
    company_id: number
    id: Generated<number>
    name: string
    status: Defaulted<'draft' | 'open' | 'closed' | 'lottery_run' | 'confirmed' | 'cancelled'>
    /** Description for applicants. */
    description: Defaulted<string>
    season_from: string
    season_until: string
    opens_at: Instant
    closes_at: Instant
    /** Maximum number of choices in an application. */
    max_choices: number
    /** Maximum number of hours per week that the lottery allocates to one applicant. */
    max_hours: number
    /** Eligible applicants. */
    audience: 'residents' | 'everybody'
    /** Number of days for which allocated reservations are held for payment. */
    pay_days: number
    /** Names of the priority groups of applicants, in order of priority. In each turn of the lottery, the first group chooses first. */
    groups: DefaultedJson<ColumnTypes['rental_round.groups']>
    /** Encrypted seed of the lottery. */
    seed_sealed: string | null
    /** SHA-256 of the 32 bytes of the seed, in hex. Public from the day on which the round opens. */
    seed_hash: Defaulted<string>
    created_at: Instant
  }
  /** Resources offered in an allocation round. */
  rental_round_resource: {
    company_id: number
    round_id: number
    resource_id: number
  }
  /** Recurring reservations that were booked together. */
  rental_series: {
    company_id: number
    id: Generated<number>
    resource_id: number
    /** Recurrence rule (RRULE of RFC 5545). */
    rule: string
    starts_on: string
    created_at: Instant
    person_id: number | null
  }
  /** Settled payment for a reservation, or its reversal. One row per order line and per charge or reversal at the source. */
  rental_settlement: {
    company_id: number
    id: Generated<number>
    reservation_id: number
    order_id: number
    line_no: number
    /** Payment provider, office or lockbox that moved the money. `source_ref` is the id of the charge, refund, return or dispute there. */
    source: string
    source_ref: string
    /** `credit`: settled payment. `reversal`: refund, return or lost dispute. */
    kind: 'credit' | 'reversal'
    amount_cents: number
    at: Instant
  }
  /** Space of a rental resource: the entire resource or a part of it. */
  rental_space: {
    company_id: number
    id: Generated<number>
    resource_id: number
    /** Space that contains this part. Null for the entire resource. */
    parent_id: number | null
    name: Defaulted<string>
    /** Price of this space, as a percentage of the resource's full price. */
    price_percent: Defaulted<number>
  }
  /** Category of service requests, with target days and form fields. */
  request_category: {
    company_id: number
    id: Generated<number>
    name: string
    hint: Defaulted<string>
    sort_no: Defaulted<number>
    is_active: Defaulted<0 | 1>
    department_id: number | null
    /** Target time in working days, according to the company's office days and holidays. */
    target_days: number
    /** Staff member who is notified of overdue requests, in addition to the assignee. */
    escalate_to: number | null
    /** 1 if people without an account can submit requests. */
    for_guests: Defaulted<0 | 1>
    needs_location: Defaulted<0 | 1>
    /** 1 if the public map and list show requests of this category. Applies only if the company has a public map and list. */
    on_map: Defaulted<0 | 1>
    /** Additional form fields. Null if there are none. */
    field_set_id: number | null
    /** Crew that gets the work orders of this category. Null if staff choose one each time. */
    crew_id: number | null
  }
  /** Feedback of a resident on a completed service request. */
  request_feedback: {
    company_id: number
    id: Generated<number>
    request_id: number
    /** Time of the completion that the feedback is about. If the request is reopened and completed again, the resident can give new feedback. */
    completed_at: Instant
    at: Instant
    /** 1 if the resident says that the problem is fixed. */
    is_fixed: 0 | 1
    text: Defaulted<string>
  }
  /** Email address that receives updates on a service request. */
  request_follower: {
    company_id: number
    id: Generated<number>
    request_id: number
    email: string
    person_id: number | null
    since: Instant
    /** Time at which the person confirmed the address with the link in the email. The person gets updates only after that. */
    verified_at: Instant | null
    stopped_at: Instant | null
    /** Merged request from which this follower was copied. If the merge is undone, the follower is removed. */
    came_from: number | null
  }
  /** Last service request number for each company and year. */
  request_number: {
    company_id: number
    year: number
    last_no: number
  }
  /** Service request settings of a company. */
  request_settings: {
    company_id: number
    for_guests: 0 | 1
    has_map: 0 | 1
    /** Days during which a requester can reopen a completed request. */
    reopen_days: number
  }
  /** Counts of closed service requests by category and status, for analytics. The counts are updated when requests close. The function recount_requests rebuilds them. */
  request_sum: {
    company_id: number
    span: 'day' | 'month'
    /** Day of creation. For a monthly count, the first day of the month. */
    since: string
    category_id: number
    /** 2 Completed, 4 Invalid, 5 Cancelled. */
    status: 2 | 4 | 5
    requests: number
    /** Number of requests that were closed after their target time. */
    late: number
  }
  /** local: Phone calls of the sandbox voice provider, deleted after 30 days. */
  sandbox_call: {
    id: Generated<number>
    sid: string
    key: string
    from_number: string
    to_number: string
    /** Spoken text in parts, each with its language. */
    content: Json<ColumnTypes['sandbox_call.content']>
    /** Callback URL for pressed keys. Empty if the call accepts no keys. */
    keys_url: string
    status_url: string
    status: string
    answered_by: Defaulted<string>
    pressed: Defaulted<string>
    /** Text that the recipient heard, one line per part. */
    heard: Defaulted<string>
    seconds: Defaulted<number>
    at: Instant
  }
  /** local: Text messages of the sandbox SMS provider, deleted after 30 days. */
  sandbox_sms: {
    id: Generated<number>
    sid: string
    direction: 'to phone' | 'from phone'
    from_number: string
    to_number: string
    body: string
    status: string
    error_code: Defaulted<string>
    status_url: Defaulted<string>
    at: Instant
    key: string | null
  }
  /** Saved replies that staff reuse. Company 0 is the platform. */
  saved_reply: {
    company_id: number
    id: Generated<number>
    /** Kind of case for which staff can use the reply. */
    subject_kind: string
    title: string
    text: string
    /** Number of sent replies by group, such as the category of a request. The key is empty for cases without groups. */
    uses: DefaultedJson<ColumnTypes['saved_reply.uses']>
  }
  /** Saved views of lists, separate for each person (server/saved-views.ts). Company 0 is the platform. */
  saved_view: {
    company_id: number
    id: Generated<number>
    person_id: number
    list: string
    name: string
    /** Query string of the list. */
    query: string
    created_at: Instant
  }
  /** Calendar item of a company. */
  scheduled_item: {
    company_id: number
    id: Generated<number>
    event_type_id: number
    title: string
    description: Defaulted<string>
    starts_at: Instant
    ends_at: Instant
    status: 'not_started' | 'in_progress' | 'completed' | null
    /** Kind of record that the item belongs to. If staff move the item, the portal also moves that record. */
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
    applied_at: DefaultedInstant
  }
  /** local: Fingerprint of the key that encrypts the secrets in this database. The table has one row. */
  secret_key: {
    id: Defaulted<1>
    /** Fingerprint of the key. The server refuses to start with another key while the database contains texts encrypted with this key. */
    fingerprint: string
    since: Instant
  }
  /** Utility service point: a service address with a history of responsible parties. */
  service_point: {
    company_id: number
    id: Generated<number>
    /** Key of the service address: `a` and the address id in the gazetteer (a12), or `t` and the typed address in lower case. */
    premise_key: string
    /** Service address as text. */
    premise: string
    /** Always 0001-01-01. A foreign key uses this column to ensure that a responsible party covers the first day. */
    since: Defaulted<string>
  }
  /** Start or end of service at a service point, added when a move request is completed. */
  service_point_change: {
    company_id: number
    service_point_id: number
    move_id: number
    /** `in`: service starts on on_day. `out`: service ends on on_day. */
    does: 'in' | 'out'
    on_day: string
  }
  /** Responsible party of a service point for a range of days. Recomputed from all moves and owner agreements. */
  service_point_party: {
    company_id: number
    id: Generated<number>
    service_point_id: number
    /** First day of the responsibility. 0001-01-01 means from the beginning. */
    from_on: string
    /** First day after the responsibility ends. Null if no end is known. */
    until_on: string | null
    party: 'resident' | 'owner' | 'company'
    /** Move that started the responsibility. Null if and only if the company is responsible. */
    move_id: number | null
    name: string
  }
  /** Service request (311), entered in the portal, by staff or through Open311. */
  service_request: {
    company_id: number
    /** Year, followed by the number within the year. For example, 20260000123 is R-2026-000123. */
    id: number
    /** Public id of the request. The reporting device can create the id, so that a repeated submission is stored only once. */
    public_id: Defaulted<string>
    number: Computed<string>
    /** Source of the request. staff: split from another request. */
    came_by: Defaulted<'portal' | 'phone' | 'counter' | 'letter' | 'staff' | 'open311' | 'import'>
    created_at: Instant
    updated_at: Instant
    /** 0 New, 1 In Progress, 2 Completed, 3 Reopen, 4 Invalid, 5 Cancelled. */
    status: Defaulted<ColumnTypes['service_request.status']>
    closed_at: Instant | null
    category_id: number
    title: string
    description: string
    /** Location as text. */
    location: Defaulted<string>
    address_id: number | null
    lat: number | null
    lon: number | null
    /** Location in metres from the company's map origin. */
    at: Point | null
    field_set_id: number | null
    version: number | null
    answers: DefaultedJson<ColumnTypes['service_request.answers']>
    name: string
    email: Defaulted<string>
    phone: Defaulted<string>
    /** Signed-in person who submitted the request. The name, email and phone number are as entered and not verified. */
    person_id: number | null
    due_at: Instant
    /** Time at which the overdue notification was sent. */
    escalated_at: Instant | null
    /** Time until which a completed request can be reopened, based on the settings at completion. */
    reopen_until: Instant | null
    /** Request into which this one was merged, because both report the same problem. The requester follows that request. */
    merged_into: number | null
    is_spam: Defaulted<boolean>
    /** Assigned staff member of the company, who may have left the company since then. */
    assigned_to: number | null
    department_id: number | null
    /** Id of the last message or note on the timeline. A staff reply is sent with the id of the last entry that its author saw. If a newer entry exists, the portal refuses the reply. */
    last_message_id: Defaulted<number>
    last_from: Defaulted<'person' | 'staff'>
    first_reply_at: Instant | null
    search_text: Computed<string>
    /** Request that included this problem before staff split it. */
    split_from: number | null
    /** Number in the system that the request was imported from. Empty for other requests. */
    old_number: Defaulted<string>
    /** Time of the answer for which staff must call the requester. Null if no call is due. */
    call_back_since: Instant | null
  }
  /** Sign-in session of a resident or staff member, or of staff who impersonate. Expired rows are deleted after 90 days. */
  session: {
    company_id: number
    /** Hash of the session token. */
    token_hash: Buffer
    /** Null if platform staff impersonate the company instead of a person. */
    person_id: number | null
    created_at: Instant
    seen_at: Instant
    expires_at: Instant
    ended_at: Instant | null
    /** Company or platform staff member who impersonates someone. Null for an ordinary session. */
    impersonator_id: number | null
    id: Generated<number>
    device: Defaulted<string>
    /** IP address of the latest request. */
    address: Defaulted<string>
    impersonation_id: number | null
  }
  /** Choices of staff in Get Started. The state of each step is computed. */
  setup_choice: {
    company_id: number
    /** Step of a feature, or card for the card itself. */
    step: string
    /** Choice that the step offers, not_for_us, or hidden for the card. */
    choice: string
    at: Instant
    by_name: string
  }
  /** Text messages that residents sent, without their content. Deleted after 90 days. */
  sms_incoming: {
    company_id: number
    provider_id: string
    phone: string
    /** Keyword that the message contains. */
    meaning: 'stop' | 'start' | 'help' | 'other'
    at: Instant
  }
  /** Text message to a resident, queued or sent. Deleted after 180 days. */
  sms_message: {
    company_id: number
    id: Defaulted<number>
    event: string
    kind: 'account' | 'payments' | 'conversations' | 'alerts' | 'emergencies'
    phone: string
    person_id: number
    body: string
    segments: number
    created_at: Instant
    send_after: Instant
    /** `stopped`: the recipient or the company no longer wants the message. `resting`: the phone number is paused. `unclear`: the provider may have received the message. */
    state: Defaulted<'waiting' | 'sent' | 'delivered' | 'unclear' | 'failed' | 'stopped' | 'resting'>
    reason: Defaulted<string>
    attempts: Defaulted<number>
    /** Time of the first request to the provider. If this time is set, the provider may have the message, even if its response was lost. */
    requested_at: Instant | null
    /** Time until which one job has claimed the message for sending. Other jobs skip the message until then. */
    held_until: Instant | null
    provider_id: string | null
    /** Time at which the message reached its final state. */
    finished_at: Instant | null
  }
  /** Phone numbers for text messages, each with the consent text that the person accepted. */
  sms_number: {
    company_id: number
    person_id: number
    phone: string
    agreed_at: Instant
    /** Consent text that the person accepted. */
    agreed_to: string
    confirmed_at: Instant | null
    code_hash: Buffer | null
    code_expires_at: Instant | null
  }
  /** Phone numbers that opted out of text messages of a company. */
  sms_opt_out: {
    company_id: number
    phone: string
    at: Instant
  }
  /** Text message and call settings of a company. */
  sms_settings: {
    company_id: number
    payments: 0 | 1
    conversations: 0 | 1
    /** Start of quiet hours in the company's time zone. */
    quiet_from: string
    quiet_to: string
    /** Name at the start of each text message. If empty, the company's name is used. */
    sms_name: string
    /** Company's own phone number in ten digits. If empty, the portal's number is used. */
    sms_number: string
  }
  /** Single sign-on attempt: the person was redirected to an OpenID Connect provider and has not returned yet. */
  sso_attempt: {
    company_id: number
    state_hash: Buffer
    /** Hash of a secret that is stored only in the browser tab. Only that tab can complete the sign-in. */
    browser_hash: Buffer
    purpose: 'sign_in' | 'test'
    issuer: string
    nonce: string
    /** Encrypted PKCE code verifier. */
    verifier_sealed: string
    started_by: number | null
    created_at: Instant
    expires_at: Instant
    used_at: Instant | null
  }
  /** Single sign-on identity linked to an account. */
  sso_identity: {
    company_id: number
    issuer: string
    subject: string
    person_id: number
    linked_at: Instant
    signed_in_at: Instant
    /** Hash of the code in the notification email. With this code, the account owner can undo the link. */
    undo_hash: Buffer | null
  }
  /** Single sign-on identity that is not linked yet. The person must first enter the password of an existing account. */
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
  /** OpenID Connect provider of a company. */
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
    /** True if a sign-in with this provider replaces two-factor authentication. */
    counts_as_second_factor: Defaulted<boolean>
    is_active: Defaulted<0 | 1>
  }
  /** Roles of a company's staff. */
  staff_role: {
    company_id: number
    id: Generated<number>
    name: string
    /** Rank: staff, manager or administrator (spec 6.1). */
    role_id: number
    /** Mask of each area. */
    privileges: Json<ColumnTypes['staff_role.privileges']>
    /** Preset that the role was made from. */
    preset: string | null
    created_at: DefaultedInstant
  }
  /** Entries of starter packs that a company has. A row stays if staff edit or remove the item. */
  starter_item: {
    company_id: number
    pack: string
    language: 'en' | 'es'
    /** Entry of the pack. */
    key: string
    /** Version of the pack whose entry the item has. */
    version: number
    /** Id of the item in the table of its feature. */
    subject_id: number
    added_at: Instant
    /** Settings and questions that the entry gave the item. Null if its kind of records has no contents, or the entry was added before this column. */
    content: Json<ColumnTypes['starter_item.content']> | null
  }
  /** reference: Allowed transitions between the states of each state machine. */
  status_edge: {
    machine: string
    /** Empty for a new entity. */
    from_state: string
    to_state: string
    event: string
  }
  /** Transitions of all entities with a state machine (server/states.ts). Company 0 is the platform. */
  status_history: {
    company_id: number
    machine: string
    subject_id: number
    /** Number of the transition within the entity, from 1. */
    seq: number
    /** Empty for a new entity. */
    from_state: string
    to_state: string
    event: string
    at: Instant
    actor_kind: 'guest' | 'citizen' | 'municipality' | 'platform' | 'system'
    actor_id: number | null
    actor_name: string
    reason: Defaulted<string>
  }
  /** Saved payment method of a person, with the authorization to charge it. The provider stores the card or bank details. */
  stored_method: {
    company_id: number
    id: Generated<number>
    person_id: number
    /** 1 card, 2 eCheck. */
    method: 1 | 2
    provider: string
    provider_customer: string
    /** Id of the payment method with the provider. */
    provider_method: string
    /** Display text, such as the card brand and last four digits. */
    method_label: string
    bank_name: Defaulted<string>
    expires_on: string | null
    is_default: Defaulted<boolean>
    /** Reason that the payment method is unusable, empty if it is usable. `details`: the account details are wrong. `revoked`: the authorization was revoked. */
    unusable: Defaulted<'' | 'details' | 'revoked'>
    /** Authorization text that the person accepted. */
    mandate_text: string
    mandate_at: Instant
    mandate_address: string
    mandate_device: string
    created_at: Instant
    removed_at: Instant | null
    /** Time of the notification about the card's expiration. */
    expiry_notified_at: Instant | null
  }
  /** Street of a company's gazetteer, imported from GeoJSON. */
  street: {
    company_id: number
    id: Generated<number>
    name: string
    name_key: string
    /** Lines of [longitude, latitude] positions in degrees. */
    lines: DefaultedJson<ColumnTypes['street.lines']>
  }
  /** Support request to the platform about the portal. */
  support_request: {
    company_id: number
    id: Defaulted<number>
    created_at: Instant
    updated_at: Instant
    /** 0 New, 1 In Progress, 2 Completed, 3 Reopen, 4 Invalid. */
    status: Defaulted<ColumnTypes['support_request.status']>
    closed_at: Instant | null
    first_reply_at: Instant | null
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
    /** Signed-in person who submitted the request. The name, email and phone number are as entered and not verified. */
    person_id: number | null
    /** Id in platform_person of the assigned staff member, who may have left the platform since then. */
    assigned_to: number | null
    /** Id of the last message or note on the timeline. A staff reply is sent with the id of the last entry that its author saw. If a newer entry exists, the portal refuses the reply, so that two people do not answer the same message. */
    last_message_id: Defaulted<number>
    last_from: Defaulted<'person' | 'staff'>
    search_text: Computed<string>
    /** Id in platform_department of the assigned department. People in this department can work on the request. */
    department_id: number | null
  }
  /** reference: Time zones that a company can choose. */
  timezone: {
    id: number
    label: string
    zone: string
  }
  /** Uploads in progress, before they become attachments (server/attachments/parts.ts). Company 0 is the platform. */
  upload: {
    company_id: number
    /** Owner of the upload: account kind and person id of the session, or `guest` and the network of the IP address. */
    owner: string
    key: string
    kind: string
    name: string
    bytes: number
    /** Bytes received so far. The next part starts at this offset. */
    received: Defaulted<number>
    expires_at: Instant
  }
  /** Received parts of an upload. */
  upload_part: {
    company_id: number
    owner: string
    key: string
    part_offset: number
    content: Buffer
  }
  /** Utility account, imported from the billing system. */
  utility_account: {
    company_id: number
    id: Generated<number>
    account_number: string
    customer_name: string
    customer_email: Defaulted<string>
    phone_no: Defaulted<string>
    service_address: string
    city: string
    state: string
    zipcode: string
    created_at: DefaultedInstant
    name_key: Computed<string>
    /** Hash of the code printed on the bill. Customers use the code to link the account. */
    link_code_hash: Buffer | null
    paperless_since: Instant | null
    /** Meter reading route. */
    route: Defaulted<string>
    /** Last imported balance, in cents. Null if no balance was imported. The amount due includes it as an adjustment. */
    balance_cents: number | null
    /** Day of the last imported balance. */
    balance_on: string | null
  }
  /** Adjustment of a utility account, imported from the billing system. */
  utility_adjustment: {
    company_id: number
    adjustment_number: string
    account_id: number
    adjusted_on: string
    /** Amount in cents. Negative for a credit to the customer. */
    amount_cents: number
    reason: string
    imported_at: Instant
  }
  /** Utility bill, imported from the billing system. */
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
    /** Amount that the company received outside the portal, in cents. */
    paid_elsewhere_cents: Defaulted<number>
    imported_at: DefaultedInstant
  }
  /** Bills that have a PDF from the billing system. */
  utility_bill_document: {
    company_id: number
    id: Generated<number>
    bill_number: string
    /** File name from the import. */
    name: string
  }
  /** Latest code that staff created for linking a utility account. A new code replaces the previous one. */
  utility_link_code: {
    company_id: number
    account_id: number
    code_hash: Buffer
    made_at: Instant
    /** Name of the staff member when the code was created. */
    made_by: string
    expires_at: Instant
    used_at: Instant | null
  }
  /** Shutoff of a utility account, imported from the billing system. */
  utility_shutoff: {
    company_id: number
    shutoff_number: string
    account_id: number
    scheduled_on: string | null
    off_on: string | null
    /** Day on which service was restored, or a scheduled shutoff was cancelled. */
    restored_on: string | null
    state: Computed<string>
    /** Amount in cents that must be paid to prevent or end the shutoff. Null means the entire past due amount. */
    amount_cents: number | null
    reason: Defaulted<string>
    imported_at: Instant
    /** Last step that customers were notified of, followed by its date, such as `off 2026-06-12`. Prevents duplicate emails. */
    notified_step: Defaulted<string>
  }
  /** Queue of imported bills, meter readings and shutoffs about which customers have not been notified yet. A job sends the notifications and deletes the rows. */
  utility_update: {
    company_id: number
    id: Generated<number>
    account_id: number
    bill_number: string | null
    read_date: string | null
    shutoff_number: string | null
  }
  /** Phone call to a resident with a spoken message, queued or made. Deleted after 180 days. */
  voice_call: {
    company_id: number
    id: Defaulted<number>
    /** Base of the idempotency key, for voice providers that accept idempotency keys. The portal appends the value of tries. */
    key: Defaulted<string>
    event: string
    kind: 'account' | 'alerts' | 'emergencies'
    phone: string
    person_id: number
    /** Spoken text in parts, each with its language. */
    content: Json<ColumnTypes['voice_call.content']>
    created_at: Instant
    call_after: Instant
    /** Time at which the message expires. No call starts after this time. */
    until: Instant | null
    /** `sent`: ringing or answered. `delivered`: heard, or left on an answering machine. `unclear`: the provider may have received the request for the call. `stopped`: no longer wanted. `resting`: the phone number is paused. */
    state: Defaulted<'waiting' | 'sent' | 'delivered' | 'failed' | 'stopped' | 'resting' | 'unclear'>
    reason: Defaulted<string>
    /** Number of times the phone was called. */
    tries: Defaulted<number>
    /** Number of failed requests to the provider since the phone last rang. */
    attempts: Defaulted<number>
    /** Billed minutes of all tries. */
    minutes: Defaulted<number>
    /** Time of the first request to the provider for the current try. */
    requested_at: Instant | null
    /** Time until which one job has claimed the call. Other jobs skip the call until then. */
    held_until: Instant | null
    provider_id: string | null
    /** Provider ids of earlier tries that did not reach the person. */
    earlier_ids: Defaulted<string[]>
    finished_at: Instant | null
  }
  /** Phone numbers for calls, each with the consent text that the person accepted. */
  voice_number: {
    company_id: number
    person_id: number
    phone: string
    agreed_at: Instant
    /** Consent text that the person accepted. */
    agreed_to: string
    confirmed_at: Instant | null
    code_hash: Buffer | null
    code_expires_at: Instant | null
  }
  /** Phone numbers that opted out of calls of a company. */
  voice_opt_out: {
    company_id: number
    phone: string
    at: Instant
  }
  /** Work order for company staff or a crew. */
  work_order: {
    company_id: number
    id: Generated<number>
    public_id: Defaulted<string>
    number: string
    title: string
    description: Defaulted<string>
    kind: 'repair' | 'reading' | 'inspection' | 'maintenance'
    /** 0 Created, 1 In progress, 2 Completed, 3 Reopen, 4 Invalid. */
    status: 0 | 1 | 2 | 3 | 4
    /** 0 High, 1 Standard, 2 Low. */
    severity: 0 | 1 | 2
    /** Kind of the record for which another feature opened the order. That feature is notified of status changes. */
    source_kind: string | null
    source_id: number | null
    asset_kind: string | null
    asset_id: number | null
    /** Name of the asset as text, even if the asset is not in the portal. */
    asset_name: Defaulted<string>
    plan_id: number | null
    /** Day for which a maintenance plan opened the order. A plan opens one order per day. */
    plan_day: string | null
    location: Defaulted<string>
    address_id: number | null
    lat: number | null
    lon: number | null
    /** Location in metres from the company's map origin. */
    at: Point | null
    department_id: number | null
    assigned_to: number | null
    due_on: string | null
    starts_at: Instant | null
    ends_at: Instant | null
    /** Item in scheduled_item. Null until the order is scheduled. */
    item_id: number | null
    minutes: Defaulted<number>
    cost_cents: Defaulted<number>
    created_at: Instant
    completed_at: Instant | null
    is_open: Computed<boolean>
    /** Copy of due_on for sorting. The value is 9999-12-31 if due_on is null. */
    due_or_never: Computed<string>
    search_text: Computed<string>
    crew_id: number | null
    /** Number in the system that the work order was imported from. Empty for other work orders. */
    old_number: Defaulted<string>
    /** Parts to bring, each with text, quantity and unitCents. */
    parts: DefaultedJson<ColumnTypes['work_order.parts']>
  }
  /** Cost line of a work order. */
  work_order_cost: {
    company_id: number
    order_id: number
    no: number
    kind: 'labor' | 'part' | 'other'
    text: string
    /** Minutes of labor, or number of parts. */
    quantity: number
    /** Price in cents of one hour of labor, or of one part. */
    unit_cents: number
    cents: number
    at: Instant
    by_name: string
    /** Time at which staff voided the line. Null if the line is not voided. */
    voided_at: Instant | null
  }
  /** Photos and documents of a work order. */
  work_order_file: {
    company_id: number
    order_id: number
    file_id: string
  }
  /** Last work order number for each company and year. */
  work_order_number: {
    company_id: number
    year: number
    last: number
  }
  /** Further sources of a work order, in addition to the source that it was opened from. */
  work_order_source: {
    company_id: number
    order_id: number
    source_kind: string
    source_id: number
  }
  /** Checklist item of a work order. */
  work_order_task: {
    company_id: number
    order_id: number
    no: number
    text: string
    done_at: Instant | null
    done_by: Defaulted<string>
  }
  /** Template of work orders: task, checklist, duration, parts and crew. */
  work_order_template: {
    company_id: number
    id: Generated<number>
    title: string
    description: Defaulted<string>
    kind: 'repair' | 'reading' | 'inspection' | 'maintenance'
    /** 0 High, 1 Standard, 2 Low. */
    severity: 0 | 1 | 2
    checklist: Defaulted<string[]>
    minutes: number
    /** Parts to bring, each with text, quantity and unitCents. */
    parts: DefaultedJson<ColumnTypes['work_order_template.parts']>
    department_id: number | null
    crew_id: number | null
    is_active: Defaulted<0 | 1>
  }
  /** Maintenance plan that opens work orders on recurring days. */
  work_plan: {
    company_id: number
    id: Generated<number>
    title: string
    description: Defaulted<string>
    kind: 'repair' | 'reading' | 'inspection' | 'maintenance'
    /** 0 High, 1 Standard, 2 Low. */
    severity: 0 | 1 | 2
    department_id: number | null
    assigned_to: number | null
    location: Defaulted<string>
    address_id: number | null
    lat: number | null
    lon: number | null
    /** Location in metres from the company's map origin. */
    at: Point | null
    checklist: Defaulted<string[]>
    /** Recurrence rule (RRULE of RFC 5545). Days are in the company's time zone, and the rule starts on starts_on. */
    rule: string
    starts_on: string
    /** Start time of the work, in the company's time zone. Empty if orders have only a due day. */
    start_time: Defaulted<string>
    minutes: number
    /** Number of days before the plan day on which the portal opens the order. */
    lead_days: number
    is_active: Defaulted<0 | 1>
    /** Next plan day for which the portal opens an order. 9999-12-31 if the plan has ended. */
    next_on: string
    search_text: Computed<string>
    crew_id: number | null
    /** Parts to bring, each with text, quantity and unitCents. */
    parts: DefaultedJson<ColumnTypes['work_plan.parts']>
  }
  /** Named area of a company, such as a ward or flood zone, imported from GeoJSON. */
  zone: {
    company_id: number
    id: Generated<number>
    kind: string
    name: string
    name_key: string
    /** Polygons of the zone. Each polygon is a list of rings of [longitude, latitude] positions in degrees. */
    outline: Json<ColumnTypes['zone.outline']>
  }
  /** Rings of each zone, for searches by location. */
  zone_ring: {
    company_id: number
    zone_id: number
    /** Index of the polygon in zone.outline. */
    part: number
    /** 0 for the outer border of the polygon, 1 and higher for holes. */
    ring: number
    /** Ring in metres from the company's map origin. */
    shape: string
  }
}
