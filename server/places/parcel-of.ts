import type { CompanyId, Tx } from '../tenancy.ts'

/** What the town's list of parcels says of one. */
export interface ParcelSummary {
  number: string
  owner: string
  landUse: string
}

/** What follows an address where it names a part of the building: '12 Linden Avenue, Unit 2'. */
const UNIT = /(?:,| #| (?:apt|unit|suite|lot)\b).*$/i

/** The parcel whose address this is, or of whose building it is a unit; null where the town's list has none. */
export async function parcelOf(tx: Tx, company: CompanyId, address: string): Promise<ParcelSummary | null> {
  const whole = address.trim()
  if (whole === '') return null
  const row = await tx
    .selectFrom('parcel')
    .select(['parcel_number as number', 'owner_name as owner', 'land_use as landUse'])
    .where('company_id', '=', company)
    .where('address', 'in', [whole, whole.replace(UNIT, '')])
    .orderBy((of) => of.fn('length', ['address']), 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}
