import { companyScope } from './place.ts'
import { StaffScreen } from './StaffScreen.tsx'

/** 'Manage Municipality' (spec 2.3, 2.10). */
const CompanyStaffScreen = () => <StaffScreen place={companyScope} />
export default CompanyStaffScreen
