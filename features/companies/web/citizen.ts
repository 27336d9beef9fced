import { say } from '../../../shared/messages.ts'
import { page } from '../../../web/page.ts'
import { NotFound } from '../../../web/NotFound.tsx'
import type { RouteDef } from '../../../web/routes.tsx'
import LandingScreen from './LandingScreen.tsx'

const isDirectory = () => page().site === 'directory'

/**
 * The entry bundle includes the landing page, because most visits start there. On the host without a subdomain, the
 * start page is the directory.
 */
const home = (): ReturnType<RouteDef['screen']> =>
  isDirectory() ? import('./DirectoryScreen.tsx') : Promise.resolve({ default: LandingScreen })

const title = () => (isDirectory() ? say`Municipalities` : undefined)

export const screens: RouteDef[] = [
  { path: '/', screen: home, title, rendered: 'cached' },
  { path: '/home', screen: home, title, rendered: 'cached' },
  { path: '/offline', screen: () => import('./OfflineScreen.tsx'), rendered: 'cached' },
  {
    path: '/404',
    rendered: 'cached',
    screen: () => Promise.resolve({ default: () => NotFound({ search: '/frequently-asked-questions' }) }),
  },
]
