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
import { refreshFaqs } from './fresh.ts'

/** Searches without an answer: candidates for the next FAQs. */
export default function SearchesScreen() {
  const { t } = useLingui()
  const id = Number(useQueryParam('answer')) || 0
  const searchedText = useQueryParam('text') ?? ''
  const close = () => setQuery({ answer: null, text: null })
  const dismiss = async (searchId: number) => {
    try {
      toast((await call(dismissFaqSearch, { searchId })).message)
    } catch (error) {
      toast(messageOf(error), 'danger')
    }
    await refreshFaqs()
  }
  return (
    <>
      <ListScreen
        of={faqSearches}
        rowName={({ query: text }) => text}
        actions={{
          answer: ({ id: search, query: text }) => setQuery({ answer: String(search), text }),
          remove: (row) => void dismiss(row.id),
        }}
        headActions={
          <LinkButton to="/municipality/manage/faqs">
            <Trans>All FAQs</Trans>
          </LinkButton>
        }
        empty={
          <EmptyState icon={SearchX} title={t`No searches without an answer`}>
            <Trans>Searches that find no answer are listed here. The portal does not store who searched.</Trans>
          </EmptyState>
        }
      />
      {id > 0 && <WriteFaq key={id} search={{ id, query: searchedText }} onClose={close} />}
    </>
  )
}
