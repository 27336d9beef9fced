import { implement } from '../../../server/call.ts'
import { resolveLocation } from '../../../server/places/at-point.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { LocationValue } from '../../../shared/places.ts'
import { findWorkAssets } from '../contract.ts'

/** Kind of asset, declared by a feature that depends on work orders. */
export interface WorkOrderAsset {
  /** Value of `asset_kind` in the order. */
  kind: string
  /** Finds assets that match the typed text, best match first. Each returned name is unique. */
  search(tx: Tx, company: CompanyId, text: string, max: number): Promise<{ name: string; location: string }[]>
  /** Finds the asset with exactly this name, ignoring case. Null if none exists. */
  named(tx: Tx, company: CompanyId, name: string): Promise<{ id: number; name: string; location: LocationValue } | null>
  /** Returns the path of the asset's staff screen. */
  path(id: number): string
}

const assets = new Map<string, WorkOrderAsset>()

/** Registers a kind of asset. Call it once per kind. */
export function defineWorkOrderAsset(asset: WorkOrderAsset): WorkOrderAsset {
  assets.set(asset.kind, asset)
  return asset
}

/** Returns the path of an order's asset. Null if the order has no known asset, or if no feature registered its kind. */
export const pathOfAsset = ({ asset_kind, asset_id }: { asset_kind: string | null; asset_id: number | null }) =>
  asset_kind === null || asset_id === null ? null : (assets.get(asset_kind)?.path(asset_id) ?? null)

const MAX_MATCHES = 10

export const findAssetsCall = implement(findWorkAssets, (call) =>
  call.reading(async (tx) => {
    const matches = []
    for (const asset of assets.values())
      matches.push(...(await asset.search(tx, call.company.id, call.body.search, MAX_MATCHES - matches.length)))
    return { matches }
  }),
)

/**
 * Finds the asset that the typed name refers to. If no asset has this name, the order stores only the typed text. If
 * the order has no location, it gets the asset's location.
 */
export async function resolveAsset(tx: Tx, company: CompanyId, { assetName, location }: AssetInput) {
  for (const asset of assetName === '' ? [] : assets.values()) {
    const match = await asset.named(tx, company, assetName)
    if (match)
      return {
        asset: { kind: asset.kind, id: match.id, name: match.name },
        location: await resolveLocation(tx, company, isNowhere(location) ? match.location : location),
      }
  }
  return { asset: null, location: await resolveLocation(tx, company, location) }
}

interface AssetInput {
  assetName: string
  location: LocationValue
}

const isNowhere = ({ text, lat }: LocationValue): boolean => text === '' && lat === null
