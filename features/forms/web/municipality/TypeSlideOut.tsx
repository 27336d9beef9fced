import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Copy, Inbox, ListChecks, NotebookPen, Pencil } from 'lucide-react'
import { formatDate } from '../../../../shared/dates.ts'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { allFields } from '../../../../shared/fields/walk.ts'
import { formatCents } from '../../../../shared/money.ts'
import { translated } from '../../../../shared/messages.ts'
import { Preview } from '../../../../web/fields/Preview.tsx'
import { setQuery } from '../../../../web/go.ts'
import { useResponse } from '../../../../web/query.ts'
import { ResponseSlideOut } from '../../../../web/ui/ResponseView.tsx'
import { Button, LinkButton } from '../../../../web/ui/Button.tsx'
import { DetailList } from '../../../../web/ui/Card.tsx'
import { StateBadge } from '../../../../web/ui/StatusBadge.tsx'
import { showFormType } from '../../contract.ts'
import { audiences, categories, feeKinds } from '../../rules.ts'
import { formTypeStates } from '../../states.ts'
import { copyForm } from './copy-form.ts'
import { PdfOfType } from '../pdf/PdfOfType.tsx'
import { StatusButtons } from './StatusButtons.tsx'

type Type = ResponseOf<typeof showFormType>

/** Panel of one form with its settings, owner and audience. */
export const TypeSlideOut = ({ id, onClose }: { id: number; onClose: () => void }) => (
  <ResponseSlideOut
    title={<Trans>Form</Trans>}
    named={({ form }) => form.title}
    onClose={onClose}
    response={useResponse(showFormType, { typeId: id })}
    loading={<Trans>Loading form</Trans>}
    actions={({ can }) =>
      can['edit'] && (
        <>
          <Button icon={Pencil} onClick={() => setQuery({ work: 'edit' })}>
            <Trans>Edit</Trans>
          </Button>
          <Button icon={Copy} onClick={() => void copyForm({ id })}>
            <Trans>Copy</Trans>
          </Button>
        </>
      )
    }
  >
    {(type) => <ExistingType type={type} />}
  </ResponseSlideOut>
)

function ExistingType({ type }: { type: Type }) {
  const { t } = useLingui()
  const { id, form, status, url, published, latestVersion, pending, sent, department, reviewer, can } = type
  const labels = allFields(published)
    .filter(({ name }) => form.limitFields.includes(name))
    .map(({ label }) => label)
  return (
    <div className="flex flex-col gap-6">
      {form.description && <p className="whitespace-pre-line">{form.description}</p>}
      <DetailList
        details={[
          [t`Status`, <StateBadge key="status" of={formTypeStates} state={status} />],
          [t`Category`, translated(categories[form.category])],
          [t`Visible to`, translated(audiences[form.seenBy])],
          [t`Fields`, latestVersion === 0 ? t`None published` : t`Version ${latestVersion}`],
          [t`Fee`, form.feeKind === 'fixed' ? formatCents(form.feeCents ?? 0) : translated(feeKinds[form.feeKind])],
          [t`Reviewed by`, reviewer || department || t`Any staff member`],
          ...(form.cosigned ? ([[t`Signatures`, t`A second signer gets a link`]] as const) : []),
          ...(form.maxEach === null
            ? []
            : ([
                [
                  t`Limit per person`,
                  t`Up to ${form.maxEach} in ${plural(form.eachDays, { one: '# day', other: '# days' })}`,
                ],
              ] as const)),
          ...(form.maxSame === null
            ? []
            : ([
                [t`Limit`, t`Submissions with the same answers to ${labels.join(', ')}: at most ${form.maxSame}`],
              ] as const)),
          ...(form.issues
            ? ([
                [
                  t`Issued on approval`,
                  form.validMonths === null
                    ? form.issues
                    : t`${form.issues}, valid for ${plural(form.validMonths, { one: '# month', other: '# months' })}`,
                ],
              ] as const)
            : []),
          ...(form.opensOn ? ([[t`Opens on`, formatDate(form.opensOn)]] as const) : []),
          ...(form.closesOn ? ([[t`Open until`, formatDate(form.closesOn)]] as const) : []),
          [t`Submitted`, t`${sent.toLocaleString('en-US')} in total, ${pending.toLocaleString('en-US')} still open`],
          ...(status === 'published' && form.seenBy !== 'staff' ? ([[t`Link to the form`, url]] as const) : []),
        ]}
      />
      <div className="flex flex-wrap gap-2">
        <LinkButton to={`/municipality/manage/manage-forms-and-docs/${id}/fields`} icon={ListChecks}>
          <Trans>Fields</Trans>
        </LinkButton>
        {can['enter'] && (
          <LinkButton to={`/municipality/manage/manage-forms-and-docs/${id}/fill`} icon={NotebookPen}>
            <Trans>Fill out form for someone else</Trans>
          </LinkButton>
        )}
        <LinkButton to={`/municipality/reports/forms-and-docs?typeId=${id}`} icon={Inbox}>
          <Trans>Submissions</Trans>
        </LinkButton>
      </div>
      <StatusButtons id={id} can={can} />
      <PdfOfType typeId={id} hasFields={allFields(type.draft).length > 0} />
      {latestVersion > 0 && <Preview name={`form-${id}`} of={type} doneLabel={<Trans>Review</Trans>} />}
    </div>
  )
}
