import type { Payable } from './payable.ts'

const kinds = new Map<string, Payable>()

/** Makes a kind known. Answers how to forget it again. */
export function definePayable(payable: Payable): () => void {
  kinds.set(payable.kind, payable)
  return () => void kinds.delete(payable.kind)
}

export function payableOf(kind: string): Payable {
  const known = kinds.get(kind)
  if (!known) throw new Error(`nothing of the kind ${kind} can be paid: no feature defines it`)
  return known
}

export const allPayables = (): Payable[] => [...kinds.values()]

/** The order in which things are locked and changed, so that two who need the same never wait for each other in a ring. */
export const inLockOrder = <T extends { kind: string; id: number }>(refs: readonly T[]): T[] =>
  refs.toSorted((a, b) => (a.kind === b.kind ? a.id - b.id : a.kind < b.kind ? -1 : 1))
