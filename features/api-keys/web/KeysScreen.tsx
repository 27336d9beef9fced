import { Trans, useLingui } from '@lingui/react/macro'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import type { RowOf } from '../../../shared/list.ts'
import { call, sentenceOf } from '../../../web/call.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { reload } from '../../../web/query.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { ConfirmDialog } from '../../../web/ui/Dialog.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import { StatusBadge } from '../../../web/ui/StatusBadge.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { revokeApiKey } from '../contract.ts'
import { apiKeys } from '../list.ts'
import { MakeKey } from './MakeKey.tsx'
import { Code } from '../../../web/ui/Text.tsx'

type Key = RowOf<typeof apiKeys>

/** The keys by which programs of the town call, such as its billing system. */
export default function KeysScreen() {
  const { t } = useLingui()
  const [making, setMaking] = useState(false)
  const [revoked, setRevoked] = useState<Key | null>(null)
  const [busy, setBusy] = useState(false)
  const revoke = async (key: Key) => {
    setBusy(true)
    try {
      toast((await call(revokeApiKey, { keyId: key.id })).message)
    } catch (error) {
      toast(sentenceOf(error), 'danger')
    }
    await reload(apiKeys.call)
    setBusy(false)
    setRevoked(null)
  }
  const make = (
    <Button look="primary" icon={KeyRound} onClick={() => setMaking(true)}>
      <Trans>Make a key</Trans>
    </Button>
  )
  return (
    <>
      <ListScreen
        of={apiKeys}
        rowName={({ name }) => name}
        headActions={make}
        actions={{ remove: setRevoked }}
        cells={{
          name: ({ name }) => <strong className="wrap-anywhere">{name}</strong>,
          ending: ({ ending }) => (
            <span className="font-mono">
              <Code>{`…${ending}`}</Code>
            </span>
          ),
          state: ({ state }, label) => (
            <StatusBadge kind={state === 'active' ? 'good' : 'neutral'}>{label}</StatusBadge>
          ),
        }}
        empty={
          <EmptyState icon={KeyRound} title={<Trans>No keys yet</Trans>} action={make}>
            <Trans>
              With a key a program calls by itself: your billing system with bills, or another portal with reports.
            </Trans>
          </EmptyState>
        }
      />
      {making && <MakeKey onClose={() => setMaking(false)} />}
      {revoked && (
        <ConfirmDialog
          title={t`Revoke the key ${revoked.name}?`}
          confirmLabel={<Trans>Revoke the key</Trans>}
          onConfirm={() => void revoke(revoked)}
          onClose={() => setRevoked(null)}
          danger
          busy={busy}
        >
          <Trans>The program that calls with it is refused from now on. This can't be taken back.</Trans>
        </ConfirmDialog>
      )}
    </>
  )
}
