import { boot } from '../../../web/boot.ts'
import { NotFound } from '../../../web/NotFound.tsx'
import type { RouteDef } from '../../../web/routes.tsx'
import LandingScreen from './LandingScreen.tsx'

const isDirectory = boot.site === 'directory'

/**
 * The entry bundle includes the landing page, because most visits start there. On the host without a subdomain, the
 * start page is the directory.
 */
const home = (): ReturnType<RouteDef['screen']> =>
  isDirectory ? import('./DirectoryScreen.tsx') : Promise.resolve({ default: LandingScreen })

const title = isDirectory ? { title: 'Municipalities' } : {}

export const screens: RouteDef[] = [
  { path: '/', screen: home, ...title },
  { path: '/home', screen: home, ...title },
  { path: '/offline', screen: () => import('./OfflineScreen.tsx') },
  {
    path: '/404',
    screen: () => Promise.resolve({ default: () => NotFound({ search: '/frequently-asked-questions' }) }),
  },
]
