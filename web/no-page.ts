import { leaveNoPage } from './page.ts'

// The first import of the server's bundle. Then a module that reads the page while it loads fails.
leaveNoPage()
