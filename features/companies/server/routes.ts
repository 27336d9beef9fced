import type { Implemented } from '../../../server/call.ts'
import { createCompanyCall, isNameFree, isSubdomainFree, listTimeZones } from './create-company.ts'
import { exportCompanies, listCompanies } from './list-companies.ts'
import {
  resolveSubdomain,
  showComponents,
  showDetails,
  showDirectory,
  showFooter,
  showInfo,
  showLogo,
  showSelections,
  showSiteWideMessage,
} from './show-company.ts'

export const calls: Implemented[] = [
  resolveSubdomain,
  showSelections,
  showSiteWideMessage,
  showInfo,
  showLogo,
  showDetails,
  showComponents,
  showFooter,
  showDirectory,
  listCompanies,
  exportCompanies,
  isNameFree,
  isSubdomainFree,
  listTimeZones,
  createCompanyCall,
]
