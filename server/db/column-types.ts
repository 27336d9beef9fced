import type { ColumnType } from 'kysely'
import type { FieldConflict, Values } from '../../shared/edits.ts'
import type { Answers } from '../../shared/fields/answer.ts'
import type { Definition } from '../../shared/fields/definition.ts'
import type { ColumnMapping, ColumnsReport, FileMapping } from '../../shared/imports.ts'
import type { PersonSetting } from '../../shared/person-settings.ts'
import type { Position } from '../../shared/places.ts'
import type { Privileges } from '../../shared/privileges.ts'

/**
 * Column types for `schema.ts` that the database catalog can't provide: jsonb contents, and types that differ from the
 * column or its CHECK. `npm run schema` reads everything else from the migrated database.
 */
export interface ColumnTypes {
  'alert.area': AlertArea
  'alert.cap': Record<string, unknown> | null
  'alert_received.message': Record<string, unknown>
  'alert.content': AlertTexts
  'alert_template.content': AlertTemplateContent
  'audit_event.detail': Record<string, unknown>
  'billing_file.columns': ColumnsReport | null
  'billing_file.mapping': (FileMapping & { kind: string; hash: string; sheets?: ColumnsReport['sheets'] }) | null
  'ccs_issuer.jwks': Record<string, unknown>
  /** Totals of a closed period (features/reconciliation/contract.ts). */
  'closed_period.figures': Record<string, unknown>
  'company_config.contacts': Record<'name' | 'title' | 'phone' | 'email', string>[]
  'company_config.tags': string[]
  'company_config_version.after': Record<string, unknown>
  'company_config_version.before': Record<string, unknown>
  'data_import.uses': Record<string, unknown>[]
  'download_token.body': unknown
  'faq.answer': Record<string, unknown>
  'field_conflict.body': Record<string, unknown>
  'field_conflict.edit_conflicts': (FieldConflict & { chosen?: 'own' | 'others' | 'both' })[]
  'field_draft.changes': string[]
  'field_draft.raw': Record<string, unknown>
  'field_set.draft': Definition
  'field_set_version.definition': Definition
  /** Twelve monthly amounts in cents, starting with January. */
  'form_1099k.month_cents': number[]
  'form_pdf.left_out': string[]
  'form_pdf.mapping': { pdf: string; label: string; name: string }[]
  'form_pdf.proof': { of: number; rendered: Record<string, number>; unseen: string[] }
  'form_round.answers': Answers
  'form_submission.answers': Answers
  'form_submission.details': LineDetail[]
  'form_submission.items': LineItem[]
  'form_submission.signer_evidence': { typed?: string; drawn?: [number, number][][]; agreed: boolean; version: number }
  'form_template_content.definition': Definition
  'form_template_content.settings': Record<string, unknown>
  'form_type.limit_fields': string[]
  'general_charge.answers': Record<string, unknown>
  'general_charge.details': LineDetail[]
  'general_charge.items': LineItem[]
  /** Cart items, in the same order as the order lines that they become. */
  'guest_checkout.payables': CartItem[]
  /** Flow of each outlet (features/hydrants/rules.ts). */
  'hydrant_flow_test.outlets': { diameterInches: number; coefficient: number; pitotPsi: number }[]
  'hydrant_settings.fire_emails': string[]
  'import_mapping.mapping': FileMapping
  'import_preset.headers': string[]
  'import_preset.mapping': ColumnMapping
  'import_row.before': Record<string, unknown> | null
  'import_row.row_key': Record<string, unknown>
  'inspection_item.answers': Record<string, unknown>
  'email_outbox.attachments': RenderedAttachment[]
  'pending_notice.data': unknown
  'parcel.outline': Position[][][]
  'parking_settings.delinquency_steps': { day: number; feeCents: number; notifies: boolean }[]
  'passkey.transports': string[]
  'payment_attempt.status': number
  'payment_order.fee_quote': Record<string, unknown>
  'payment_order.location': number
  'drawer.closing_counts': Record<string, number> | null
  'drawer.opening_counts': Record<string, number>
  'drawer.sheet': { payments: unknown[]; laterVoids: unknown[] } | null
  'payment_order_line.details': LineDetail[]
  'payment_order_line.items': LineItem[]
  'person.position': number
  'person_setting.value': PersonSetting
  'person.privileges': Privileges
  /** Last prompt of the call (features/phone-payments/rules.ts). */
  'phone_call.step': unknown
  'platform_audit_event.detail': Record<string, unknown>
  'platform_download_token.body': unknown
  'platform_email.attachments': RenderedAttachment[]
  'platform_passkey.transports': string[]
  'platform_person.privileges': Privileges
  'staff_role.privileges': Privileges
  'rental_agreement.answers': Record<string, unknown>
  /** Input and result of a lottery (features/rental-seasons/rules.ts). */
  'rental_lottery.inputs': Record<string, unknown>
  'rental_lottery.result': Record<string, unknown>
  'rental_reservation.items': LineItem[]
  'rental_resource.addons': { name: string; cents: number }[]
  /** Seasons with their opening hours (features/rentals/rules.ts). */
  'rental_resource.seasons': RentalSeason[]
  'rental_round.groups': string[]
  /** Times of calls to which the provider did not respond, newest first. */
  'provider_call.silent': string[]
  'provider_event.body': Record<string, unknown>
  'found_service_request.answers': Record<string, unknown>
  /** Services of another Open311 portal (features/open311). */
  'open311_portal.services': { code: string; name: string; metadata: boolean }[]
  'office_days.holidays': { on: string; name: string }[]
  'office_days.work_days': number[]
  'service_request.answers': Record<string, unknown>
  'saved_reply.uses': Record<string, number>
  'service_request.status': 0 | 1 | 2 | 3 | 4 | 5
  'sandbox_call.content': SpokenText[]
  'starter_item.content': { settings: Values; questions: Definition | null } | null
  'street.lines': Position[][]
  'support_request.status': 0 | 1 | 2 | 3 | 4
  'utility_bill.lines': BillLine[]
  'voice_call.content': SpokenText[]
  'zone.outline': Position[][][]
  'work_order.parts': PlannedPart[]
  'work_order_template.parts': PlannedPart[]
  'work_plan.parts': PlannedPart[]
}

/**
 * Column types as the connection pools return them. A bigint is a number (safe integer), a date is YYYY-MM-DD, and a
 * timestamptz is a Date.
 */
export type Instant = ColumnType<Date, Date | string, Date | string>
export type DefaultedInstant = ColumnType<Date, Date | string | undefined, Date | string>
/** Column with a default value. */
export type Defaulted<T> = ColumnType<T, T | undefined, T>
/** Column that the database computes. */
export type Computed<T> = ColumnType<T, never, never>
/** jsonb column. The code writes JSON text and reads a parsed value. */
export type Json<T> = ColumnType<T, string, string>
export type DefaultedJson<T> = ColumnType<T, string | undefined, string>
/**
 * Point with coordinates in meters. Locations are measured from the origin of the company's map
 * (`server/places/plane.ts`).
 */
export interface Point {
  x: number
  y: number
}

/**
 * Recipients of an alert: everyone, or the people in an area or group (features/alerts). Positions are in degrees, and
 * rings do not repeat the first corner at the end.
 */
export type AlertArea =
  | { kind: 'everyone' }
  | { kind: 'zones'; zoneIds: number[] }
  | { kind: 'drawn'; polygons: Position[][][] }
  | { kind: 'routes'; routes: string[] }
  | { kind: 'form'; formTypeId: number }

/** Text of an alert in one language. */
export interface AlertText {
  headline: string
  description: string
  instruction: string
}
/** Texts of an alert by language. English is required. */
export type AlertTexts = { en: AlertText; es?: AlertText }

/** Content of an alert template: codes of the levels, and texts (features/alerts/contract-staff.ts). */
export type AlertTemplateContent = Record<'event' | 'category' | 'severity' | 'urgency' | 'certainty', string> &
  Required<AlertTexts>

/** Part of a spoken phone message, in one language. */
export interface SpokenText {
  language: 'en' | 'es'
  text: string
}

/** Item to pay: the kind that a feature registered, and its id in that feature. */
export interface PayableRef {
  kind: string
  id: number
}

/** Item in a cart. Its number is unique in the cart and never reused. */
export interface CartItem extends PayableRef {
  no: number
  /** Amount due in cents when the payer added the item. Older carts lack this amount. */
  cents?: number
}

/** Detail on a receipt line. `factLabels` maps the detail's name to a label. */
export interface LineDetail {
  name: string
  value: string
}

/**
 * Opening season of a resource. `from` and `until` are days of the year (MM-DD). `days` are weekdays, and weekday 1 is
 * Monday. `opens` and `closes` are the opening hours.
 */
export interface RentalSeason {
  from: string
  until: string
  days: number[]
  opens: string
  closes: string
  /** Percentage of the normal price. For example, 125 means 25 percent more. */
  percent: number
}

/** Labeled part of an amount, with a note. */
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

/** Attachment that the portal renders when it sends the email. */
interface RenderedAttachment {
  filename: string
  contentType: string
  renderedBy: string
  of: number
}

/** Part to bring for a work order (features/work-orders/contract.ts). */
interface PlannedPart {
  text: string
  quantity: number
  unitCents: number
}
