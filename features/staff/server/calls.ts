import type { Call, Handler } from '../../../server/call.ts'
import { platformStaff, type StaffCalls, townStaff } from '../contract.ts'
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
import { platformRoster, type StaffDirectory, townRoster } from './staff-directory.ts'

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

/** The same use cases, for those who work in one place. */
const callsOf = (calls: StaffCalls, rosterOf: (call: Call) => StaffDirectory): Handler[] =>
  useCases.map((useCase) => useCase(calls, rosterOf))

/** The calls for a town's staff and for the platform's. */
export const callsOfBoth: Handler[] = [...callsOf(townStaff, townRoster), ...callsOf(platformStaff, platformRoster)]
