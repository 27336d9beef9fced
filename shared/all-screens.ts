import type { Screen } from './screens.ts'
import { adminScreens } from './screens/admin.ts'
import { citizenScreens } from './screens/citizen.ts'
import { municipalityScreens } from './screens/municipality.ts'

/** Every screen of the product, known to whoever imports this: the server, and the tests. */
export const screens: readonly Screen[] = [...citizenScreens, ...municipalityScreens, ...adminScreens]

export { entryOf, isBuilt, type Screen, screenAbove, screenAt } from './screens.ts'
