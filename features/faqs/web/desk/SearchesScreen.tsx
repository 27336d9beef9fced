import { Trans, useLingui } from '@lingui/react/macro'
import { SearchX } from 'lucide-react'
import { call, messageOf } from '../../../../web/call.ts'
import { setQuery } from '../../../../web/go.ts'
import { ListScreen } from '../../../../web/list/ListScreen.tsx'
import { useQueryParam } from '../../../../web/routes.tsx'
import { LinkButton } from '../../../../web/ui/Button.tsx'
import { EmptyState } from '../../../../web/ui/States.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { dismissFaqSearch } from '../../contract-staff.ts'
import { faqSearches } from '../../list.ts'
import { WriteFaq } from './FaqForm.tsx'
import { renewFaqs } from './fresh.ts'

/** Searches without an answer: candidates for the next FAQs. */
export default function SearchesScreen() {
  const { t } = useLingui()
  const id = Number(useQueryParam('answer')) || 0
  const searchedText = useQueryParam('asked') ?? ''
  const close = () => setQuery({ answer: null, asked: null })
  const dismiss = async (searchId: number) => {
    try {
      toast((await call(dismissFaqSearch, { searchId })).message)
    } catch (error) {
      toast(messageOf(error), 'danger')
    }
    await renewFaqs()
  }
  return (
    <>
      <ListScreen
        of={faqSearches}
        rowName={({ query: text }) => text}
        actions={{
          answer: ({ id: search, query: text }) => setQuery({ answer: String(search), query: text }),
          remove: (row) => void dismiss(row.id),
        }}
        headActions={
          <LinkButton to="/municipality/manage/faqs">
            <Trans>All questions</Trans>
          </LinkButton>
        }
        empty={
          <EmptyState icon={SearchX} title={t`Nothing was looked for in vain`}>
            <Trans>What people look for without finding an answer comes together here. Who asked is not kept.</Trans>
          </EmptyState>
        }
      />
      {id > 0 && <WriteFaq key={id} search={{ id, query: searchedText }} onClose={close} />}
    </>
  )
}
