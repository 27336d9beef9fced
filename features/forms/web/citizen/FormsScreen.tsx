import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { ArrowRight, FileText } from 'lucide-react'
import { useState } from 'react'
import { formatDate } from '../../../../shared/dates.ts'
import type { AnswerOf } from '../../../../shared/endpoint.ts'
import { translated } from '../../../../shared/words.ts'
import { call, sentenceOf } from '../../../../web/call.ts'
import { shortDay } from '../../../../web/clock.ts'
import { go, setQuery } from '../../../../web/go.ts'
import { useAnswer } from '../../../../web/query.ts'
import { useQueryParam } from '../../../../web/routes.tsx'
import { Answered } from '../../../../web/ui/Answered.tsx'
import { Panel } from '../../../../web/ui/Card.tsx'
import { Select } from '../../../../web/ui/Choice.tsx'
import { Link } from '../../../../web/ui/Link.tsx'
import { Notice } from '../../../../web/ui/Notice.tsx'
import { Measure, PageHead } from '../../../../web/ui/Page.tsx'
import { EmptyState } from '../../../../web/ui/States.tsx'
import { StateBadge, StatusBadge } from '../../../../web/ui/StatusBadge.tsx'
import { TextField } from '../../../../web/ui/TextField.tsx'
import { openMySubmission, residentForms } from '../../contract.ts'
import { categories, type Category } from '../../rules.ts'
import { submissionStates } from '../../states.ts'
import { feeWords } from '../fee.ts'

type Shown = AnswerOf<typeof residentForms>

/** 'Forms and Documents' (specification 2.1): what a resident began and sent, and what they can fill in. */
export default function FormsScreen() {
  const answer = useAnswer(residentForms, {})
  return (
    <Measure className="py-10 md:py-14">
      <PageHead title={<Trans>Forms and Documents</Trans>}>
        <Trans>Permits, licenses and requests. Begin on one device, go on with another: what you type is kept.</Trans>
      </PageHead>
      <Answered answer={answer} loading={<Trans>Loading the forms</Trans>} rows={8}>
        {(shown) => (
          <>
            {shown.mine.length > 0 && <Mine {...shown} />}
            <Choice forms={shown.forms} />
          </>
        )}
      </Answered>
    </Measure>
  )
}

/** So many stand there at first; the others come by a press. */
const FIRST = 5

function Mine({ mine, more }: Shown) {
  const [all, setAll] = useState(false)
  const [refusal, setRefusal] = useState('')
  const [busy, setBusy] = useState(false)
  const open = async (submissionId: number) => {
    setBusy(true)
    try {
      const { token } = await call(openMySubmission, { submissionId })
      go(`/forms-documents/submission/${token}`)
    } catch (error) {
      setRefusal(sentenceOf(error))
      setBusy(false)
    }
  }
  return (
    <Panel id="mine" title={<Trans>Your forms</Trans>} className="mb-10">
      {refusal && <Notice tone="danger">{refusal}</Notice>}
      <ul className="divide-y divide-line">
        {mine
          .slice(0, all ? mine.length : FIRST)
          .map(({ id, number, title, forWhom, at, status, waitsForSigner, isNew }) => {
            const isDraft = status === 10 && !waitsForSigner
            const name = (
              <>
                {title} <span className="text-muted">{number}</span>
              </>
            )
            return (
              <li key={id} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 py-3">
                <div className="min-w-0">
                  {isDraft ? (
                    <Link className="link" to={`/forms-documents/fill/${id}`}>
                      {name}
                    </Link>
                  ) : (
                    <button type="button" className="link text-start" disabled={busy} onClick={() => void open(id)}>
                      {name}
                    </button>
                  )}
                  <p className="wrap-anywhere text-muted text-sm">
                    {forWhom && (
                      <>
                        <Trans>For {forWhom}</Trans> ·{' '}
                      </>
                    )}
                    {isDraft ? <Trans>Saved on {shortDay(at)}</Trans> : <Trans>Sent on {shortDay(at)}</Trans>}
                  </p>
                  {isNew && (
                    <p className="font-bold text-link text-sm">
                      <Trans>New answer</Trans>
                    </p>
                  )}
                </div>
                {waitsForSigner ? (
                  <StatusBadge kind="waiting">
                    <Trans>Waits for a signature</Trans>
                  </StatusBadge>
                ) : (
                  <StateBadge of={submissionStates} state={status} />
                )}
              </li>
            )
          })}
      </ul>
      {!all && mine.length > FIRST && (
        <p className="mt-3">
          <button type="button" className="link" onClick={() => setAll(true)}>
            <Plural value={mine.length} one="Show #" other="Show all #" />
          </button>
        </p>
      )}
      {more && all && (
        <p className="mt-3 text-muted text-sm">
          <Trans>The newest ones are shown.</Trans>
        </p>
      )}
    </Panel>
  )
}

const isCategory = (text: string | null): text is Category => text !== null && text in categories

function Choice({ forms }: Pick<Shown, 'forms'>) {
  const { t } = useLingui()
  const [search, setSearch] = useState('')
  const asked = useQueryParam('category')
  const there = (Object.keys(categories) as Category[]).filter((name) =>
    forms.some(({ category }) => category === name),
  )
  const category = isCategory(asked) && there.includes(asked) ? asked : ''
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const found = forms.filter(
    (form) =>
      (category === '' || form.category === category) &&
      words.every((word) => `${form.title} ${form.description} ${form.issues}`.toLowerCase().includes(word)),
  )
  if (forms.length === 0)
    return (
      <EmptyState icon={FileText} title={<Trans>There is no form to fill in yet</Trans>}>
        <Trans>The municipality has not published any. Ask at the office.</Trans>
      </EmptyState>
    )
  return (
    <section aria-label={t`Forms to fill in`}>
      <h2 className="mb-4 text-h3">
        <Trans>Fill in a form</Trans>
      </h2>
      <div className="mb-6 grid gap-4 sm:grid-cols-2 lg:max-w-form lg:grid-cols-[1fr_14rem]">
        <TextField
          label={<Trans>Search</Trans>}
          type="search"
          autoComplete="off"
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
        <Select
          label={<Trans>Category</Trans>}
          value={category}
          onChange={({ target }) => setQuery({ category: target.value })}
          options={[
            { value: '', label: t`All categories` },
            ...there.map((name) => ({ value: name, label: translated(categories[name]) })),
          ]}
        />
      </div>
      <p role="status" className="mb-4 text-muted">
        {found.length === 0 ? (
          <Trans>No form matches this. Use fewer words, or all categories.</Trans>
        ) : (
          <Trans>
            {found.length} of {forms.length} shown
          </Trans>
        )}
      </p>
      <ul className="grid gap-4 md:grid-cols-2 lg:grid-cols-3">
        {there.flatMap((name) =>
          found.filter((form) => form.category === name).map((form) => <Tile key={form.slug} form={form} />),
        )}
      </ul>
    </section>
  )
}

const Tile = ({
  form: { slug, title, category, description, feeCents, closesOn },
}: {
  form: Shown['forms'][number]
}) => (
  <li className="group relative flex flex-col gap-1 rounded-sm border border-line bg-surface p-5 transition-shadow hover:shadow-raised">
    <p className="text-muted text-sm">{translated(categories[category])}</p>
    <div className="flex items-start justify-between gap-3">
      <h3 className="text-tile leading-tight">
        <Link to={`/forms-documents/${slug}`} className="rounded-sm after:absolute after:inset-0 after:content-['']">
          {title}
        </Link>
      </h3>
      <ArrowRight size={18} aria-hidden className="mt-1 shrink-0 text-muted group-hover:text-link" />
    </div>
    {description && <p className="line-clamp-3 text-muted">{description}</p>}
    <p className="mt-auto flex flex-wrap gap-x-4 pt-2">
      <strong>{feeWords(feeCents)}</strong>
      {closesOn && (
        <span className="text-muted">
          <Trans>Open until {formatDate(closesOn)}</Trans>
        </span>
      )}
    </p>
  </li>
)
