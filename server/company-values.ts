import type { PackPlaceholder, PackValues } from './pack-texts.ts'
import type { CompanyId, Tx } from './tenancy.ts'
import { clockText } from '../shared/dates.ts'
import { formatPhone } from '../shared/phone.ts'

/** Names of the placeholders on the screen. */
export const placeholderLabels: Readonly<Record<PackPlaceholder, string>> = {
  municipality: 'Name',
  phone: 'Phone number',
  hours: 'Office hours',
  office: 'Office address',
  website: 'Website',
}

/** Loads the values of the placeholders from the settings. */
export async function readValues(tx: Tx, company: CompanyId): Promise<PackValues> {
  const row = await tx.selectFrom('company').selectAll().where('id', '=', company).executeTakeFirstOrThrow()
  const { office_hours_open: opens, office_hours_closed: closes } = row
  const hasHours = opens !== '' && closes !== ''
  const street = [row.address1, row.address2].filter(Boolean).join(', ')
  const shared = {
    municipality: row.name,
    phone: row.phone_no === '' ? '' : formatPhone(row.phone_no),
    office: street === '' ? '' : `${street}, ${row.city}, ${row.state} ${row.zipcode}`.trim(),
    website: row.website_url,
  }
  return {
    en: { ...shared, hours: hasHours ? `${clockText(opens)} – ${clockText(closes)}` : '' },
    es: { ...shared, hours: hasHours ? `${spanishTime(opens)} – ${spanishTime(closes)}` : '' },
  }
}

const spanishTime = (time: string) => clockText(time).replace('AM', 'a. m.').replace('PM', 'p. m.')
