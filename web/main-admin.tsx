import './ui/style.css'
import { AdminLayout } from './admin/AdminLayout.tsx'
import { routes } from './admin/routes.ts'
import { NotFound } from './NotFound.tsx'
import { startShell } from './routes.tsx'

document.documentElement.classList.add('office')
void startShell({ entry: 'admin', layout: AdminLayout, routes, notFound: () => <NotFound home="/admin" /> })
