import { implement } from '../../../server/call.ts'
import { settlePlace } from '../../../server/places/at-point.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { PlaceValue } from '../../../shared/places.ts'
import { findWorkAssets } from '../contract.ts'

/** A kind of things that work is done on: of a feature above this one, which nothing here knows. */
export interface WorkOrderAsset {
  /** As `asset_kind` of the order. */
  kind: string
  /** What is meant by what somebody types, the likeliest first, under names that mean one thing each. */
  search(tx: Tx, company: CompanyId, words: string, most: number): Promise<{ name: string; place: string }[]>
  /** The one of exactly this name, whatever its capitals. */
  named(tx: Tx, company: CompanyId, name: string): Promise<{ id: number; name: string; place: PlaceValue } | null>
  /** Where staff find it. */
  path(id: number): string
}

const assets = new Map<string, WorkOrderAsset>()

/** Declares, once, a kind of things that work is done on. */
export function defineWorkOrderAsset(asset: WorkOrderAsset): WorkOrderAsset {
  assets.set(asset.kind, asset)
  return asset
}

/** Null where nobody declares this kind: its name on the order is all that is known. */
export const pathOfAsset = ({ asset_kind, asset_id }: { asset_kind: string | null; asset_id: number | null }) =>
  asset_kind === null || asset_id === null ? null : (assets.get(asset_kind)?.path(asset_id) ?? null)

const MAX_MATCHES = 10

export const findAssetsCall = implement(findWorkAssets, (call) =>
  call.reading(async (tx) => {
    const found = []
    for (const asset of assets.values())
      found.push(...(await asset.search(tx, call.company.id, call.body.search, MAX_MATCHES - found.length)))
    return { found }
  }),
)

/**
 * What the words in the field for an asset mean: a thing of ours with that name, or what they say. An order without a place
 * is where its asset is.
 */
export async function settleAsset(tx: Tx, company: CompanyId, { assetName, place }: AssetInput) {
  for (const asset of assetName === '' ? [] : assets.values()) {
    const found = await asset.named(tx, company, assetName)
    if (found)
      return {
        asset: { kind: asset.kind, id: found.id, name: found.name },
        place: await settlePlace(tx, company, isNowhere(place) ? found.place : place),
      }
  }
  return { asset: null, place: await settlePlace(tx, company, place) }
}

interface AssetInput {
  assetName: string
  place: PlaceValue
}

const isNowhere = ({ text, lat }: PlaceValue): boolean => text === '' && lat === null
