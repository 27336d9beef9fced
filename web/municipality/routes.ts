import type { RouteDef } from '../routes.tsx'

/** The municipality screens, feature by feature. */
export const routes: RouteDef[] = []
