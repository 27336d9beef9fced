import { notFound } from '../../../server/errors.ts'
import type { Payable } from './payable.ts'

const kinds = new Map<string, Payable>()

/** Makes a kind known. Answers how to forget it again. */
export function definePayable(payable: Payable): () => void {
  kinds.set(payable.kind, payable)
  return () => void kinds.delete(payable.kind)
}

/** @throws 404 if no feature defines the kind, which calls name */
export function payableOf(kind: string): Payable {
  const known = kinds.get(kind)
  if (!known) throw notFound()
  return known
}

export const allPayables = (): Payable[] => [...kinds.values()]

/** The order in which things are locked and changed, so that two who need the same never wait for each other in a ring. */
export const inLockOrder = <T extends { kind: string; id: number }>(refs: readonly T[]): T[] =>
  refs.toSorted((a, b) => (a.kind === b.kind ? a.id - b.id : a.kind < b.kind ? -1 : 1))
