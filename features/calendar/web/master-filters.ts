import { itemStates } from '../states.ts'

/** What stands in the address of the master calendar, beside the days on show. */
export type MasterFilter = 'company' | 'eventType' | 'status' | 'day'

const numberIn = (text: string): number | undefined => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined)

/** The address may say anything; the calls are asked what makes sense. */
export const filtersOf = ({ company, eventType, status }: Record<MasterFilter, string>) => ({
  company: numberIn(company),
  eventType: numberIn(eventType),
  status: itemStates.names.find((known) => known === status),
})
