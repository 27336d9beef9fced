import { page } from '../../../../web/page.ts'
import { GetStarted } from './GetStarted.tsx'

/** The card of Get Started on Home. */
export default function GetStartedCard() {
  const company = page().company
  return company && <GetStarted companyId={company.id} isOnHome />
}
