import type { RouteDef } from '../routes.tsx'

/** The citizen screens, feature by feature. */
export const routes: RouteDef[] = []
