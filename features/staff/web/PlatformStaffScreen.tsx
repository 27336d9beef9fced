import { platform } from './staff-scope.ts'
import { StaffScreen } from './StaffScreen.tsx'

/** Screen 'Manage Admin Users' (spec 2.4, 2.12). */
const PlatformStaffScreen = () => <StaffScreen scope={platform} />
export default PlatformStaffScreen
