import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { same } from '../../../shared/edits.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { call, messageOf } from '../../../web/call.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Card } from '../../../web/ui/Card.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { rentalLottery, type rentalRound } from '../contract.ts'
import { lotteryOf, hashOfSeed } from '../rules.ts'
import { Text } from '../../../web/ui/Text.tsx'

type Round = ResponseOf<typeof rentalRound>
type ReplayResult = 'same' | 'other' | 'unable'

/** Method, seed and order of the lottery, without names. Anyone can use them to repeat the lottery. */
export function LotteryDetails({ of }: { of: Round }) {
  const { t } = useLingui()
  const { turns } = of
  return (
    <Card>
      <h2 className="mb-3 text-h3">
        <Trans>Lottery method</Trans>
      </h2>
      <p>
        <Trans>
          The portal chose a secret number, called the seed, when the round opened. That day, it published a fingerprint
          of the seed (its SHA-256 hash) here, which proves that the seed has not changed since. The seed determines the
          order of the applications in each group. In each turn, each applicant gets their highest-ranked choice that is
          still available. No one gets a second choice before everyone has had a first turn.
        </Trans>
      </p>
      <dl className="mt-4 flex flex-col gap-2">
        <Hex label={t`SHA-256 hash of the seed`} of={of.seedHash} />
        <Hex label={t`Seed`} of={of.seed || t`Published when the lottery runs`} />
      </dl>
      {turns.length > 0 && (
        <>
          <h3 className="mt-5 mb-2 text-lg">
            <Trans>Lottery order</Trans>
          </h3>
          <div
            className="focus-inside overflow-x-auto"
            // Focusable, so that the keyboard can scroll it.
            // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
            tabIndex={0}
            role="group"
            aria-label={t`Lottery order`}
          >
            <table className="w-full text-left text-table tabular-nums">
              <thead>
                <tr className="border-ink border-b">
                  <th className="py-2 pe-4">
                    <Trans>Position</Trans>
                  </th>
                  <th className="py-2 pe-4">
                    <Trans>Application</Trans>
                  </th>
                  {of.groups.length > 0 && (
                    <th className="py-2 pe-4">
                      <Trans>Group</Trans>
                    </th>
                  )}
                  <th className="py-2 pe-4">
                    <Trans>Choices allocated</Trans>
                  </th>
                  <th className="py-2">
                    <Trans>Not allocated</Trans>
                  </th>
                </tr>
              </thead>
              <tbody>
                {turns.map(({ number, group, allocations, missed }, n) => (
                  <tr key={number} className="border-line border-b">
                    <td className="py-2 pe-4">{n + 1}</td>
                    <th scope="row" className="py-2 pe-4">
                      <Text>{number}</Text>
                      {number === of.own?.number && (
                        <>
                          {' '}
                          <Trans>(yours)</Trans>
                        </>
                      )}
                    </th>
                    {of.groups.length > 0 && <td className="py-2 pe-4">{of.groups[group - 1] ?? t`Everyone else`}</td>}
                    <td className="py-2 pe-4">{allocations.join(', ') || '–'}</td>
                    <td className="py-2">{missed.join(', ') || '–'}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <Repeat roundId={of.id} />
        </>
      )}
    </Card>
  )
}

const Hex = ({ label, of }: { label: string; of: string }) => (
  <div>
    <dt className="font-bold">{label}</dt>
    <dd className="break-all font-mono text-sm">{of}</dd>
  </div>
)

/** Repeats the lottery in this browser from the published data. */
function Repeat({ roundId }: { roundId: number }) {
  const [busy, setBusy] = useState(false)
  const [result, setResult] = useState<ReplayResult | null>(null)
  const [refusal, setRefusal] = useState('')
  const repeat = async () => {
    setBusy(true)
    setRefusal('')
    try {
      setResult(await compare(roundId))
    } catch (error) {
      setRefusal(messageOf(error))
    }
    setBusy(false)
  }
  return (
    <div className="mt-4 flex flex-col items-start gap-3" aria-live="polite">
      <Button busy={busy} onClick={() => void repeat()}>
        <Trans>Verify lottery in browser</Trans>
      </Button>
      {refusal && <Notice tone="danger">{refusal}</Notice>}
      {result === 'same' ? (
        <Notice tone="success">
          <Trans>The seed matches the published hash. Rerunning the lottery produced the same order and choices.</Trans>
        </Notice>
      ) : result === 'other' ? (
        <Notice tone="danger">
          <Trans>The lottery results could not be verified. Contact the office.</Trans>
        </Notice>
      ) : (
        result === 'unable' && (
          <Notice tone="warning">
            <Trans>This browser can't verify the lottery because the connection is not encrypted.</Trans>
          </Notice>
        )
      )}
    </div>
  )
}

async function compare(roundId: number): Promise<ReplayResult> {
  if (!globalThis.crypto?.subtle) return 'unable'
  const { seed, seedHash, inputs, result } = await call(rentalLottery, { roundId })
  return (await hashOfSeed(seed)) === seedHash && same(await lotteryOf(seed, inputs), result) ? 'same' : 'other'
}
