import type { CompanyId, Tx } from '../tenancy.ts'

/** Parcel data from the company's imported parcel list. */
export interface ParcelSummary {
  number: string
  owner: string
  landUse: string
}

/** Unit at the end of an address: '12 Linden Avenue, Unit 2'. */
const UNIT = /(?:,| #| (?:apt|unit|suite|lot)\b).*$/i

/**
 * Finds the parcel of an address. For a unit, finds the parcel of its building. Null if the company has no such parcel.
 */
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
