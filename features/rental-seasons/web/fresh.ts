import { reload } from '../../../web/query.ts'
import { staffApplication, staffRound } from '../contract.ts'
import { applications, rounds } from '../list.ts'
import { reloadRentals } from '../../rentals/web/parts/fresh.ts'

/** Reloads the staff views of allocation rounds after a change. */
export const reloadSeasons = (): Promise<unknown> =>
  Promise.all([...[rounds.call, applications.call, staffRound, staffApplication].map(reload), reloadRentals()])
