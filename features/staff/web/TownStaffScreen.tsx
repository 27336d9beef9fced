import { companyScope } from './staff-scope.ts'
import { StaffScreen } from './StaffScreen.tsx'

/** Screen 'Manage Municipality' (spec 2.3, 2.10). */
const CompanyStaffScreen = () => <StaffScreen scope={companyScope} />
export default CompanyStaffScreen
