import { town } from './place.ts'
import { StaffScreen } from './StaffScreen.tsx'

/** 'Manage Municipality' (specification 2.3, 2.10). */
const TownStaffScreen = () => <StaffScreen place={town} />
export default TownStaffScreen
