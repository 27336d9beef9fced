import { Trans, useLingui } from '@lingui/react/macro'
import { Ban, CircleCheck, Tag, UserCheck } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { RowOf } from '../../../../shared/list.ts'
import { AssigneeChoice } from '../../../../web/cases/AssigneeChoice.tsx'
import { runBulk, withReload } from '../../../../web/list/bulk.ts'
import { useResponse } from '../../../../web/query.ts'
import { may } from '../../../../web/session.ts'
import { Select } from '../../../../web/ui/Choice.tsx'
import { FormDialog } from '../../../../web/ui/FormDialog.tsx'
import { useZodForm } from '../../../../web/ui/form.ts'
import type { BulkAction } from '../../../../web/ui/office/table/bulk.ts'
import { TextArea } from '../../../../web/ui/TextField.tsx'
import { requestCase } from '../../contract.ts'
import {
  assignRequests,
  changeCategories,
  completeRequests,
  markRequestsAsSpam,
  replyForm,
} from '../../contract-bulk.ts'
import { staffCategories } from '../../contract-staff.ts'
import type { inbox } from '../../list.ts'
import { reloadRequests } from './fresh.ts'

type Row = RowOf<typeof inbox>
type Result = { message: string; failed: { row: Row; text: string }[] } | null

/** Actions on several requests, and the dialog for the reply that completes them. */
export function useRequestBulk(): { actions: BulkAction<Row>[]; dialog: ReactNode } {
  const { t } = useLingui()
  const [replying, setReplying] = useState<{ rows: readonly Row[]; done: (result: Result) => void } | null>(null)
  const actions: BulkAction<Row>[] = [
    ...(may(...requestCase.rights.assign)
      ? [
          {
            label: t`Assign`,
            icon: UserCheck,
            field: (value: string, set: (value: string) => void) => (
              <AssigneeChoice of={requestCase} value={value} onChange={set} />
            ),
            run: (rows: readonly Row[], value: string) => {
              const [personId, departmentId] = value.startsWith('p')
                ? [Number(value.slice(1)), null]
                : [null, Number(value.slice(1))]
              return runBulk(assignRequests, rows, () => ({ personId, departmentId }))
            },
          },
        ]
      : []),
    ...(may(...requestCase.rights.write)
      ? [
          {
            label: t`Set category`,
            icon: Tag,
            field: (value: string, set: (value: string) => void) => <CategoryChoice value={value} onChange={set} />,
            run: (rows: readonly Row[], categoryId: string) => runBulk(changeCategories, rows, () => ({ categoryId })),
          },
          {
            label: t`Reply and complete`,
            icon: CircleCheck,
            run: (rows: readonly Row[]) => new Promise<Result>((done) => setReplying({ rows, done })),
          },
          {
            label: t`Mark as spam`,
            icon: Ban,
            confirm: () => t`The requests are closed as Invalid. No one is notified.`,
            run: (rows: readonly Row[]) => runBulk(markRequestsAsSpam, rows, () => ({})),
          },
        ]
      : []),
  ]
  return {
    actions: withReload(actions, reloadRequests),
    dialog: replying && (
      <ReplyDialog
        count={replying.rows.length}
        onReply={async (message) => {
          const result = await runBulk(completeRequests, replying.rows, (rows) => ({
            message,
            updatedAt: Object.fromEntries(rows.map(({ id, updatedAt }) => [id, updatedAt])),
          }))
          setReplying(null)
          replying.done(result)
        }}
        onClose={() => {
          setReplying(null)
          replying.done(null)
        }}
      />
    ),
  }
}

function CategoryChoice({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { t } = useLingui()
  const { data } = useResponse(staffCategories, {})
  const categories = data?.categories.filter(({ active }) => active) ?? []
  return (
    <Select
      className="md:w-48"
      label={t`New category`}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      options={[
        { value: '', label: t`Choose` },
        ...categories.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
    />
  )
}

interface ReplyDialogProps {
  count: number
  onReply: (message: string) => Promise<void>
  onClose: () => void
}

function ReplyDialog({ count, onReply, onClose }: ReplyDialogProps) {
  const { t } = useLingui()
  const form = useZodForm(replyForm, { defaultValues: { message: '' }, draft: { name: 'requests-complete' } })
  return (
    <FormDialog
      title={t`Reply and complete`}
      submit={t`Send and complete`}
      form={form}
      onSubmit={({ message }) => onReply(message)}
      onClose={onClose}
    >
      <p>
        {count === 1 ? (
          <Trans>The requester gets this reply by email. The request is then completed.</Trans>
        ) : (
          <Trans>All {count} requesters get this reply by email. Their requests are then completed.</Trans>
        )}
      </p>
      <TextArea label={t`Reply`} rows={6} maxLength={4000} {...form.field('message')} />
    </FormDialog>
  )
}
