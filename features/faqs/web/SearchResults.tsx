import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { type ResultKind, resultKinds } from '../../../shared/result-kinds.ts'
import { call, messageOf } from '../../../web/call.ts'
import { hasModule } from '../../../web/citizen/links.ts'
import { useResponse } from '../../../web/query.ts'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { searchFaqs, reportMissing } from '../contract.ts'
import { Questions } from './Questions.tsx'
import { StatusMessage } from './StatusMessage.tsx'

interface Props {
  search: string
  /** Called to search for the suggested correction. */
  onSearch: (text: string) => void
}

/** Search results: pages first, because they are few, then questions with their answers. */
export function SearchResults({ search, onSearch }: Props) {
  const response = useResponse(searchFaqs, { text: search })
  return (
    <ResponseView response={response} loading={<Trans>Searching for an answer</Trans>} rows={5}>
      {(loaded) => <ResultList key={search} search={search} results={loaded} onSearch={onSearch} />}
    </ResponseView>
  )
}

function ResultList({ search, results, onSearch }: Props & { results: ResponseOf<typeof searchFaqs> }) {
  const { matches, others, didYouMean } = results
  const count = matches.length + others.length
  return (
    <>
      <p role="status" className="mb-4 text-muted">
        {count === 0 ? (
          <Trans>No results for “{search}”. Try other words.</Trans>
        ) : (
          <Plural value={count} one="# result for your search." other="# results, best match first." />
        )}
      </p>
      {didYouMean && (
        <p className="mb-4">
          <Trans>
            Did you mean{' '}
            <button type="button" className="link" onClick={() => onSearch(didYouMean)}>
              {didYouMean}
            </button>
            ?
          </Trans>
        </p>
      )}
      <Others others={others} />
      {matches.length > 0 && (
        <section className="mb-6">
          <h2 className="mb-3 text-h3">
            <Trans>Questions and answers</Trans>
          </h2>
          <Questions faqs={matches} />
        </section>
      )}
      {count > 0 && <NoneFits search={search} />}
      {count === 0 && <ContactCompany />}
    </>
  )
}

const headings: Record<ResultKind, MessageDescriptor> = {
  services: msg`Services`,
  rentals: msg`For rent`,
  payments: msg`Payments`,
  forms: msg`Forms`,
  reports: msg`Report a problem`,
}

const Others = ({ others }: Pick<ResponseOf<typeof searchFaqs>, 'others'>) =>
  resultKinds.map((kind) => {
    const ofKind = others.filter((one) => one.kind === kind)
    return ofKind.length > 0 && <OfKind key={kind} kind={kind} matches={ofKind} />
  })

function OfKind({ kind, matches }: { kind: ResultKind; matches: readonly { title: string; path: string }[] }) {
  const { t } = useLingui()
  return (
    <section className="mb-6">
      <h2 className="mb-2 text-h3">{t(headings[kind])}</h2>
      <ul className="flex flex-wrap gap-x-6 gap-y-1">
        {matches.map(({ title, path }) => (
          <li key={path}>
            <Link to={path} className="link inline-flex min-h-8 items-center">
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Nearly every search has results, so only the user can tell if none of them fits. */
function NoneFits({ search }: { search: string }) {
  const { t } = useLingui()
  const [notice, setNotice] = useState('')
  const [isReported, setIsReported] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const report = async () => {
    setBusy(true)
    try {
      await call(reportMissing, { text: search })
      setNotice(t`Thank you. We can see your question but not your name.`)
      setIsReported(true)
    } catch (error) {
      setNotice(messageOf(error))
    }
    setBusy(false)
  }
  return (
    <div className="mb-6 print:hidden">
      {!isReported && (
        <Button size="small" busy={isBusy} onClick={() => void report()}>
          <Trans>None of these is what I need</Trans>
        </Button>
      )}
      <StatusMessage message={notice} />
      {isReported && <ContactCompany />}
    </div>
  )
}

/** Link that lets a resident ask a person if no page has the answer. */
const ContactCompany = () =>
  hasModule('/communication') && (
    <p className="mt-2">
      <Link className="link" to="/communication/new">
        <Trans>Send us your question</Trans>
      </Link>
    </p>
  )
