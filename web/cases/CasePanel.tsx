import { Trans, useLingui } from '@lingui/react/macro'
import type { CaseCalls, CaseSubject, CaseView } from '../../shared/cases.ts'
import type { Endpoint } from '../../shared/endpoint.ts'
import { useAct } from '../act.ts'
import { keyOf, queries } from '../query.ts'
import { Refusal } from '../ui/Notice.tsx'
import { ReplyForm } from './ReplyForm.tsx'
import { AssignCase } from './AssignCase.tsx'
import { useMarkCaseRead } from './read.ts'
import { Timeline } from './Timeline.tsx'
import { WatchCase } from './WatchCase.tsx'

interface CasePanelProps {
  of: CaseCalls
  subject: CaseSubject
  /** The feature's call that returned `view` for `subject`. */
  viewCall: Endpoint
  view: CaseView
  /** Reloads the data of these cases that is currently shown (`reloadCases`). */
  reload: () => Promise<unknown>
  /** Label such as 'Complete the request with this reply'. Undefined if a reply cannot complete the case. */
  completeLabel?: string | undefined
}

/** The lower half of a case's slide-out: assignee, watchers, timeline, and the reply form. */
export function CasePanel({ of, subject, viewCall, view, reload, completeLabel }: CasePanelProps) {
  const { t } = useLingui()
  useMarkCaseRead(of, { ...subject, lastId: view.lastMessageId })
  const { act, busy, refusal } = useAct(reload)
  const { can, holder } = view
  const refresh = async () => {
    await reload()
    return queries.getQueryData<CaseView>(keyOf(viewCall, subject))?.lastMessageId
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
          <Trans>Timeline</Trans>
        </h3>
        <Timeline of={of} fileOwner={subject} entries={view.entries} seenId={view.seenId} audience="staff" />
      </section>
      {can.note && <ReplyForm of={of} {...subject} view={view} completeLabel={completeLabel} refresh={refresh} />}
    </>
  )
}
