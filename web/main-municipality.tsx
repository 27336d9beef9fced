import './ui/style.css'
import { MunicipalityLayout } from './municipality/MunicipalityLayout.tsx'
import { routes } from './municipality/routes.ts'
import { NotFound } from './NotFound.tsx'
import { startShell } from './routes.tsx'

document.documentElement.classList.add('office')
void startShell({
  entry: 'municipality',
  layout: MunicipalityLayout,
  routes,
  notFound: () => <NotFound home="/municipality" />,
})
