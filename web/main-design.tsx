import './ui/style.css'
import { NotFound } from './NotFound.tsx'
import { Outlet } from './router/Outlet.tsx'
import { startShell } from './routes.tsx'
import { Toasts } from './ui/Toasts.tsx'

/** The design page: every part in every state, in any town's colours. Served in development and tests alone. */
void startShell({
  entry: 'citizen',
  unguarded: true,
  layout: () => (
    <>
      <Outlet />
      <Toasts />
    </>
  ),
  routes: [{ path: '/design', title: 'Design', screen: () => import('./design/DesignScreen.tsx') }],
  notFound: () => <NotFound home="/design" />,
})
