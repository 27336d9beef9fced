import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { FileText } from 'lucide-react'
import { useState } from 'react'
import { formatDate } from '../../../../shared/dates.ts'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { call } from '../../../../web/call.ts'
import { CaseRow, openingPath, useOpenCase } from '../../../../web/cases/CaseRow.tsx'
import { shortDay } from '../../../../web/clock.ts'
import { useResponse } from '../../../../web/query.ts'
import { ResponseView } from '../../../../web/ui/ResponseView.tsx'
import { Panel } from '../../../../web/ui/Card.tsx'
import { Catalog, OfferedCard } from '../../../../web/ui/Catalog.tsx'
import { Notice } from '../../../../web/ui/Notice.tsx'
import { Measure, PageHead } from '../../../../web/ui/Page.tsx'
import { StateBadge, StatusBadge } from '../../../../web/ui/StatusBadge.tsx'
import { openMySubmission, residentForms } from '../../contract.ts'
import { categories, submissionStatus } from '../../rules.ts'
import { submissionStates } from '../../states.ts'
import { feeText } from '../fee.ts'
import { Text } from '../../../../web/ui/Text.tsx'

type ResidentFormsResponse = ResponseOf<typeof residentForms>

/** 'Forms and Documents' (spec 2.1): the resident's drafts and submissions, and the available forms. */
export default function FormsScreen() {
  const response = useResponse(residentForms, {})
  return (
    <Measure className="py-10 md:py-14">
      <PageHead title={<Trans>Forms and Documents</Trans>}>
        <Trans>
          Permits, licenses and requests. Start on one device, and continue on another. We save your answers.
        </Trans>
      </PageHead>
      <ResponseView response={response} loading={<Trans>Loading forms</Trans>} rows={8}>
        {(loaded) => (
          <>
            {loaded.own.length > 0 && <OwnForms {...loaded} />}
            <Choice forms={loaded.forms} />
          </>
        )}
      </ResponseView>
    </Measure>
  )
}

/** Number of entries shown at first. A button shows the rest. */
const FIRST = 5

function OwnForms({ own, more }: ResidentFormsResponse) {
  const [all, setAll] = useState(false)
  const { refusal } = useOpenCase(
    (submissionId) => call(openMySubmission, { submissionId }),
    '/forms-documents/submission',
  )
  return (
    <Panel id="mine" title={<Trans>Your forms</Trans>} className="mb-10">
      {refusal && <Notice tone="danger">{refusal}</Notice>}
      <ul className="divide-y divide-line">
        {own
          .slice(0, all ? own.length : FIRST)
          .map(({ id, number, title, applicant, at, status, waitsForSigner, isNew }) => {
            const isDraft = status === submissionStatus.draft && !waitsForSigner
            return (
              <CaseRow
                key={id}
                title={title}
                number={number}
                isNew={isNew}
                to={isDraft ? `/forms-documents/fill/${id}` : openingPath('/forms-documents', id)}
                badge={
                  waitsForSigner ? (
                    <StatusBadge kind="waiting">
                      <Trans>Awaiting signature</Trans>
                    </StatusBadge>
                  ) : (
                    <StateBadge of={submissionStates} state={status} />
                  )
                }
              >
                {applicant && (
                  <>
                    <Trans>For {applicant}</Trans>
                    <Text>{' · '}</Text>
                  </>
                )}
                {isDraft ? <Trans>Saved on {shortDay(at)}</Trans> : <Trans>Submitted on {shortDay(at)}</Trans>}
              </CaseRow>
            )
          })}
      </ul>
      {!all && own.length > FIRST && (
        <p className="mt-3">
          <button type="button" className="link" onClick={() => setAll(true)}>
            <Plural value={own.length} one="Show #" other="Show all #" />
          </button>
        </p>
      )}
      {more && all && (
        <p className="mt-3 text-muted text-sm">
          <Trans>Only the newest forms are shown.</Trans>
        </p>
      )}
    </Panel>
  )
}

function Choice({ forms }: Pick<ResidentFormsResponse, 'forms'>) {
  const { t } = useLingui()
  return (
    <section aria-label={t`Forms to fill out`}>
      {forms.length > 0 && (
        <h2 className="mb-4 text-h3">
          <Trans>Fill out a form</Trans>
        </h2>
      )}
      <Catalog
        items={forms}
        categories={categories}
        searchTextOf={({ issues }) => issues}
        empty={{
          icon: FileText,
          title: <Trans>No forms available yet</Trans>,
          text: <Trans>We have not published any forms yet. Contact our office.</Trans>,
        }}
        noMatch={<Trans>No form matches your search. Use fewer words, or choose all categories.</Trans>}
      >
        {(form) => (
          <OfferedCard
            key={form.slug}
            to={`/forms-documents/${form.slug}`}
            item={form}
            categories={categories}
            price={feeText(form.feeCents, form.feeRange)}
            heading="h3"
          >
            {form.closesOn && (
              <span className="text-muted">
                <Trans>Open until {formatDate(form.closesOn)}</Trans>
              </span>
            )}
          </OfferedCard>
        )}
      </Catalog>
    </section>
  )
}
