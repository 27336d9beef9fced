import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { ResponseOf, RequestInputOf } from '../../../../shared/endpoint.ts'
import { ResponseView } from '../../../../web/ui/ResponseView.tsx'
import { endMySession, mySessions } from '../../../identity/contract.ts'
import { call, messageOf } from '../../../../web/call.ts'
import { shortInstant } from '../../../../web/clock.ts'
import { reload, useResponse } from '../../../../web/query.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { Panel } from '../../../../web/ui/Card.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { Text } from '../../../../web/ui/Text.tsx'

type Row = ResponseOf<typeof mySessions>['sessions'][number]

/** List of active sessions. The person can end any session except the current one. */
export function SessionsPanel() {
  const response = useResponse(mySessions, {})
  const [busy, setBusy] = useState<number | 'others' | null>(null)
  const end = async (which: RequestInputOf<typeof endMySession>) => {
    setBusy('id' in which ? which.id : 'others')
    try {
      toast((await call(endMySession, which)).message)
    } catch (failure) {
      toast(messageOf(failure), 'danger')
    } finally {
      await reload(mySessions)
      setBusy(null)
    }
  }
  return (
    <Panel id="sessions" title={<Trans>Active sessions</Trans>}>
      <ResponseView
        response={response}
        rows={2}
        loading={<Trans>Loading your sessions</Trans>}
        failed={<Trans>Your sessions could not be loaded</Trans>}
      >
        {({ sessions }) => <Sessions sessions={sessions} busy={busy} end={(which) => void end(which)} />}
      </ResponseView>
    </Panel>
  )
}

interface SessionsProps {
  sessions: readonly Row[]
  /** Session that is being ended. */
  busy: number | 'others' | null
  end: (which: RequestInputOf<typeof endMySession>) => void
}

function Sessions({ sessions, busy, end }: SessionsProps) {
  const others = sessions.filter(({ current }) => !current)
  return (
    <>
      <ul>
        {sessions.map((row) => (
          <Session key={row.id} {...row} busy={busy === row.id} onEnd={() => end({ id: row.id })} />
        ))}
      </ul>
      {others.length === 0 && (
        <p className="mt-3 text-muted">
          <Trans>You are not signed in anywhere else.</Trans>
        </p>
      )}
      {others.length > 1 && (
        <Button className="mt-4" busy={busy === 'others'} onClick={() => end({ others: true })}>
          <Trans>End all other sessions</Trans>
        </Button>
      )}
    </>
  )
}

function Session({ device, address, since, seen, current, busy, onEnd }: Row & { busy: boolean; onEnd: () => void }) {
  const { t } = useLingui()
  const [from, last] = [shortInstant(since), shortInstant(seen)]
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 border-line border-b py-3 first:pt-0 last:border-b-0">
      <div className="min-w-0 flex-1">
        <p className="font-bold">
          <Text>{device}</Text>
          {current && (
            <span className="ms-2 rounded-sm bg-tint-2 px-2 py-0.5 text-xs">
              <Trans>This session</Trans>
            </span>
          )}
        </p>
        <p className="text-muted text-sm wrap-anywhere">
          <Trans>
            Started {from}, last active {last} from {address}
          </Trans>
        </p>
      </div>
      {!current && (
        <Button size="small" busy={busy} onClick={onEnd} aria-label={t`End session on ${device}, started ${from}`}>
          <Trans>End session</Trans>
        </Button>
      )}
    </li>
  )
}
