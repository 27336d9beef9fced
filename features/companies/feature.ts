import type { Feature } from '../../server/feature.ts'
import { createCompanyCall, isNameFree, isSubdomainFree, listTimeZones } from './server/create-company.ts'
import { exportCompanies, listCompanies } from './server/list-companies.ts'
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
} from './server/show-company.ts'
import { findableServices } from './server/queries.ts'
import { bootFor } from './server/boot.ts'
import { mountDocuments } from './server/documents.ts'

export const companies: Feature = {
  calls: [
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
  ],
  mount: [mountDocuments],
  boot: bootFor,
  findable: [findableServices],
}
