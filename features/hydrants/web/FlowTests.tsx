import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { formatShortDate } from '../../../shared/dates.ts'
import { call } from '../../../web/call.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { ReasonDialog } from '../../../web/ui/ReasonDialog.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { translated } from '../../../shared/messages.ts'
import { voidFlowTest } from '../contract.ts'
import { dropOf, dropMessages } from '../rules.ts'
import { ClassMark } from './badges.tsx'
import { type HydrantDetails, reloadHydrants } from './fresh.ts'
import { Text } from '../../../web/ui/Text.tsx'

/** Returns a warning with a trailing space if the pressure drop is too small. Otherwise empty. */
function checked(test: HydrantDetails['tests'][number]): string {
  const dropMessage = dropMessages[dropOf(test)]
  return dropMessage ? `${translated(dropMessage)} ` : ''
}

/** Flow tests of a hydrant, newest first. Staff can void a wrong test, which stays in the list. */
export function FlowTests({ hydrant: { id, tests, can } }: { hydrant: HydrantDetails }) {
  const { t } = useLingui()
  const [voided, setVoided] = useState<number | null>(null)
  return (
    <section className="mt-7">
      <h3 className="mb-2 text-lg">
        <Trans>Flow tests</Trans>
      </h3>
      {tests.length === 0 && (
        <p className="text-muted">
          <Trans>No flow tests recorded yet.</Trans>
        </p>
      )}
      <ul className="flex flex-col gap-3">
        {tests.map((test) => (
          <li key={test.id} className="rounded-sm border border-line p-3">
            <div className="flex flex-wrap items-center justify-between gap-2">
              <strong>
                <Trans>
                  {formatShortDate(test.testedOn)}: {test.availableGpm.toLocaleString('en-US')} GPM at 20 psi
                </Trans>
              </strong>
              <ClassMark of={test.flowClass} />
            </div>
            <p className="text-sm">
              <Trans>
                Static {test.staticPsi} psi, residual {test.residualPsi} psi, {test.flowGpm.toLocaleString('en-US')} GPM
                flowed. Tested by {test.testedBy}.
              </Trans>{' '}
              <Text>
                {test.outlets
                  .map(
                    ({ diameterInches, coefficient, pitotPsi }) =>
                      t`${diameterInches} inches, coefficient ${coefficient}, pitot ${pitotPsi} psi`,
                  )
                  .join('; ')}
              </Text>
              {'. '}
              <Text>{checked(test)}</Text>
              <Text>{test.flowedAt && ` ${t`Water flowed from ${test.flowedAt}.`}`}</Text> <Text>{test.notes}</Text>
            </p>
            {test.voidReason ? (
              <p className="mt-1 font-bold text-sm">
                <Trans>
                  Voided by {test.voidedBy}, not counted. Reason: {test.voidReason}
                </Trans>
              </p>
            ) : (
              can.test && (
                <Button size="small" variant="quiet" onClick={() => setVoided(test.id)}>
                  <Trans>Void test from {formatShortDate(test.testedOn)}</Trans>
                </Button>
              )
            )}
          </li>
        ))}
      </ul>
      {voided !== null && (
        <ReasonDialog
          title={t`Void flow test`}
          text={
            <Trans>
              The test will stay in the list with your reason but will not count. The newest remaining test will count
              instead.
            </Trans>
          }
          draft={`flow-test-struck:${voided}`}
          onClose={() => setVoided(null)}
          onReason={async (reason) => {
            toast((await call(voidFlowTest, { hydrantId: id, testId: voided, reason })).message)
            await reloadHydrants()
          }}
        />
      )}
    </section>
  )
}
