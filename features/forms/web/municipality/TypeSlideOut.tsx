import { Trans, useLingui } from '@lingui/react/macro'
import { Inbox, ListChecks, Pencil } from 'lucide-react'
import { useState } from 'react'
import { formatDate } from '../../../../shared/dates.ts'
import type { AnswerOf } from '../../../../shared/endpoint.ts'
import { allFields } from '../../../../shared/fields/walk.ts'
import { formatCents } from '../../../../shared/money.ts'
import { translated } from '../../../../shared/words.ts'
import { call } from '../../../../web/call.ts'
import FieldSteps from '../../../../web/fields/FieldSteps.tsx'
import { uploadNothing } from '../../../../web/fields/surroundings.tsx'
import { setQuery } from '../../../../web/go.ts'
import { reload, useAnswer } from '../../../../web/query.ts'
import { Answered } from '../../../../web/ui/Answered.tsx'
import { Button, LinkButton } from '../../../../web/ui/Button.tsx'
import { Facts } from '../../../../web/ui/Card.tsx'
import { CloseAction, SlideOut } from '../../../../web/ui/Dialog.tsx'
import { MoveButtons } from '../../../../web/ui/MoveButtons.tsx'
import { StateBadge } from '../../../../web/ui/StatusBadge.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { changeFormType, showFormType } from '../../contract.ts'
import { formTypes } from '../../list.ts'
import { audiences, categories, feeKinds } from '../../rules.ts'
import { formTypeStates } from '../../states.ts'
import { PdfOfType } from '../pdf/PdfOfType.tsx'

type Type = AnswerOf<typeof showFormType>

/** A form as it is: what is told of it, whose it is, and how residents see it. */
export function TypeSlideOut({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useLingui()
  const answer = useAnswer(showFormType, { typeId: id })
  const { data } = answer
  return (
    <SlideOut
      title={data?.form.title ?? t`Form`}
      onClose={onClose}
      actions={
        <>
          {data?.can['edit'] && (
            <Button icon={Pencil} onClick={() => setQuery({ work: 'edit' })}>
              <Trans>Edit</Trans>
            </Button>
          )}
          <CloseAction onClose={onClose} />
        </>
      }
    >
      <Answered answer={answer} loading={<Trans>Loading the form</Trans>} shape="lines">
        {(type) => <Known type={type} />}
      </Answered>
    </SlideOut>
  )
}

function Known({ type }: { type: Type }) {
  const { t } = useLingui()
  const { id, form, status, url, published, latestVersion, waiting, sent, department, reviewer, can } = type
  const labels = allFields(published)
    .filter(({ name }) => form.limitFields.includes(name))
    .map(({ label }) => label)
  return (
    <div className="flex flex-col gap-6">
      {form.description && <p className="whitespace-pre-line">{form.description}</p>}
      <Facts
        facts={[
          [t`Status`, <StateBadge key="status" of={formTypeStates} state={status} />],
          [t`Category`, translated(categories[form.category])],
          [t`Seen by`, translated(audiences[form.seenBy])],
          [t`Fields`, latestVersion === 0 ? t`None published` : t`Version ${latestVersion}`],
          [t`Fee`, form.feeKind === 'fixed' ? formatCents(form.feeCents ?? 0) : translated(feeKinds[form.feeKind])],
          [t`Reviewed by`, reviewer || department || t`Whoever takes it`],
          ...(form.cosigned ? ([[t`Signatures`, t`A second person signs by a link`]] as const) : []),
          ...(form.mostEach === null
            ? []
            : ([[t`One person sends`, t`At most ${form.mostEach} in ${form.eachDays} days`]] as const)),
          ...(form.mostSame === null
            ? []
            : ([[t`Limit`, t`At most ${form.mostSame} with the same: ${labels.join(', ')}`]] as const)),
          ...(form.issues
            ? ([
                [
                  t`Approval gives`,
                  form.validMonths === null ? form.issues : t`${form.issues}, for ${form.validMonths} months`,
                ],
              ] as const)
            : []),
          ...(form.opensOn ? ([[t`Opens on`, formatDate(form.opensOn)]] as const) : []),
          ...(form.closesOn ? ([[t`Open until`, formatDate(form.closesOn)]] as const) : []),
          [t`Sent`, t`${sent.toLocaleString('en-US')}, ${waiting.toLocaleString('en-US')} waiting`],
          ...(status === 'published' && form.seenBy !== 'staff' ? ([[t`Its address`, url]] as const) : []),
        ]}
      />
      <div className="flex flex-wrap gap-2">
        <LinkButton to={`/municipality/manage/manage-forms-and-docs/${id}/fields`} icon={ListChecks}>
          <Trans>Fields</Trans>
        </LinkButton>
        <LinkButton to={`/municipality/reports/forms-and-docs?typeId=${id}`} icon={Inbox}>
          <Trans>What was sent</Trans>
        </LinkButton>
      </div>
      <MoveButtons
        of={formTypeStates}
        can={{ publish: can['publish'] === true, close: can['close'] === true }}
        onPress={async (event) => {
          toast((await call(changeFormType, { typeId: id, event })).message)
          await Promise.all([reload(formTypes.call), reload(showFormType)])
        }}
      />
      <PdfOfType typeId={id} asks={allFields(type.draft).length > 0} />
      {latestVersion > 0 && <Preview type={type} />}
    </div>
  )
}

/** As a phone shows it. It can be filled in, and keeps nothing. */
function Preview({ type: { id, published, today, latestVersion } }: { type: Type }) {
  const { t } = useLingui()
  const [round, setRound] = useState(0)
  return (
    <section aria-label={t`Preview`} className="border-line border-t pt-5">
      <h3 className="mb-2">
        <Trans>Preview on a phone</Trans>
      </h3>
      <div className="max-w-93.75 rounded-sm border border-edge bg-paper p-4">
        <FieldSteps
          key={`${id} ${latestVersion} ${round}`}
          definition={published}
          start={{}}
          today={today}
          upload={uploadNothing}
          draft={`form-preview-${id}-${latestVersion}`}
          doneLabel={<Trans>Look it over</Trans>}
          onDone={() => {
            toast(t`Everything is filled in as it should be. Nothing was sent: this is a preview.`)
            setRound((n) => n + 1)
          }}
        />
      </div>
    </section>
  )
}
