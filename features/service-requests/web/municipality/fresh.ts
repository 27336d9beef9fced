import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { reloadCases } from '../../../../web/cases/fresh.ts'
import { requestCase } from '../../contract.ts'
import { chats, staffRequest, duplicates, figures } from '../../contract-staff.ts'
import { inbox, report } from '../../list.ts'

/** Response with the details of a request, for the panels that show it. */
export type Details = ResponseOf<typeof staffRequest>

/** Calls that show requests to staff. The screens reload them after a change. */
export const requestCalls = [inbox.call, report.call, staffRequest, duplicates, chats, figures]
export const reloadRequests = (): Promise<unknown> => reloadCases(requestCase, requestCalls)

export const INBOX = '/municipality/manage/customer-communication'
