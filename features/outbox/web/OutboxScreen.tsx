import { Trans } from '@lingui/react/macro'
import { Mail } from 'lucide-react'
import type { RowOf } from '../../../shared/list.ts'
import { page } from '../../../web/page.ts'
import { setQuery } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { NotFound } from '../../../web/NotFound.tsx'
import { useQueryParam } from '../../../web/routes.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import { outboxEmails } from '../list.ts'
import { EmailSlideOut } from './EmailSlideOut.tsx'

/** Parses the ids of the open email from the URL. In `101.12`, 101 is the company's id and 12 is the email's id. */
const read = (key: string | null) => {
  const [, companyId, emailId] = /^(\d{1,9})\.(\d{1,15})$/.exec(key ?? '') ?? []
  return companyId && emailId ? { companyId: Number(companyId), emailId: Number(emailId) } : null
}

const open = ({ companyId, id }: RowOf<typeof outboxEmails>) => setQuery({ email: `${companyId}.${id}` })

/** Emails of the demo companies. None of them is really sent. */
export default function OutboxScreen() {
  const chosen = read(useQueryParam('email'))
  if (!page().demo) return <NotFound home="/admin" />
  return (
    <>
      <ListScreen
        of={outboxEmails}
        rowName={({ subject }) => subject}
        actions={{ view: open }}
        onRow={open}
        empty={
          <EmptyState icon={Mail} title={<Trans>No emails yet</Trans>}>
            <Trans>Emails from municipalities, such as payment receipts, appear here.</Trans>
          </EmptyState>
        }
      />
      {chosen && <EmailSlideOut {...chosen} onClose={() => setQuery({ email: null })} />}
    </>
  )
}
