import { reloadCases } from '../../../web/cases/fresh.ts'
import { staffMove, moveCase } from '../contract.ts'
import { moves } from '../list.ts'

/** Staff calls to reload after a move changed. */
export const reloadedCalls = [moves.call, staffMove]
export const reloadMoves = (): Promise<unknown> => reloadCases(moveCase, reloadedCalls)
