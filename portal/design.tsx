import '../web/ui/style.css'
import { NotFound } from '../web/NotFound.tsx'
import { Outlet } from '../web/router/Outlet.tsx'
import { startShell } from '../web/start-shell.tsx'
import { Toasts } from '../web/ui/Toasts.tsx'

/** Design page with every component in every state, in any company's colors. Served only in development and tests. */
void startShell({
  entry: 'citizen',
  unguarded: true,
  layout: () => (
    <>
      <Outlet />
      <Toasts />
    </>
  ),
  routes: [{ path: '/design', title: () => 'Design', screen: () => import('../web/design/DesignScreen.tsx') }],
  notFound: () => <NotFound home="/design" />,
})
