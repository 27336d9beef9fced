import type { Call, Handler } from '../../../server/call.ts'
import { definePackDepartments } from '../../../server/packs.ts'
import { platformStaff, type StaffCalls, companyStaff } from '../contract.ts'
import { changeStatus, savePerson, savePrivileges } from './change-staff.ts'
import {
  activateDepartment,
  createDepartment,
  inactivateDepartment,
  listDepartments,
  renameDepartment,
} from './departments.ts'
import { invite, inviteAgain } from './invite-staff.ts'
import { showMember } from './list-staff.ts'
import { resetMemberFactors } from './reset-factors.ts'
import { platformDirectory, type StaffDirectory, companyDirectory } from './staff-directory.ts'

const useCases = [
  showMember,
  invite,
  inviteAgain,
  savePerson,
  changeStatus,
  savePrivileges,
  resetMemberFactors,
  listDepartments,
  createDepartment,
  renameDepartment,
  inactivateDepartment,
  activateDepartment,
]

/** Builds the handlers of all staff calls, for a company or the platform. */
const callsOf = (calls: StaffCalls, directoryOf: (call: Call) => StaffDirectory): Handler[] =>
  useCases.map((useCase) => useCase(calls, directoryOf))

definePackDepartments(createDepartment(companyStaff, companyDirectory))

/** Handlers of all staff calls, for company staff and for platform staff. */
export const callsOfBoth: Handler[] = [
  ...callsOf(companyStaff, companyDirectory),
  ...callsOf(platformStaff, platformDirectory),
]
