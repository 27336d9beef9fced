import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { formatShortDate } from '../../../shared/dates.ts'
import { call, messageOf } from '../../../web/call.ts'
import { go } from '../../../web/go.ts'
import { useResponse } from '../../../web/query.ts'
import { useSession } from '../../../web/session.ts'
import { Button, LinkButton } from '../../../web/ui/Button.tsx'
import { Card } from '../../../web/ui/Card.tsx'
import { Refusal } from '../../../web/ui/Notice.tsx'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { myMoves, openMyMove } from '../contract.ts'
import { moveStates } from '../states.ts'
import { useKinds } from './kinds.ts'
import { Text } from '../../../web/ui/Text.tsx'

/** Screen with the three kinds of move, and the moves of a signed-in person. */
export default function RelocateScreen() {
  const kinds = useKinds()
  const session = useSession()
  return (
    <Measure className="py-10 md:py-14">
      <div className="mx-auto max-w-text">
        <PageHead title={<Trans>Relocation</Trans>}>
          <Trans>Tell us where and when you are moving. We will take care of the meters and the accounts.</Trans>
        </PageHead>
        <ul className="flex flex-col gap-4">
          {([1, 2, 3] as const).map((kind) => (
            <li key={kind}>
              <Card as="div" className="flex flex-wrap items-center justify-between gap-4">
                <div className="min-w-0 flex-1 basis-60">
                  <h2 className="mb-1 text-h3">{kinds[kind].label}</h2>
                  <p className="text-muted">{kinds[kind].text}</p>
                </div>
                <LinkButton variant="primary" to={kinds[kind].path}>
                  {kinds[kind].title}
                </LinkButton>
              </Card>
            </li>
          ))}
        </ul>
        {session && <MyMoves />}
      </div>
    </Measure>
  )
}

function MyMoves() {
  const { t } = useLingui()
  const kinds = useKinds()
  const { data } = useResponse(myMoves, {})
  const [refusal, setRefusal] = useState('')
  const see = async (moveId: number) => {
    setRefusal('')
    try {
      const { token } = await call(openMyMove, { moveId })
      go(`/relocate/request/${token}`)
    } catch (error) {
      setRefusal(messageOf(error))
    }
  }
  if (!data || data.moves.length === 0) return null
  return (
    <section className="mt-10">
      <h2 className="mb-3 text-h3">
        <Trans>Your move requests</Trans>
      </h2>
      <Refusal>{refusal}</Refusal>
      <ul className="flex flex-col gap-3">
        {data.moves.map((move) => (
          <li key={move.id} className="flex flex-wrap items-center justify-between gap-3">
            <span className="wrap-anywhere">
              <strong>{move.number}</strong> <Text>{kinds[move.kind as 1 | 2 | 3].title}</Text>,{' '}
              <Text>{formatShortDate(move.entersOn || move.leavesOn)}</Text>{' '}
              <StateBadge of={moveStates} state={move.status} />
            </span>
            <Button size="small" aria-label={t`View move request ${move.number}`} onClick={() => void see(move.id)}>
              <Trans>View</Trans>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
