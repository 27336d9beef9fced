import { sql } from 'kysely'
import type { AppContext } from '../../../../server/app-context.ts'
import type { Tx } from '../../../../server/tenancy.ts'
import { type Movement, type Provider, type ProviderEvent, ProviderRefused } from './provider.ts'
import { allProviders } from './providers.ts'

const PAGE = 100

/**
 * Reads the provider's movement list from the last position. Movements that are not in the ledger go into the event
 * inbox. One transaction saves a page and its position, so a crash skips nothing. Returns the number of movements added
 * to the inbox.
 */
export async function readMovements(context: AppContext, hasTime: () => boolean): Promise<number> {
  let missing = 0
  for (const provider of allProviders(context.config))
    missing += await readOf(context, provider, hasTime).catch((error: unknown) => {
      // An error of one provider does not stop the reading of the others.
      context.log.warn({ err: error, provider: provider.name }, 'a provider’s account is read again later')
      return 0
    })
  return missing
}

async function readOf(context: AppContext, provider: Provider, hasTime: () => boolean): Promise<number> {
  let missing = 0
  let more = true
  while (more && hasTime()) {
    const position = await context.outside((tx) => lockPosition(tx, provider.name))
    const page = await provider.listMovements(position, PAGE).catch((error: unknown) => {
      // The provider no longer knows the position, for example after a change of gateway or a restored backup. Reading
      // restarts at the first movement and skips movements that the ledger already has.
      if (position !== null && error instanceof ProviderRefused) return provider.listMovements(null, PAGE)
      throw error
    })
    const last = page.movements.at(-1)
    if (!last) break
    missing += await context.acrossCompanies(async (tx) => {
      // Stops if another process has already read this page and moved the position.
      if ((await lockPosition(tx, provider.name)) !== position) return 0
      const storedCount = await keepMissing(context, tx, provider.name, page.movements)
      await tx
        .insertInto('provider_position')
        .values({ provider: provider.name, movement_id: last.id, read_at: context.clock.now() })
        .onConflict((c) => c.column('provider').doUpdateSet({ movement_id: last.id, read_at: context.clock.now() }))
        .execute()
      return storedCount
    })
    more = page.more
  }
  return missing
}

async function lockPosition(tx: Tx, provider: string): Promise<string | null> {
  const row = await tx
    .selectFrom('provider_position')
    .select('movement_id')
    .where('provider', '=', provider)
    .forUpdate()
    .executeTakeFirst()
  return row?.movement_id ?? null
}

/** Adds movements without a ledger transfer to the event inbox. The query uses the transfer source index. */
async function keepMissing(
  context: AppContext,
  tx: Tx,
  provider: string,
  movements: readonly Movement[],
): Promise<number> {
  const listed = movements.map(({ id, movementType, account, intentId, object, objectId, companyId }) => {
    const event: ProviderEvent = {
      provider,
      id: `movement:${id}`,
      type: movementType,
      account,
      intentId,
      object,
      objectId,
    }
    return { company: companyId, ref: objectId, movementType, event }
  })
  const now = context.clock.now()
  const { numAffectedRows } = await sql`
    INSERT INTO provider_event (provider, event_id, received_at, body, next_try_at)
    SELECT ${provider}, m.event->>'id', ${now}, m.event, ${now}
    FROM jsonb_to_recordset(${JSON.stringify(listed)}::jsonb) AS m(company int, ref text, "movementType" text, event jsonb)
    WHERE NOT EXISTS (SELECT FROM ledger_transfer t WHERE t.company_id = m.company AND t.source = ${provider}
      AND t.source_ref = m.ref AND starts_with(t.kind, m."movementType" || '.'))
    ON CONFLICT DO NOTHING`.execute(tx)
  return Number(numAffectedRows ?? 0)
}
