import type { RouteDef } from '../routes.tsx'

/** The administrator screens, feature by feature. */
export const routes: RouteDef[] = []
