import { Trans } from '@lingui/react/macro'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatShortDate } from '../../../shared/dates.ts'
import { StatusBadge } from '../../../web/ui/StatusBadge.tsx'
import type { rentalRound } from '../contract.ts'
import { choiceText } from './choice-text.ts'
import { Text } from '../../../web/ui/Text.tsx'

type RoundChoice = NonNullable<ResponseOf<typeof rentalRound>['own']>['rankedChoices'][number]

/** Choices in order of preference, each with its result. */
export const ChoiceList = ({ rankedChoices }: { rankedChoices: readonly RoundChoice[] }) => (
  <ol className="border-line border-t">
    {rankedChoices.map((choice, n) => (
      <li key={n} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 border-line border-b py-3">
        <div className="min-w-0 flex-1 basis-60">
          <p className="font-bold">
            <Text>{n + 1}</Text>. <Text>{choice.what}</Text>
          </p>
          <p>{choiceText(choice).when}</p>
          <p className="text-muted">{choiceText(choice).days}</p>
          {choice.why && <p>{choice.why}</p>}
          {choice.days.length > 0 && (
            <p className="text-muted">
              <Trans>Reserved: {choice.days.map(({ day }) => formatShortDate(day)).join('; ')}</Trans>
            </p>
          )}
        </div>
        {choice.is === 'allocated' ? (
          <StatusBadge kind="good">
            <Trans>Allocated</Trans>
          </StatusBadge>
        ) : (
          choice.is === 'missed' && (
            <StatusBadge kind="neutral">
              <Trans>Not allocated</Trans>
            </StatusBadge>
          )
        )}
      </li>
    ))}
  </ol>
)
