import { feetOf } from '../../../../shared/units.ts'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { shortDay } from '../../../../web/clock.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { StepCard } from '../../../../web/cases/SendingSteps.tsx'
import { FollowButton } from './FollowButton.tsx'
import { type NearbyRequest } from './steps.ts'
import { RequestLine } from './RequestLine.tsx'
import { Text } from '../../../../web/ui/Text.tsx'

interface Props {
  near: readonly NearbyRequest[]
  moved: boolean
  onOther: () => void
  /** Called if the person follows an existing request. The portal then does not send the report. */
  onFollowed: () => void
  onBack: () => void
}

/** Step that lists existing requests nearby. The person can follow one of them instead of sending a duplicate. */
export function NearStep({ near, moved, onOther, onFollowed, onBack }: Props) {
  const [followed, setFollowed] = useState(false)
  return (
    <StepCard title={<Trans>Is your problem one of these?</Trans>} moved={moved}>
      <p className="mb-4 text-muted">
        <Trans>
          These problems were reported nearby and are still open. If yours is one of them, follow it to get updates.
        </Trans>
      </p>
      <ul className="mb-5 divide-y divide-line border-line border-y">
        {near.map(({ publicId, number, title, location, at, status, metres }) => (
          <li key={publicId} className="flex flex-col gap-2 py-3">
            <RequestLine title={title} number={number} status={status} location={location}>
              {metres !== null && (
                <>
                  <Trans>{feetOf(metres)} ft away</Trans>
                  <Text>{' · '}</Text>
                </>
              )}
              <Trans>Reported on {shortDay(at)}</Trans>
            </RequestLine>
            <FollowButton
              publicId={publicId}
              number={number}
              onFollowed={() => {
                setFollowed(true)
                onFollowed()
              }}
            />
          </li>
        ))}
      </ul>
      {!followed && (
        <div className="flex flex-wrap gap-3">
          <Button variant="primary" onClick={onOther}>
            <Trans>No, report a new problem</Trans>
          </Button>
          <Button onClick={onBack}>
            <Trans>Back</Trans>
          </Button>
        </div>
      )}
    </StepCard>
  )
}
