import { storeSettings } from '../../../server/db/rows.ts'
import { defineUnique } from '../../../server/db/unique.ts'
import { rejected } from '../../../server/errors.ts'
import { readSmsSettings } from '../../../server/sms/settings.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { nationalDigits } from '../../../shared/phone.ts'
import { say } from '../../../shared/messages.ts'
import { moduleUrls } from '../../../shared/modules.ts'
import { storeServices, readServices } from '../../alerts/api.ts'
import { takenNames, safeHtml } from '../../companies/api.ts'
import { TIMEZONE_UNKNOWN } from '../../companies/rules.ts'
import { recountDays } from '../../../server/span-sums.ts'
import type { ConfigOf, Section, CompanyConfig } from '../rules.ts'
import { checkLogo } from './logo-file.ts'

/** Functions that read and save one section, in the platform's transaction: `read` and `write`. */
type Store<S extends Section> = {
  read(tx: Tx, company: CompanyId): Promise<ConfigOf<S>>
  /**
   * Saves the section.
   * @throws 422 for values that only the database can refuse
   */
  write(tx: Tx, company: CompanyId, value: ConfigOf<S>): Promise<void>
}

/** Converts form values to their stored form, so that they can be compared with stored values. */
export function toStored<S extends Section>(section: S, value: ConfigOf<S>): ConfigOf<S> {
  const storedValue: Record<string, unknown> = { ...value }
  if (section === 'details') storedValue['phone_no'] = nationalDigits(String(storedValue['phone_no']))
  if (section === 'payments')
    storedValue['pay_by_phone_number'] = nationalDigits(String(storedValue['pay_by_phone_number']))
  if (section === 'texts') storedValue['sms_number'] = nationalDigits(String(storedValue['sms_number']))
  if (section === 'message') storedValue['site_wide_message'] = safeHtml(String(storedValue['site_wide_message']))
  return storedValue as ConfigOf<S>
}

const ofCompany = (tx: Tx, company: CompanyId) => tx.selectFrom('company').where('id', '=', company)
const setCompany = (tx: Tx, company: CompanyId) => tx.updateTable('company').where('id', '=', company)

const details: Store<'details'> = {
  read: async (tx, company) => {
    const row = await ofCompany(tx, company)
      .select(['name', 'subdomain', 'license_no', 'address1', 'address2', 'city', 'state', 'zipcode', 'phone_no'])
      .select(['website_url', 'timezone_id', 'is_online', 'offline_msg', 'use_dbilling', 'is_managed_services'])
      .select(['online_reserved', 'has_chk_agnst_prcl', 'is_demo', 'fiscal_month'])
      .executeTakeFirstOrThrow()
    return { ...row, tags: (await rest(tx, company)).tags }
  },
  write: async (tx, company, { tags, ...row }) => {
    const taken = await takenNames(tx, row.name, row.subdomain, company)
    const errors = {
      ...(taken.companyName && { name: taken.companyName }),
      ...(taken.subdomain && { subdomain: taken.subdomain }),
    }
    const [first] = Object.values(errors)
    if (first) throw rejected(first, errors)
    const zone = await tx.selectFrom('timezone').select('id').where('id', '=', row.timezone_id).executeTakeFirst()
    if (!zone) throw rejected(TIMEZONE_UNKNOWN, { timezone_id: TIMEZONE_UNKNOWN })
    const before = await ofCompany(tx, company).select('timezone_id').executeTakeFirstOrThrow()
    await setCompany(tx, company).set(row).execute()
    // Recalculates the daily sums, because a new time zone moves the boundaries of the days.
    if (row.timezone_id !== before.timezone_id) await recountDays(tx, company)
    await setRest(tx, company, { tags: JSON.stringify(tags) })
  },
}

const hours: Store<'hours'> = {
  read: (tx, company) =>
    ofCompany(tx, company).select(['office_hours_open', 'office_hours_closed']).executeTakeFirstOrThrow(),
  write: async (tx, company, value) => void (await setCompany(tx, company).set(value).execute()),
}

const moduleStore: Store<'modules'> = {
  read: async (tx, company) => {
    const { modules_off: off, modules_locked: locked } = await ofCompany(tx, company)
      .select(['modules_off', 'modules_locked'])
      .executeTakeFirstOrThrow()
    const active = Object.fromEntries(moduleUrls.map((url) => [url, off.includes(url) ? 0 : 1]))
    return { ...active, locked: moduleUrls.filter((url) => locked.includes(url)) } as ConfigOf<'modules'>
  },
  write: async (tx, company, { locked, ...active }) =>
    void (await setCompany(tx, company)
      .set({ modules_off: moduleUrls.filter((url) => active[url] === 0), modules_locked: locked })
      .execute()),
}

const tiles: Store<'tiles'> = {
  read: async (tx, company) => {
    const rows = await tx
      .selectFrom('company_service')
      .selectAll()
      .where('company_id', '=', company)
      .orderBy('position')
      .orderBy('id')
      .execute()
    return {
      tiles: rows.map((row) => ({
        ...{ name: row.name, desc: row.description, active: row.is_active, route: row.url },
        // A tile without an icon shows the gear icon (spec 2.8).
        ...{ image: row.icon ?? 'cog', button_text: row.button_text },
      })),
    }
  },
  // The configuration contains no tile ids. If a stored tile has the same route, the saved tile keeps that tile's id
  // (spec 9.4).
  write: async (tx, company, value) => {
    const before = await tx
      .deleteFrom('company_service')
      .where('company_id', '=', company)
      .returning(['id', 'url'])
      .execute()
    const free = new Map(before.map(({ id, url }) => [url, id]))
    let next = Math.max(99, ...before.map(({ id }) => id))
    const rows = value.tiles.map((tile, at) => {
      const id = free.get(tile.route) ?? (next += 1)
      free.delete(tile.route)
      return {
        ...{ company_id: company, id, name: tile.name, description: tile.desc, icon: tile.image, url: tile.route },
        ...{ is_active: tile.active, position: at + 1, button_text: tile.button_text },
      }
    })
    if (rows.length > 0) await tx.insertInto('company_service').values(rows).execute()
  },
}

const theme: Store<'theme'> = {
  read: async (tx, company) => {
    const row = await ofCompany(tx, company)
      .select(['theme_background', 'theme_text', 'file_path'])
      .executeTakeFirstOrThrow()
    return { background_color: row.theme_background, text_color: row.theme_text, logo: row.file_path }
  },
  write: async (tx, company, { background_color, text_color, logo }) => {
    await checkLogo(tx, company, logo)
    await setCompany(tx, company)
      .set({ theme_background: background_color, theme_text: text_color, file_path: logo })
      .execute()
  },
}

const message: Store<'message'> = {
  read: (tx, company) => ofCompany(tx, company).select(['tagline', 'site_wide_message']).executeTakeFirstOrThrow(),
  write: async (tx, company, value) => void (await setCompany(tx, company).set(value).execute()),
}

defineUnique({
  index: 'company_pay_by_phone_once',
  field: 'pay_by_phone_number',
  message: 'Another municipality already uses this pay-by-phone number. Enter another number.',
})

const payments: Store<'payments'> = {
  read: async (tx, company) => {
    const row = await settings(tx, company).selectAll().executeTakeFirstOrThrow()
    const { is_pay_in_full, autopay_enabled, has_pay_by_phone } = row
    const { ivr_user_pin_enabled, has_card_reader, has_tele_check } = row
    const { pay_by_phone_number } = await ofCompany(tx, company).select('pay_by_phone_number').executeTakeFirstOrThrow()
    const { only_usd_currency, receive_payment_emails, guest_proof, refund_limit_cents: refund_limit } = row
    const { autopay_notice_days, autopay_mandate } = row
    return {
      ...{ min_payment: row.min_payment_cents, max_payment: row.max_payment_cents, is_pay_in_full, autopay_enabled },
      ...{ has_pay_by_phone, pay_by_phone_number, ivr_user_pin_enabled, has_card_reader, has_tele_check },
      ...{ only_usd_currency, receive_payment_emails, guest_proof, refund_limit },
      ...{ autopay_notice_days, autopay_mandate },
    }
  },
  write: async (tx, company, value) => {
    const { min_payment, max_payment, refund_limit, pay_by_phone_number, ...same } = value
    await setCompany(tx, company).set({ pay_by_phone_number }).execute()
    await tx
      .updateTable('payment_settings')
      .set({
        ...same,
        refund_limit_cents: refund_limit,
        ...{ min_payment_cents: min_payment, max_payment_cents: max_payment },
      })
      .where('company_id', '=', company)
      .execute()
  },
}

const processors: Store<'processors'> = {
  read: (tx, company) =>
    settings(tx, company).select(['processor_id', 'primary_contact', 'secondary_contact']).executeTakeFirstOrThrow(),
  write: async (tx, company, value) => {
    await refuseUnknown(tx, company, value)
    await tx.updateTable('payment_settings').set(value).where('company_id', '=', company).execute()
  },
}

/** Checks that the processor is listed and that the contacts work for this company. */
async function refuseUnknown(tx: Tx, company: CompanyId, value: ConfigOf<'processors'>): Promise<void> {
  const { processor_id, primary_contact, secondary_contact } = value
  const existing = await tx.selectFrom('processor').select('id').where('id', '=', processor_id).executeTakeFirst()
  const errors: Record<string, string> = existing ? {} : { processor_id: say`Choose a processor from the list.` }
  for (const [field, id] of Object.entries({ primary_contact, secondary_contact })) {
    if (id === null) continue
    const person = await tx
      .selectFrom('person')
      .select('id')
      .where('company_id', '=', company)
      .where('id', '=', id)
      .where('role_id', '>=', 3)
      .where('is_active', '=', 1)
      .executeTakeFirst()
    if (!person) errors[field] = say`Choose a staff member of this municipality.`
  }
  const [first] = Object.values(errors)
  if (first) throw rejected(first, errors)
}

const alerts: Store<'alerts'> = { read: readServices, write: storeServices }

const texts: Store<'texts'> = {
  read: async (tx, company) => {
    const { payments: texts_payments, conversations: texts_conversations, ...rest } = await readSmsSettings(tx, company)
    return { texts_payments, texts_conversations, ...rest }
  },
  write: async (tx, company, { texts_payments, texts_conversations, ...rest }) => {
    const row = { payments: texts_payments, conversations: texts_conversations, ...rest }
    await storeSettings(tx, 'sms_settings', company, row)
  },
}

const announcements: Store<'announcements'> = {
  read: async (tx, company) => ({
    announcements: await tx
      .selectFrom('company_announcement')
      .select(['location', 'message', 'until'])
      .where('company_id', '=', company)
      .orderBy('id')
      .execute(),
  }),
  write: async (tx, company, value) => {
    await tx.deleteFrom('company_announcement').where('company_id', '=', company).execute()
    const rows = value.announcements.map((row) => ({ ...row, company_id: company }))
    if (rows.length > 0) await tx.insertInto('company_announcement').values(rows).execute()
  },
}

const contacts: Store<'contacts'> = {
  read: async (tx, company) => ({ contacts: (await rest(tx, company)).contacts }),
  write: (tx, company, value) => setRest(tx, company, { contacts: JSON.stringify(value.contacts) }),
}

const sharing: Store<'sharing'> = {
  read: (tx, company) => ofCompany(tx, company).select('shares_records').executeTakeFirstOrThrow(),
  write: async (tx, company, value) => void (await setCompany(tx, company).set(value).execute()),
}

const settings = (tx: Tx, company: CompanyId) =>
  tx.selectFrom('payment_settings').where('payment_settings.company_id', '=', company)

/** Loads the settings that have no separate table. A company that never changed them has no row. */
async function rest(tx: Tx, company: CompanyId) {
  const row = await tx
    .selectFrom('company_config')
    .select(['tags', 'contacts'])
    .where('company_id', '=', company)
    .executeTakeFirst()
  return row ?? { tags: [], contacts: [] }
}

async function setRest(tx: Tx, company: CompanyId, part: Partial<Record<'tags' | 'contacts', string>>): Promise<void> {
  await storeSettings(tx, 'company_config', company, part)
}

export const stored: { [S in Section]: Store<S> } = {
  ...{ details, hours, modules: moduleStore, tiles, theme, message },
  ...{ payments, processors, alerts, texts, announcements, contacts },
  sharing,
}

/** Loads the current complete configuration. */
export async function readCompanyConfig(tx: Tx, company: CompanyId): Promise<CompanyConfig> {
  const config: Record<string, unknown> = {}
  // Reads one section after another, because all reads share the transaction's connection.
  for (const [section, { read }] of Object.entries(stored)) config[section] = await read(tx, company)
  return config as CompanyConfig
}
