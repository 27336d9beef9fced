import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { platformStaff, type StaffCalls, townStaff } from '../contract.ts'
import { platformStaffList, townStaffList } from '../list.ts'
import { platformRoles, positions, townRoles } from '../rules.ts'

export type MemberDetails = ResponseOf<typeof townStaff.member>
export type Department = ResponseOf<typeof townStaff.departments>['departments'][number]

/** What the two screens differ in. */
export interface StaffScope {
  path: string
  /** Goes into the body of each call: which company is meant, where the host does not say it. */
  about: { companyId?: number }
  /** Where its sign-ins are read; null where nowhere. */
  loginReport: string | null
  title: MessageDescriptor
  list: typeof townStaffList
  calls: StaffCalls
  roles: Readonly<Record<number, string>>
  /** None: people here have no position. */
  positions: Readonly<Record<number, string>> | null
}

export const town: StaffScope = {
  path: '/municipality/manage/manage-staff',
  about: {},
  loginReport: '/municipality/reports/login',
  title: msg`Manage Municipality`,
  list: townStaffList,
  calls: townStaff,
  roles: townRoles,
  positions,
}

export const platform: StaffScope = {
  path: '/admin/manage/manage-staff',
  about: {},
  loginReport: null,
  title: msg`Manage Admin Users`,
  list: platformStaffList,
  calls: platformStaff,
  roles: platformRoles,
  positions: null,
}

/** A town's staff as the platform sees to them. */
export const companyPlace = (companyId: number): StaffScope => ({
  ...town,
  path: `/admin/${companyId}/company/staff`,
  about: { companyId },
  loginReport: null,
})

export const fullName = ({ firstName, lastName }: { firstName: string; lastName: string }): string =>
  `${firstName} ${lastName}`
