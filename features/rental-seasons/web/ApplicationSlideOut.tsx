import { Trans, useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { useAct } from '../../../web/act.ts'
import { call } from '../../../web/call.ts'
import { useResponse } from '../../../web/query.ts'
import { ResponseSlideOut } from '../../../web/ui/ResponseView.tsx'
import { DetailList } from '../../../web/ui/Card.tsx'
import { Select } from '../../../web/ui/Choice.tsx'
import { MoveButtons } from '../../../web/ui/MoveButtons.tsx'
import { Refusal } from '../../../web/ui/Notice.tsx'
import { History } from '../../../web/ui/office/History.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { staffApplication, groupApplication, transitionApplication } from '../contract.ts'
import { applicationStates } from '../states.ts'
import { reloadSeasons } from './fresh.ts'
import { ChoiceList } from './ChoiceList.tsx'

/** Application as staff see it: applicant, choices, group and result. */
export function ApplicationSlideOut({ id, onClose }: { id: number; onClose: () => void }) {
  const response = useResponse(staffApplication, { applicationId: id })
  return (
    <ResponseSlideOut
      title={response.data ? <Trans>Application {response.data.number}</Trans> : <Trans>Application</Trans>}
      loading={<Trans>Loading the application</Trans>}
      failed={<Trans>Could not load the application</Trans>}
      response={response}
      onClose={onClose}
    >
      {(data) => <ApplicationContent of={data} />}
    </ResponseSlideOut>
  )
}

function ApplicationContent({ of }: { of: ResponseOf<typeof staffApplication> }) {
  const { t } = useLingui()
  const { act, busy, refusal } = useAct(reloadSeasons)
  const details = [
    [t`Round`, of.round],
    [t`Name`, of.isResident ? t`${of.name}, resident` : of.name],
    [t`Team or club`, of.club],
    [t`Email`, of.email],
    [t`Phone`, of.phone && formatPhone(of.phone)],
    [t`Purpose`, of.purpose],
    [t`People`, of.guests > 0 ? String(of.guests) : ''],
    [t`Group`, of.can.group ? '' : (of.groups[of.group - 1] ?? '')],
  ] as const
  return (
    <>
      <StateBadge className="mb-4" of={applicationStates} state={of.status} />
      <DetailList className="text-table" details={details.filter(([, value]) => value !== '')} />
      <Refusal className="mt-4">{refusal}</Refusal>
      {of.can.group && (
        <div className="mt-4">
          <Select
            label={t`Group`}
            value={of.group}
            disabled={busy}
            options={[
              ...of.groups.map((label, n) => ({ value: n + 1, label })),
              { value: 0, label: t`No group (last in each turn)` },
            ]}
            onChange={({ target }) =>
              void act(() => call(groupApplication, { applicationId: of.id, group: Number(target.value) }))
            }
          />
        </div>
      )}
      <h3 className="mt-6 mb-2 text-base">
        <Trans>Choices</Trans>
      </h3>
      <div className="text-table">
        <ChoiceList rankedChoices={of.rankedChoices} />
      </div>
      <MoveButtons
        of={applicationStates}
        can={of.can.steps as never}
        dialog={{ draft: `application-${of.id}`, text: () => <Trans>The applicant will see this reason.</Trans> }}
        onPress={async (event, reason) => {
          toast((await call(transitionApplication, { applicationId: of.id, event, ...(reason && { reason }) })).message)
          await reloadSeasons()
        }}
      />
      <History history={of.history} />
    </>
  )
}
