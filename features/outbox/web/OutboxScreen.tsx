import { Trans } from '@lingui/react/macro'
import { Mail } from 'lucide-react'
import type { RowOf } from '../../../shared/list.ts'
import { boot } from '../../../web/boot.ts'
import { setQuery } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { NotFound } from '../../../web/NotFound.tsx'
import { useQueryParam } from '../../../web/routes.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import { outboxMails } from '../list.ts'
import { MailSlideOut } from './MailSlideOut.tsx'

/** Parses the open email from the URL: `101.12` is the company's id and the email's id. */
const read = (key: string | null) => {
  const [, companyId, mailId] = /^(\d{1,9})\.(\d{1,15})$/.exec(key ?? '') ?? []
  return companyId && mailId ? { companyId: Number(companyId), mailId: Number(mailId) } : null
}

const open = ({ companyId, id }: RowOf<typeof outboxMails>) => setQuery({ mail: `${companyId}.${id}` })

/** Emails of the demo companies. None of them is really sent. */
export default function OutboxScreen() {
  const chosen = read(useQueryParam('mail'))
  if (!boot.demo) return <NotFound home="/admin" />
  return (
    <>
      <ListScreen
        of={outboxMails}
        rowName={({ subject }) => subject}
        actions={{ view: open }}
        onRow={open}
        empty={
          <EmptyState icon={Mail} title={<Trans>No emails yet</Trans>}>
            <Trans>Emails from municipalities, such as payment receipts, appear here.</Trans>
          </EmptyState>
        }
      />
      {chosen && <MailSlideOut {...chosen} onClose={() => setQuery({ mail: null })} />}
    </>
  )
}
