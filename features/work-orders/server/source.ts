import type { AppContext } from '../../../server/app-context.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { OrderStatus } from '../states.ts'

/** Transition of a work order, as passed to its source. */
export interface OrderTransition {
  orderId: number
  number: string
  from: OrderStatus
  to: OrderStatus
}

/** Source of work orders, declared by a feature that depends on work orders. */
export interface WorkOrderSource {
  /** Value of `source_kind` in the order. */
  kind: string
  /** Called for each transition of a work order from this source, in the same transaction. */
  onMoved(tx: Tx, context: AppContext, company: CompanyId, sourceId: number, moved: OrderTransition): Promise<unknown>
  /** Returns the label and staff path of each entity of this kind. */
  label(tx: Tx, company: CompanyId, ids: readonly number[]): Promise<Map<number, { text: string; path: string }>>
}

const sources = new Map<string, WorkOrderSource>()

/** Registers a source of work orders. Call it once per kind. */
export function defineWorkOrderSource(source: WorkOrderSource): WorkOrderSource {
  sources.set(source.kind, source)
  return source
}

/**
 * Finds the source of a kind.
 * @throws Error if no feature registered this kind, which is a programming error
 */
export function sourceOf(kind: string): WorkOrderSource {
  const source = sources.get(kind)
  if (!source) throw new Error(`nobody declared the source of work orders '${kind}'`)
  return source
}
