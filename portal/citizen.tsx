import '../web/ui/style.css'
import { startShell } from '../web/start-shell.tsx'
import { citizenShell } from './citizen-shell.tsx'

/** Starts the resident screens. */
void startShell(citizenShell)
