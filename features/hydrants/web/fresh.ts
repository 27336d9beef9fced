import type { ResponseOf } from '../../../shared/endpoint.ts'
import { reload } from '../../../web/query.ts'
import { atAddress, hydrantMap, openPremiseNote, returnHydrant } from '../contract.ts'
import { flowTests, hydrants, premiseNotes } from '../list.ts'

/** Hydrant data for the panels of one hydrant. */
export type HydrantDetails = ResponseOf<typeof returnHydrant>

export const reloadHydrants = (): Promise<unknown> =>
  Promise.all([hydrants.call, flowTests.call, returnHydrant, hydrantMap, atAddress].map((one) => reload(one)))

/** Reloads the lists of notes but not the open note, because the server would log another view of that note. */
export const reloadNotes = (): Promise<unknown> => Promise.all([reload(premiseNotes.call), reload(atAddress)])
export type NoteDetails = ResponseOf<typeof openPremiseNote>
