import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { platformStaff, type StaffCalls, companyStaff } from '../contract.ts'
import { platformStaffList, companyStaffList } from '../list.ts'
import { platformRoles, positions, companyRoles } from '../rules.ts'

export type MemberDetails = ResponseOf<typeof companyStaff.member>
export type Department = ResponseOf<typeof companyStaff.departments>['departments'][number]

/** Differences between the company's and the platform's staff screens. */
export interface StaffScope {
  path: string
  /** Fields added to the body of each call. Includes the company if the host does not identify it. */
  about: { companyId?: number }
  /** Path of the Login Report. Null if no such report exists. */
  loginReport: string | null
  title: MessageDescriptor
  list: typeof companyStaffList
  calls: StaffCalls
  roles: Readonly<Record<number, string>>
  /** True if staff have roles with levels of areas, as those of a company. */
  hasAreas: boolean
  /** Null if staff have no position. */
  positions: Readonly<Record<number, string>> | null
}

export const companyScope: StaffScope = {
  path: '/municipality/manage/manage-staff',
  about: {},
  loginReport: '/municipality/reports/login',
  title: msg`Manage Municipality`,
  list: companyStaffList,
  calls: companyStaff,
  roles: companyRoles,
  hasAreas: true,
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
  hasAreas: false,
  positions: null,
}

/** Returns the scope for screens on which the platform manages a company's staff. */
export const companyScopeOf = (companyId: number): StaffScope => ({
  ...companyScope,
  path: `/admin/${companyId}/company/staff`,
  about: { companyId },
  loginReport: null,
})

export const fullName = ({ firstName, lastName }: { firstName: string; lastName: string }): string =>
  `${firstName} ${lastName}`
