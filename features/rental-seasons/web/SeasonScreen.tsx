import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { formatDate } from '../../../shared/dates.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { dayOf } from '../../../web/clock.ts'
import { useAnswer } from '../../../web/query.ts'
import { useParam } from '../../../web/routes.tsx'
import { OwnOnly } from '../../../web/ui/OwnOnly.tsx'
import { Answered } from '../../../web/ui/Answered.tsx'
import { Card, DetailList } from '../../../web/ui/Card.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { rentalRound } from '../contract.ts'
import { roundStates } from '../states.ts'
import { AllRentals, seeAllRentals } from '../../rentals/web/parts/AllRentals.tsx'
import { ApplyForm } from './ApplyForm.tsx'
import { LotteryDetails } from './DrawShown.tsx'
import { MyApplication } from './MyApplication.tsx'
import { lastDayOf } from '../../../web/time-text.ts'
import { Text } from '../../../web/ui/Text.tsx'

type Round = ResponseOf<typeof rentalRound>

/**
 * Screen of an allocation round: terms and application. After the lottery, the screen also shows the order, hash and
 * seed.
 */
export default function SeasonScreen() {
  const roundId = Number(useParam('roundId'))
  const answer = useAnswer(rentalRound, { roundId })
  return (
    <Measure className="py-10 md:py-14">
      <AllRentals />
      <Answered
        answer={answer}
        shape="lines"
        loading={<Trans>Loading the round</Trans>}
        failed={<Trans>This round could not be loaded</Trans>}
        instead={seeAllRentals}
      >
        {(data) => <One of={data} />}
      </Answered>
    </Measure>
  )
}

function One({ of }: { of: Round }) {
  const { t } = useLingui()
  const [edits, setEdits] = useState(false)
  const { own, mistake, maxChoices, maxHours } = of
  const isIn = own?.status === 'submitted'
  const details = [
    [t`Season`, `${formatDate(of.seasonFrom)} – ${formatDate(of.seasonUntil)}`],
    [t`Apply from`, formatDate(dayOf(of.opensAt))],
    [t`Apply until`, formatDate(lastDayOf(of.closesAt))],
    [t`What`, of.resources.map(({ name }) => name).join(', ')],
    [t`Wishes`, t`${maxChoices} at most`],
    [t`Hours a week`, t`${maxHours} at most`],
    [t`Who may apply`, of.who === 'residents' ? t`Residents` : t`Everybody`],
    [t`To be paid`, t`Within ${of.payDays} days`],
    [t`Groups`, of.groups.length > 0 ? t`In each turn, in this order: ${of.groups.join(', ')}, everybody else` : ''],
    [t`Applications`, String(of.applications)],
  ] as const
  return (
    <>
      <PageHead title={of.name}>
        <Trans>Times for a whole season are drawn by lot, so that nobody has to be the first to call.</Trans>
      </PageHead>
      <div className="grid items-start gap-8 lg:grid-cols-[1fr_22rem]">
        <div className="flex min-w-0 flex-col gap-6 lg:order-1">
          <Stands of={of} />
          {own && !edits && <MyApplication of={of} onEdit={() => setEdits(true)} />}
          {mistake === '' && (!isIn || edits) ? (
            <OwnOnly>
              <ApplyForm of={of} onDone={() => setEdits(false)} />
            </OwnOnly>
          ) : (
            of.status === 'open' && mistake !== '' && <Notice tone="warning">{mistake}</Notice>
          )}
          <LotteryDetails of={of} />
        </div>
        <aside className="order-first min-w-0 lg:order-2">
          <Card as="div">
            <DetailList details={details.filter(([, value]) => value !== '')} />
            {of.says && <p className="mt-5 whitespace-pre-line">{of.says}</p>}
          </Card>
        </aside>
      </div>
    </>
  )
}

const Stands = ({ of }: { of: Round }) => (
  <div className="flex flex-wrap items-center gap-3">
    <StateBadge of={roundStates} state={of.status} />
    <p>
      {of.status === 'open' ? (
        <Trans>Apply until {formatDate(lastDayOf(of.closesAt))}. When you apply makes no difference.</Trans>
      ) : of.status === 'closed' ? (
        <Trans>The time to apply is over. The office draws it next.</Trans>
      ) : of.status === 'lottery_run' ? (
        <Trans>It is drawn. The office looks it over and writes to everybody once it is confirmed.</Trans>
      ) : of.status === 'confirmed' ? (
        <Trans>It is confirmed, and everybody was written to.</Trans>
      ) : (
        <Trans>The round was cancelled.</Trans>
      )}
      {of.reason && (
        <>
          {' '}
          <Text>{of.reason}</Text>
        </>
      )}
    </p>
  </div>
)
