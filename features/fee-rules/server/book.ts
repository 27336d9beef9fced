import { implement } from '../../../server/call.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { dateIn } from '../../../shared/dates.ts'
import { translated } from '../../../shared/messages.ts'
import type { NetworkRule } from '../../payments/rules-fees.ts'
import { allPayables, settingsOf } from '../../payments/api.ts'
import { feeBook } from '../contract.ts'

/** Lists the card network rules of all dates, which are reference data. */
export async function networkRules(tx: Tx): Promise<NetworkRule[]> {
  const rows = await tx.selectFrom('network_fee_rule').selectAll().orderBy('id').execute()
  return rows.map(({ valid_from: validFrom, valid_to: validTo, message: text, ...rule }) => ({
    ...rule,
    validFrom,
    validTo,
    text,
  }))
}

/**
 * Lists the item types that a fee rule can cover, with labels. A type with fee groups is also listed once for each
 * group.
 */
export const feeKinds = (): { kind: string; label: string }[] =>
  allPayables()
    .flatMap(({ kind, label, feeGroups = {} }) => [
      { kind, label: translated(label) },
      ...Object.entries(feeGroups).map(([group, name]) => ({
        kind: `${kind}/${group}`,
        label: `${translated(label)}: ${translated(name)}`,
      })),
    ])
    .toSorted((one, other) => (one.label < other.label ? -1 : 1))

export const feeBookCall = implement(feeBook, (call) =>
  call.reading(async (tx) => ({
    today: dateIn(call.company.timeZone, call.context.clock.now()),
    rules: (await settingsOf(tx, call.company.id)).fees.toSorted((a, b) => (a.validFrom < b.validFrom ? -1 : 1)),
    networks: await networkRules(tx),
    kinds: feeKinds(),
  })),
)
