import './ui/style.css'
import { CitizenLayout } from './citizen/CitizenLayout.tsx'
import { routes } from './citizen/routes.ts'
import { NotFound } from './NotFound.tsx'
import { startShell } from './routes.tsx'

void startShell({ entry: 'citizen', layout: CitizenLayout, routes, notFound: () => <NotFound /> })
