import { notFound } from '../../../../server/errors.ts'
import type { Payable } from './payable.ts'

const kinds = new Map<string, Payable>()

/** Registers a kind. Returns a function that removes it again. */
export function definePayable(payable: Payable): () => void {
  kinds.set(payable.kind, payable)
  return () => void kinds.delete(payable.kind)
}

/** @throws 404 if no feature defines the kind. The kind comes from a request, so this is not a programming error */
export function payableOf(kind: string): Payable {
  const registered = kinds.get(kind)
  if (!registered) throw notFound()
  return registered
}

export const allPayables = (): Payable[] => [...kinds.values()]

/** Sorts items into the order in which every caller locks and changes them, which prevents deadlocks. */
export const inLockOrder = <T extends { kind: string; id: number }>(refs: readonly T[]): T[] =>
  refs.toSorted((a, b) => (a.kind === b.kind ? a.id - b.id : a.kind < b.kind ? -1 : 1))
