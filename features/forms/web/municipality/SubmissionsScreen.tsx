import { Trans, useLingui } from '@lingui/react/macro'
import { CircleCheck, CircleX, FileArchive, Inbox, MessageCircleQuestion } from 'lucide-react'
import { useState } from 'react'
import type { RowOf } from '../../../../shared/list.ts'
import { plural, say } from '../../../../shared/messages.ts'
import { call } from '../../../../web/call.ts'
import { Assignee } from '../../../../web/cases/Assignee.tsx'
import { assigneeFilter } from '../../../../web/cases/assignee-filter.tsx'
import { reloadCases, useFreshCases } from '../../../../web/cases/fresh.ts'
import { StatusField } from '../../../../web/cases/StatusField.tsx'
import { useCaseMarks } from '../../../../web/cases/use-case-marks.tsx'
import { setQuery } from '../../../../web/go.ts'
import type { OwnFilter } from '../../../../web/list/Filters.tsx'
import { ListScreen } from '../../../../web/list/ListScreen.tsx'
import { useResponse } from '../../../../web/query.ts'
import { useQueryParam } from '../../../../web/routes.tsx'
import { may } from '../../../../web/session.ts'
import { Button, LinkButton } from '../../../../web/ui/Button.tsx'
import { Select } from '../../../../web/ui/Choice.tsx'
import { Section, Sections } from '../../../../web/ui/office/Sections.tsx'
import type { BulkAction } from '../../../../web/ui/office/table/bulk.ts'
import { ReasonDialog } from '../../../../web/ui/ReasonDialog.tsx'
import { EmptyState } from '../../../../web/ui/States.tsx'
import { StateBadge } from '../../../../web/ui/StatusBadge.tsx'
import { changeSubmissions, staffSubmission, formTypeChoices, submissionCase } from '../../contract.ts'
import { submissions } from '../../list.ts'
import { zipSubmissions } from '../../contract-documents.ts'
import { submissionStates } from '../../states.ts'
import { useAct } from '../../../../web/act.ts'
import { Refusal } from '../../../../web/ui/Notice.tsx'
import { Text } from '../../../../web/ui/Text.tsx'
import { saved } from '../documents/labels.ts'
import { RequestedSubmission } from './SubmissionSlideOut.tsx'

type Row = RowOf<typeof submissions>
const usedCalls = [submissions.call, staffSubmission]
const HERE = '/municipality/reports/forms-and-docs'
const open = ({ id }: Pick<Row, 'id'>) => setQuery({ submission: String(id) })

/** 'Forms and Documents Report' (spec 2.3): submissions for reviewers. */
export default function SubmissionsScreen() {
  useFreshCases(submissionCase, usedCalls)
  return (
    <>
      <Queue />
      <RequestedSubmission />
    </>
  )
}

/** Tabs for frequent filters. */
function Views() {
  const assignee = useQueryParam('assignee') ?? ''
  return (
    <Sections>
      <Section to={HERE} active={assignee === ''}>
        <Trans>All</Trans>
      </Section>
      <Section to={`${HERE}?assignee=department`} active={assignee === 'department'}>
        <Trans>My department</Trans>
      </Section>
      <Section to={`${HERE}?assignee=me`} active={assignee === 'me'}>
        <Trans>Assigned to me</Trans>
      </Section>
    </Sections>
  )
}

type Event = 'approve' | 'reject' | 'request_info'
interface BulkRequest {
  rows: readonly Row[]
  event: Event
  done: (reason: string | null) => void
}

/** Applies one action to all selected submissions. Submissions with an error stay selected and show the error. */
async function decide(rows: readonly Row[], event: Event, reason?: string) {
  const { message, refused } = await call(changeSubmissions, { ids: rows.map(({ id }) => id), event, reason })
  await reloadCases(submissionCase, usedCalls)
  const failed = refused.flatMap(({ number, message: reasonText }) => {
    const row = rows.find((one) => one.number === number)
    return row ? [{ row, text: reasonText }] : []
  })
  return { message: failed.length < rows.length ? message : '', failed }
}

function Queue() {
  const { t } = useLingui()
  const marks = useCaseMarks(submissionCase)
  const [bulkRequest, setBulkRequest] = useState<BulkRequest | null>(null)
  const mayDecide = may('submissions', 'update')
  const { data: choices } = useResponse(formTypeChoices, {})
  const withReason = (event: Event) => async (rows: readonly Row[]) => {
    const reason = await new Promise<string | null>((done) => setBulkRequest({ rows, event, done }))
    setBulkRequest(null)
    if (reason === null) return { message: '', failed: rows.map((row) => ({ row, text: say`Nothing changed.` })) }
    return decide(rows, event, reason)
  }
  const bulk: BulkAction<Row>[] = [
    {
      label: t`Approve`,
      icon: CircleCheck,
      run: (rows) => decide(rows, 'approve'),
      confirm: (rows) =>
        t`${plural(rows.length, 'The applicant will receive an email about the approval.', 'The applicants of these # submissions will receive an email about the approval.')}`,
    },
    {
      label: t`Download PDFs as ZIP`,
      icon: FileArchive,
      run: async (rows) => {
        const { message } = await saved(zipSubmissions, { of: { ids: rows.map(({ id }) => id) } })
        return { message, failed: [] }
      },
    },
    { label: t`Request information`, icon: MessageCircleQuestion, run: withReason('request_info') },
    { label: t`Reject`, icon: CircleX, danger: true, run: withReason('reject') },
  ]
  return (
    <>
      <ListScreen
        of={submissions}
        rowName={({ number }) => number}
        filters={filters}
        actions={{ view: open }}
        onRow={open}
        bulk={mayDecide ? bulk : []}
        tabs={<Views />}
        exportEach={{
          filter: 'typeId',
          title: t`Export submissions`,
          types: (choices?.types ?? []).map(({ id, title }) => ({ id, name: title })),
        }}
        cells={{
          number: ({ id, number }) => (
            <span className="whitespace-nowrap">
              <strong>{number}</strong> <Text>{marks.unread(id)}</Text>
            </span>
          ),
          title: ({ id }, form) => (
            <>
              <Text>{marks.present(id)}</Text>
              <Text>{form}</Text>
            </>
          ),
          status: ({ status }) => <StateBadge of={submissionStates} state={status} />,
          assignee: ({ assignee, assigneeActive }) => (
            <Assignee name={assignee} left={assignee !== '' && !assigneeActive} />
          ),
        }}
        headActions={
          <>
            <ZipOfForm />
            <LinkButton to="/municipality/manage/manage-forms-and-docs">
              <Trans>Forms</Trans>
            </LinkButton>
          </>
        }
        empty={
          <EmptyState icon={Inbox} title={<Trans>No submissions yet</Trans>}>
            <Trans>Forms that residents submit appear here. Those that need a decision are listed first.</Trans>
          </EmptyState>
        }
      />
      {bulkRequest && (
        <ReasonDialog
          title={bulkRequest.event === 'request_info' ? t`Request information` : t`Reject`}
          text={<Trans>The text you enter here will be emailed to the applicant.</Trans>}
          draft={`submissions-${bulkRequest.event}`}
          onReason={async (reason) => bulkRequest.done(reason)}
          onClose={() => bulkRequest.done(null)}
        />
      )}
    </>
  )
}

/** Downloads all submissions of the form selected in the filter. */
function ZipOfForm() {
  const typeId = Number(useQueryParam('typeId') ?? 0)
  const { act, busy, refusal } = useAct(async () => {})
  if (!typeId) return null
  return (
    <>
      <Button icon={FileArchive} busy={busy} onClick={() => void act(() => saved(zipSubmissions, { of: { typeId } }))}>
        <Trans>Download all as PDFs</Trans>
      </Button>
      <Refusal>{refusal}</Refusal>
    </>
  )
}

interface FieldProps {
  value: string
  onChange: (value: string) => void
}

function TypeField({ value, onChange }: FieldProps) {
  const { t } = useLingui()
  const { data } = useResponse(formTypeChoices, {})
  return (
    <Select
      className="md:w-48"
      label={t`Form`}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      options={[
        { value: '', label: t`All forms` },
        ...(data?.types ?? []).map(({ id, title }) => ({ value: String(id), label: title })),
      ]}
    />
  )
}

const filters = {
  status: { field: (value, set) => <StatusField of={submissionStates} value={value} onChange={set} />, width: 160 },
  typeId: { field: (value, set) => <TypeField value={value} onChange={set} />, width: 192 },
  assignee: assigneeFilter(submissionCase, { byDepartment: true }),
} satisfies Record<string, OwnFilter>
