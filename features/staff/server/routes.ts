import type { Call, Implemented } from '../../../server/call.ts'
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
import { municipalityUsersCall, showMember, staffLists } from './list-staff.ts'
import { loginReportCalls } from './login-report.ts'
import { resetMemberFactors } from './reset-factors.ts'
import { platformRoster, type Roster, townRoster } from './roster.ts'

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
const callsOf = (calls: StaffCalls, rosterOf: (call: Call) => Roster): Implemented[] =>
  useCases.map((useCase) => useCase(calls, rosterOf))

export const calls: Implemented[] = [
  ...callsOf(townStaff, townRoster),
  municipalityUsersCall,
  ...callsOf(platformStaff, platformRoster),
  ...staffLists,
  ...loginReportCalls,
]
