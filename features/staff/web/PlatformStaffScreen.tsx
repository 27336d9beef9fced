import { platform } from './place.ts'
import { StaffScreen } from './StaffScreen.tsx'

/** 'Manage Admin Users' (spec 2.4, 2.12). */
const PlatformStaffScreen = () => <StaffScreen place={platform} />
export default PlatformStaffScreen
