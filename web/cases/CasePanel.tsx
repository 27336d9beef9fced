import { Trans, useLingui } from '@lingui/react/macro'
import type { CaseCalls, CaseSubject, CaseView } from '../../shared/cases.ts'
import type { Endpoint } from '../../shared/endpoint.ts'
import { useAct } from '../act.ts'
import { keyOf, queries } from '../query.ts'
import { Refusal } from '../ui/Notice.tsx'
import { AnswerForm } from './AnswerForm.tsx'
import { AssignCase } from './AssignCase.tsx'
import { useReadCase } from './read.ts'
import { Timeline } from './Timeline.tsx'
import { WatchCase } from './WatchCase.tsx'

interface CasePanelProps {
  of: CaseCalls
  subject: CaseSubject
  /** The feature's call that shows the thing, asked with `subject`, whose answer this is. */
  show: Endpoint
  view: CaseView
  /** Loads anew what is on show of these cases (`reloadCases`). */
  reload: () => Promise<unknown>
  /** 'Complete the request with this reply', where an answer can complete it. */
  completeLabel?: string | undefined
}

/** The lower half of a case's slide-out: who has it, who watches, what was said and done, and the field to answer in. */
export function CasePanel({ of, subject, show, view, reload, completeLabel }: CasePanelProps) {
  const { t } = useLingui()
  useReadCase(of, { ...subject, lastId: view.lastMessageId })
  const { act, busy, refusal } = useAct(reload)
  const { can, holder } = view
  const renew = async () => {
    await reload()
    return queries.getQueryData<CaseView>(keyOf(show, subject))?.lastMessageId
  }
  return (
    <>
      <Refusal className="mt-5">{refusal}</Refusal>
      {can.assign && (
        <AssignCase
          key={JSON.stringify(holder)}
          of={of}
          {...subject}
          holder={holder}
          label={t`Assign to other admin`}
          busy={busy}
          act={act}
        />
      )}
      <WatchCase of={of} {...subject} view={view} busy={busy} act={act} />
      <section className="mt-7">
        <h3 className="mb-2 text-lg">
          <Trans>Conversation</Trans>
        </h3>
        <Timeline of={of} way={subject} entries={view.entries} seenId={view.seenId} audience="staff" />
      </section>
      {can.note && <AnswerForm of={of} {...subject} view={view} completeLabel={completeLabel} renew={renew} />}
    </>
  )
}
