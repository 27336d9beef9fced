import { reloadCases } from '../../../web/cases/fresh.ts'
import { deskMove, moveCase } from '../contract.ts'
import { moves } from '../list.ts'

/** What shows moves to staff, asked anew once one changed. */
export const shown = [moves.call, deskMove]
export const reloadMoves = (): Promise<unknown> => reloadCases(moveCase, shown)
