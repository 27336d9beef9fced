import { Trans, useLingui } from '@lingui/react/macro'
import { ChevronLeft, Dices } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { formatDate } from '../../../shared/dates.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { translated } from '../../../shared/messages.ts'
import { useAct } from '../../../web/act.ts'
import { call } from '../../../web/call.ts'
import { longInstant } from '../../../web/clock.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { Button, LinkButton } from '../../../web/ui/Button.tsx'
import { DetailList } from '../../../web/ui/Card.tsx'
import { ConfirmDialog } from '../../../web/ui/Dialog.tsx'
import { MoveButtons } from '../../../web/ui/MoveButtons.tsx'
import { Notice, Refusal } from '../../../web/ui/Notice.tsx'
import { History } from '../../../web/ui/office/History.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { confirmRound, staffRound, runLottery, transitionRound, repeatLottery, roundAudiences } from '../contract.ts'
import { applications } from '../list.ts'
import { STAFF_PATH } from '../../rentals/rules.ts'
import { roundStates } from '../states.ts'
import { AllocatedTimes } from './AllocatedTimes.tsx'
import { reloadSeasons } from './fresh.ts'
import { EditRound } from './RoundSlideOut.tsx'

type Round = ResponseOf<typeof staffRound>
const SOON = 3000
/** Returns true if some applicants have not received their result yet. */
const isAllocating = (round: Round | undefined): boolean =>
  round?.status === 'confirmed' && round.decided < round.applications

/** Allocation round as staff see it: terms, lottery results and available actions. */
export function RoundView({ id }: { id: number }) {
  const response = useResponse(staffRound, { roundId: id }, { refetchInterval: (round) => isAllocating(round) && SOON })
  const decided = response.data?.decided
  const decidedBefore = useRef(decided)
  // Reloads the list of applications below, so that it shows the new allocations.
  useEffect(() => {
    if (decidedBefore.current !== undefined && decidedBefore.current !== decided) void reload(applications.call)
    decidedBefore.current = decided
  }, [decided])
  return (
    <section className="mb-8">
      <LinkButton size="small" variant="quiet" icon={ChevronLeft} to={`${STAFF_PATH}?of=seasons`}>
        <Trans>All rounds</Trans>
      </LinkButton>
      <ResponseView
        response={response}
        shape="lines"
        loading={<Trans>Loading the application round</Trans>}
        failed={<Trans>Could not load the application round</Trans>}
      >
        {(data) => <RoundContent of={data} />}
      </ResponseView>
    </section>
  )
}

function RoundContent({ of }: { of: Round }) {
  const { t } = useLingui()
  const { id, can, form, maxHours, maxChoices, payDays } = of
  const [openDialog, setOpenDialog] = useState<'edit' | 'draw' | 'confirm' | null>(null)
  const { act, busy, refusal } = useAct(reloadSeasons)
  const details = [
    [t`Season`, `${formatDate(of.seasonFrom)} – ${formatDate(of.seasonUntil)}`],
    [t`Application period`, `${formatDate(form.opensOn)} – ${formatDate(form.closesOn)}`],
    [t`Resources`, of.resources.map(({ name }) => name).join(', ')],
    [t`Limits per applicant`, t`Choices: ${maxChoices}, hours a week: ${maxHours}, days to pay: ${payDays}`],
    [t`Eligible applicants`, translated(roundAudiences[of.audience])],
    [t`Groups`, of.groups.join(', ')],
    [t`SHA-256 hash of the seed`, of.seedHash],
    [t`Seed`, of.seed],
    [t`Lottery run`, of.lotteryRanAt ? longInstant(of.lotteryRanAt) : ''],
  ] as const
  return (
    <>
      <div className="my-3 flex flex-wrap items-center gap-3">
        <h2 className="text-h3">{of.name}</h2>
        <StateBadge of={roundStates} state={of.status} />
      </div>
      <DetailList className="text-table break-words" details={details.filter(([, value]) => value !== '')} />
      <Refusal className="mt-4">{refusal}</Refusal>
      {of.status === 'confirmed' && of.decided < of.applications && (
        <Notice className="mt-4">
          <Trans>
            Applicants who have received their results by email: {of.decided} of {of.applications}.
          </Trans>
        </Notice>
      )}
      <div className="mt-4 flex flex-wrap gap-2 empty:hidden">
        {can.edit && (
          <Button size="small" onClick={() => setOpenDialog('edit')}>
            <Trans>Change terms</Trans>
          </Button>
        )}
        {can.lottery && (
          <Button size="small" variant="primary" icon={Dices} onClick={() => setOpenDialog('draw')}>
            <Trans>Run lottery</Trans>
          </Button>
        )}
        {can.confirm && (
          <Button size="small" variant="primary" onClick={() => setOpenDialog('confirm')}>
            <Trans>Confirm results</Trans>
          </Button>
        )}
      </div>
      <MoveButtons
        of={roundStates}
        can={can.steps as never}
        dialog={{ draft: `round-${id}`, text: () => <Trans>Everyone who views the round will see this reason.</Trans> }}
        onPress={async (event, reason) => {
          toast((await call(transitionRound, { roundId: id, event, ...(reason && { reason }) })).message)
          await reloadSeasons()
        }}
      />
      {of.lotteryRanAt && <LotterySection of={of} />}
      <History history={of.history} />
      {openDialog === 'edit' && <EditRound id={id} form={form} onClose={() => setOpenDialog(null)} />}
      {openDialog === 'draw' && (
        <ConfirmDialog
          title={<Trans>Run the lottery for {of.name}?</Trans>}
          confirmLabel={<Trans>Run lottery</Trans>}
          busy={busy}
          onClose={() => setOpenDialog(null)}
          onConfirm={() => void act(() => call(runLottery, { roundId: id })).then(() => setOpenDialog(null))}
        >
          <Trans>
            The lottery can run only once. Applications in the lottery: {of.applications}. The portal will immediately
            publish the seed and the order of the application numbers.
          </Trans>
        </ConfirmDialog>
      )}
      {openDialog === 'confirm' && (
        <ConfirmDialog
          title={<Trans>Confirm the results for {of.name}?</Trans>}
          confirmLabel={<Trans>Confirm results</Trans>}
          busy={busy}
          onClose={() => setOpenDialog(null)}
          onConfirm={() => void act(() => call(confirmRound, { roundId: id })).then(() => setOpenDialog(null))}
        >
          <Trans>
            The portal will reserve the allocated times, for a total of {formatCents(of.totalCents)}. Each applicant
            will get an email that lists which choices were allocated, which were not, and why.
          </Trans>
        </ConfirmDialog>
      )}
    </>
  )
}

function LotterySection({ of }: { of: Round }) {
  const [result, setResult] = useState<ResponseOf<typeof repeatLottery> | null>(null)
  const [busy, setBusy] = useState(false)
  const repeat = async () => {
    setBusy(true)
    setResult(await call(repeatLottery, { roundId: of.id }).catch(() => null))
    setBusy(false)
  }
  return (
    <section className="mt-6">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 className="text-lg">
          <Trans>Lottery results</Trans>
        </h3>
        <Button size="small" busy={busy} onClick={() => void repeat()}>
          <Trans>Verify lottery</Trans>
        </Button>
      </div>
      <div aria-live="polite" className="my-3 empty:hidden">
        {result &&
          (result.isSame && result.isItsSeed ? (
            <Notice tone="success">
              <Trans>Rerunning the lottery produced the same result, and the seed matches the published hash.</Trans>
            </Notice>
          ) : (
            <Notice tone="danger">
              <Trans>The lottery results could not be verified. Do not confirm them. Contact support.</Trans>
            </Notice>
          ))}
      </div>
      <AllocatedTimes of={of} />
    </section>
  )
}
