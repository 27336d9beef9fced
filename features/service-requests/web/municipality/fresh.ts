import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { reloadCases } from '../../../../web/cases/fresh.ts'
import { requestCase } from '../../contract.ts'
import { chats, deskRequest, duplicates, figures } from '../../contract-staff.ts'
import { inbox, report } from '../../list.ts'

/** A request as its panels have it. */
export type Details = ResponseOf<typeof deskRequest>

/** What shows requests to staff, asked anew once one changed. */
export const shown = [inbox.call, report.call, deskRequest, duplicates, chats, figures]
export const reloadRequests = (): Promise<unknown> => reloadCases(requestCase, shown)

export const INBOX = '/municipality/manage/customer-communication'
