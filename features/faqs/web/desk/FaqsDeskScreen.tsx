import { Trans, useLingui } from '@lingui/react/macro'
import { BookOpen, ListTree, Plus } from 'lucide-react'
import { QueryItem } from '../../../../web/query-item.tsx'
import { setQuery } from '../../../../web/go.ts'
import { ListScreen } from '../../../../web/list/ListScreen.tsx'
import { useResponse } from '../../../../web/query.ts'
import { useQueryParam } from '../../../../web/routes.tsx'
import { may } from '../../../../web/session.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { Select } from '../../../../web/ui/Choice.tsx'
import { Link } from '../../../../web/ui/Link.tsx'
import { EmptyState } from '../../../../web/ui/States.tsx'
import { StatusBadge, type StatusKind } from '../../../../web/ui/StatusBadge.tsx'
import { faqCategories } from '../../contract-staff.ts'
import { faqQuestions } from '../../list.ts'
import type { standings } from '../../rules.ts'
import { EditFaq, WriteFaq } from './FaqForm.tsx'
import { FaqSlideOut } from './FaqSlideOut.tsx'
import { CategoriesPanel, QuestionsPanel } from './OrderPanels.tsx'
import { SynonymsPanel } from './SynonymsPanel.tsx'

const kinds: Record<keyof typeof standings, StatusKind> = {
  visible: 'good',
  planned: 'waiting',
  ended: 'neutral',
  draft: 'attention',
}

const close = () => setQuery({ work: null, write: null, category: null })

/** The company's FAQs for staff (spec 2.3). */
export default function StaffFaqsScreen() {
  const { t } = useLingui()
  const work = useQueryParam('work')
  const isWriting = useQueryParam('write') !== null
  const isEditing = useQueryParam('edit') !== null
  const category = Number(useQueryParam('category')) || 0
  const categories = useResponse(faqCategories, {}).data?.categories ?? []
  const mayWrite = may('faqs', 'create')
  const open = ({ id }: { id: number }) => setQuery({ question: String(id), edit: null })
  const write = mayWrite && (
    <Button variant="primary" icon={Plus} onClick={() => setQuery({ write: '1' })}>
      <Trans>Add FAQ</Trans>
    </Button>
  )
  return (
    <>
      <ListScreen
        of={faqQuestions}
        rowName={({ question }) => question}
        cells={{
          question: ({ question }) => <strong>{question}</strong>,
          status: ({ status }, text) => <StatusBadge kind={kinds[status]}>{text}</StatusBadge>,
        }}
        filters={{
          categoryId: {
            field: (value, set) => (
              <Select
                className="md:w-48"
                label={t`Category`}
                value={value}
                onChange={({ target }) => set(target.value)}
                options={[
                  { value: '', label: t`All categories` },
                  ...categories.map(({ id, name }) => ({ value: String(id), label: name })),
                ]}
              />
            ),
            labelFor: (value) => categories.find(({ id }) => String(id) === value)?.name ?? '',
            width: 192,
          },
        }}
        actions={{ view: open, edit: ({ id }) => setQuery({ question: String(id), edit: '1' }) }}
        onRow={open}
        headActions={
          <>
            <Button icon={ListTree} onClick={() => setQuery({ work: 'order' })}>
              <Trans>Categories</Trans>
            </Button>
            {write}
          </>
        }
        note={
          <p className="mt-4 flex flex-wrap items-center gap-x-8 gap-y-2">
            <Link className="link" to="/municipality/manage/faqs/searches">
              <Trans>Searches without an answer</Trans>
            </Link>
            <button type="button" className="link" onClick={() => setQuery({ work: 'words' })}>
              <Trans>Synonyms</Trans>
            </button>
          </p>
        }
        empty={
          <EmptyState icon={BookOpen} title={t`No FAQs yet`} action={write}>
            <Trans>
              Add the questions that people ask at the counter and on the phone. Residents can then find the answers
              online.
            </Trans>
          </EmptyState>
        }
      />
      {isWriting && mayWrite && <WriteFaq onClose={close} />}
      {work === 'words' && <SynonymsPanel onClose={close} />}
      {work === 'order' && category === 0 && <CategoriesPanel onClose={close} />}
      {work === 'order' && category > 0 && (
        <QuestionsPanel category={category} onClose={() => setQuery({ category: null })} />
      )}
      <QueryItem name="question">
        {(id, closeIt) =>
          isEditing ? (
            <EditFaq id={id} onClose={() => setQuery({ edit: null })} />
          ) : (
            <FaqSlideOut id={id} onClose={closeIt} />
          )
        }
      </QueryItem>
    </>
  )
}
