import type { AppContext } from '../../../server/app-context.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { OrderStatus } from '../states.ts'

/** A step of a work order, as what it was opened from hears of it. */
export interface OrderMoved {
  orderId: number
  number: string
  from: OrderStatus
  to: OrderStatus
}

/** What a work order was opened from: a feature above this one, which nothing here knows. */
export interface WorkOrderSource {
  /** As `source_kind` of the order. */
  kind: string
  /** Hears of each step in the same transaction. */
  onMoved(tx: Tx, context: AppContext, company: CompanyId, sourceId: number, moved: OrderMoved): Promise<unknown>
  /** What things of this kind are called, and where staff find them. */
  label(tx: Tx, company: CompanyId, ids: readonly number[]): Promise<Map<number, { text: string; path: string }>>
}

const sources = new Map<string, WorkOrderSource>()

/** Declares, once, where work orders come from. */
export function defineWorkOrderSource(source: WorkOrderSource): WorkOrderSource {
  sources.set(source.kind, source)
  return source
}

/** @throws where nobody declared this kind: our own mistake */
export function sourceOf(kind: string): WorkOrderSource {
  const source = sources.get(kind)
  if (!source) throw new Error(`nobody declared the source of work orders '${kind}'`)
  return source
}
