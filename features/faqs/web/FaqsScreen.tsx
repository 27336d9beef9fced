import { Trans, useLingui } from '@lingui/react/macro'
import { MessageCircleQuestion, Search } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { setQuery } from '../../../web/go.ts'
import { useAnswer } from '../../../web/query.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { Answered } from '../../../web/ui/Answered.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { type Faq, listFaqs, searchFaqs } from '../contract.ts'
import { Marked } from './Marked.tsx'
import { RichAnswer } from './RichAnswer.tsx'

/** What people ask the town, and its answers: by category, by a search, or one question that a link leads to. */
export default function FaqsScreen() {
  const search = useQueryParam('search')?.trim() ?? ''
  return (
    <Measure className="py-10 md:py-14">
      <PageHead title={<Trans>Frequently Asked Questions</Trans>}>
        <Trans>Ask in your own words, or look through the questions below.</Trans>
      </PageHead>
      <Ask key={search} asked={search} />
      {search === '' ? <All /> : <Results search={search} />}
    </Measure>
  )
}

function Ask({ asked }: { asked: string }) {
  const { t } = useLingui()
  const [text, setText] = useState(asked)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setQuery({ search: text.trim() || null, question: null })
  }
  return (
    <form role="search" onSubmit={submit} className="mb-8 flex max-w-form flex-wrap items-end gap-3 print:hidden">
      <div className="min-w-60 grow">
        <TextField
          label={t`Your question`}
          type="search"
          autoComplete="off"
          maxLength={200}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </div>
      <Button look="primary" type="submit" icon={Search}>
        <Trans>Search</Trans>
      </Button>
    </form>
  )
}

function All() {
  const { t } = useLingui()
  const answer = useAnswer(listFaqs, {})
  return (
    <Answered answer={answer} loading={<Trans>Loading the questions</Trans>} rows={8}>
      {({ categories }) =>
        categories.length === 0 ? (
          <EmptyState icon={MessageCircleQuestion} title={t`No questions yet`}>
            <Trans>
              The municipality has not answered any question here yet. Call the office, they are glad to help.
            </Trans>
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
    </Answered>
  )
}

function Results({ search }: { search: string }) {
  const answer = useAnswer(searchFaqs, { text: search })
  return (
    <Answered answer={answer} loading={<Trans>Looking for an answer</Trans>} rows={5}>
      {({ found, didYouMean }) => (
        <>
          <p role="status" className="mb-4 text-muted">
            {found.length === 0 ? (
              <Trans>Nothing was found for “{search}”. Try other words.</Trans>
            ) : didYouMean ? (
              <Trans>
                These questions fit best to “{didYouMean}”. You typed “{search}”.
              </Trans>
            ) : (
              <Trans>These questions fit best to “{search}”.</Trans>
            )}
          </p>
          <Questions faqs={found} />
          <p className="mt-6">
            <Link to="/frequently-asked-questions">
              <Trans>See all questions</Trans>
            </Link>
          </p>
        </>
      )}
    </Answered>
  )
}

function Questions({ faqs }: { faqs: readonly (Faq & { lexemes?: readonly string[] })[] }) {
  const linked = Number(useQueryParam('question'))
  return (
    <ul className="border-line border-t">
      {faqs.map(({ id, question, answer, lexemes = [] }) => (
        <li key={id} className="border-line border-b">
          <details
            open={id === linked}
            ref={(element) => {
              if (element && id === linked) element.scrollIntoView({ block: 'center' })
            }}
            className="print:[&::details-content]:[content-visibility:visible]"
          >
            <summary className="cursor-pointer rounded-sm py-3 font-bold">
              <Marked text={question} lexemes={lexemes} />
            </summary>
            <div className="flex flex-col gap-3 pb-4">
              <RichAnswer of={answer} lexemes={lexemes} />
              <p className="print:hidden">
                <Link to={`/frequently-asked-questions?question=${id}`}>
                  <Trans>Link to this question</Trans>
                </Link>
              </p>
            </div>
          </details>
        </li>
      ))}
    </ul>
  )
}
