import { itemStates } from '../states.ts'

/** URL parameters of the master calendar, other than the visible days. */
export type MasterFilter = 'company' | 'eventType' | 'status' | 'day'

const numberIn = (text: string): number | undefined => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined)

/** Returns the filters from the URL without malformed values, which would make the calls fail. */
export const filtersOf = ({ company, eventType, status }: Record<MasterFilter, string>) => ({
  company: numberIn(company),
  eventType: numberIn(eventType),
  status: itemStates.names.find((state) => state === status),
})
