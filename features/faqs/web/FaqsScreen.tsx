import { Trans, useLingui } from '@lingui/react/macro'
import { MessageCircleQuestion } from 'lucide-react'
import { setQuery } from '../../../web/go.ts'
import { useResponse } from '../../../web/query.ts'
import { type ScreenUrl, useQueryText } from '../../../web/routes.tsx'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import { listFaqs, searchFaqs } from '../contract.ts'
import { SearchResults } from './SearchResults.tsx'
import { Questions } from './Questions.tsx'
import { SearchForm } from './SearchForm.tsx'

const searchIn = (query: URLSearchParams): string => query.get('search')?.trim() ?? ''

export const calls = ({ query }: ScreenUrl) => {
  const text = searchIn(query)
  return text === '' ? [[listFaqs, {}] as const] : [[searchFaqs, { text }] as const]
}

const runSearch = (text: string) => setQuery({ search: text || null, question: null })

/** FAQs of the company: by category, by search, or one question from a link. */
export default function FaqsScreen() {
  const { t } = useLingui()
  const search = searchIn(new URLSearchParams(useQueryText()))
  return (
    <Measure className="py-10 md:py-14">
      <PageHead title={<Trans>Frequently Asked Questions</Trans>}>
        <Trans>Ask in your own words, or browse the questions below.</Trans>
      </PageHead>
      <SearchForm label={t`Your question`} query={search} onSearch={runSearch} className="mb-8 max-w-form" />
      {search === '' ? (
        <All />
      ) : (
        <>
          <SearchResults search={search} onSearch={runSearch} />
          <p className="mt-6">
            <Link className="link" to="/frequently-asked-questions">
              <Trans>See all questions</Trans>
            </Link>
          </p>
        </>
      )}
    </Measure>
  )
}

function All() {
  const { t } = useLingui()
  const response = useResponse(listFaqs, {})
  return (
    <ResponseView response={response} loading={<Trans>Loading questions</Trans>} rows={8}>
      {({ categories }) =>
        categories.length === 0 ? (
          <EmptyState icon={MessageCircleQuestion} title={t`No FAQs yet`}>
            <Trans>We have not published any answers yet. Call our office, and we will be glad to help.</Trans>
          </EmptyState>
        ) : (
          categories.map(({ id, name, faqs }) => (
            <section key={id} aria-labelledby={`category-${id}`} className="mb-10">
              <h2 id={`category-${id}`} className="mb-3">
                {name}
              </h2>
              <Questions faqs={faqs} />
            </section>
          ))
        )
      }
    </ResponseView>
  )
}
