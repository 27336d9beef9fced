import type { Clock } from '../provider-kit/clock.ts'
import type { Client } from '../provider-kit/database.ts'
import type { EntryRow } from './entries.ts'
import type { Item } from './items.ts'
import { correctionOf } from './nacha/change-codes.ts'
import type { Seal } from './seal.ts'

/**
 * Applies a bank's correction to a saved account, so that its next entry uses the corrected data. The rules allow six
 * banking days for a correction. Entries in files already sent stay unchanged. Returns true if a correction was
 * applied.
 */
export async function correct(
  client: Client,
  { clock, seal }: { clock: Clock; seal: Seal },
  file: string,
  entry: EntryRow,
  { code, data }: Item,
): Promise<boolean> {
  const correction = correctionOf(code, data)
  const applied = correction !== null && Object.keys(correction).length > 0
  if (applied) {
    const { routing, account, accountType, name } = correction
    await client.query(
      `UPDATE detail SET routing = coalesce($2, routing), number_sealed = coalesce($3, number_sealed), last4 = coalesce($4, last4),
         account_type = coalesce($5, account_type), holder = coalesce($6, holder) WHERE id = $1`,
      [
        ...[entry.detail, routing ?? null, account ? seal.close(account) : null, account?.slice(-4) ?? null],
        ...[accountType ?? null, name ?? null],
      ],
    )
  }
  await client.query(
    'INSERT INTO correction (received_file, entry, code, data_sealed, applied, created_at) VALUES ($1, $2, $3, $4, $5, $6)',
    [file, entry.id, code, seal.close(data), applied, clock.now()],
  )
  return applied
}
