import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = []

/** The chat of whoever is signed in, in the header of each screen. */
export const chat = () => import('./citizen/ResidentChat.tsx')
