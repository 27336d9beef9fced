import '../web/ui/style.css'
import { NotFound } from '../web/NotFound.tsx'
import { Outlet } from '../web/router/Outlet.tsx'
import { startShell } from '../web/routes.tsx'
import { Toasts } from '../web/ui/Toasts.tsx'

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
  routes: [{ path: '/design', title: 'Design', screen: () => import('../web/design/DesignScreen.tsx') }],
  notFound: () => <NotFound home="/design" />,
})
