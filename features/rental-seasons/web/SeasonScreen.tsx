import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { formatDate } from '../../../shared/dates.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { dayOf } from '../../../web/clock.ts'
import { useResponse } from '../../../web/query.ts'
import { useParam } from '../../../web/routes.tsx'
import { OwnOnly } from '../../../web/ui/OwnOnly.tsx'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { Card, DetailList } from '../../../web/ui/Card.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { rentalRound } from '../contract.ts'
import { roundStates } from '../states.ts'
import { AllRentals, seeAllRentals } from '../../rentals/web/parts/AllRentals.tsx'
import { ApplyForm } from './ApplyForm.tsx'
import { LotteryDetails } from './LotteryView.tsx'
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
  const response = useResponse(rentalRound, { roundId })
  return (
    <Measure className="py-10 md:py-14">
      <AllRentals />
      <ResponseView
        response={response}
        shape="lines"
        loading={<Trans>Loading the application round</Trans>}
        failed={<Trans>Could not load the application round</Trans>}
        instead={seeAllRentals}
      >
        {(data) => <One of={data} />}
      </ResponseView>
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
    [t`Applications open`, formatDate(dayOf(of.opensAt))],
    [t`Last day to apply`, formatDate(lastDayOf(of.closesAt))],
    [t`Resources`, of.resources.map(({ name }) => name).join(', ')],
    [t`Choices`, t`Up to ${maxChoices}`],
    [t`Hours a week`, t`Up to ${maxHours}`],
    [t`Eligible applicants`, of.audience === 'residents' ? t`Residents` : t`Everyone`],
    [
      t`Payment deadline`,
      t`Within ${plural(of.payDays, { one: '# day', other: '# days' })} after the results are confirmed`,
    ],
    [t`Groups`, of.groups.length > 0 ? t`In each turn, in this order: ${of.groups.join(', ')}, everyone else` : ''],
    [t`Applications`, String(of.applications)],
  ] as const
  return (
    <>
      <PageHead title={of.name}>
        <Trans>A lottery allocates season-long reservations, so you do not need to be the first to call.</Trans>
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
            {of.text && <p className="mt-5 whitespace-pre-line">{of.text}</p>}
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
        <Trans>Apply by {formatDate(lastDayOf(of.closesAt))}. Early and late applications have the same chance.</Trans>
      ) : of.status === 'closed' ? (
        <Trans>The application period has ended. Next, the office will run the lottery.</Trans>
      ) : of.status === 'lottery_run' ? (
        <Trans>The lottery has run. The office will review the results, then confirm them and email everyone.</Trans>
      ) : of.status === 'confirmed' ? (
        <Trans>The results have been confirmed, and we have emailed everyone.</Trans>
      ) : (
        <Trans>This application round was cancelled.</Trans>
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
