import { Trans } from '@lingui/react/macro'
import { translated } from '../../../shared/words.ts'
import { call } from '../../../web/call.ts'
import { go } from '../../../web/go.ts'
import { useAnswer } from '../../../web/query.ts'
import { Answered } from '../../../web/ui/Answered.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { keepRegistrationDraft, newRegistration, sendRegistration } from '../contract.ts'
import { type Kind, kinds, MINE_PATH } from '../rules.ts'
import { Filled } from './Filled.tsx'
import { reloadMine } from './fresh.ts'

/** A new registration. What is typed is kept at each step, so that it can be gone on with on another device. */
export function NewRegistration({ kind }: { kind: Kind }) {
  const answer = useAnswer(newRegistration, { kind })
  return (
    <>
      <p className="mb-4 text-lg">{translated(kinds[kind])}</p>
      <Answered answer={answer} shape="lines" loading={<Trans>Loading what is asked</Trans>}>
        {({ definition, version, start, place, today, changes, isDraft }) => (
          <>
            {isDraft && (
              <p className="mb-3 text-muted">
                <Trans>You began this before. What you typed is here, and is not sent yet.</Trans>
              </p>
            )}
            <Filled
              {...{ definition, start, place, today, changes }}
              draft={`registration-${kind}-${version}`}
              onKeep={(raw) => void call(keepRegistrationDraft, { kind, version, raw }).catch(() => undefined)}
              doneLabel={<Trans>Send it</Trans>}
              onSend={async (where, answers) => {
                const { id, message } = await call(sendRegistration, { kind, place: where, answers })
                toast(message)
                await reloadMine()
                go(`${MINE_PATH}?registration=${id}`)
              }}
            />
          </>
        )}
      </Answered>
    </>
  )
}
