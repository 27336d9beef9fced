import { Trans, useLingui } from '@lingui/react/macro'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import type { RowOf } from '../../../shared/list.ts'
import { call, messageOf } from '../../../web/call.ts'
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
      toast(messageOf(error), 'danger')
    }
    await reload(apiKeys.call)
    setBusy(false)
    setRevoked(null)
  }
  const make = (
    <Button variant="primary" icon={KeyRound} onClick={() => setMaking(true)}>
      <Trans>Create key</Trans>
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
          name: ({ name }) => <strong>{name}</strong>,
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
          <EmptyState icon={KeyRound} title={<Trans>No API keys yet</Trans>} action={make}>
            <Trans>
              A key lets a program connect automatically. For example, your billing system can send bills, or another
              portal can send requests.
            </Trans>
          </EmptyState>
        }
      />
      {making && <MakeKey onClose={() => setMaking(false)} />}
      {revoked && (
        <ConfirmDialog
          title={t`Revoke key ${revoked.name}?`}
          confirmLabel={<Trans>Revoke key</Trans>}
          onConfirm={() => void revoke(revoked)}
          onClose={() => setRevoked(null)}
          danger
          busy={busy}
        >
          <Trans>The program that uses this key will lose access immediately. You can't undo this.</Trans>
        </ConfirmDialog>
      )}
    </>
  )
}
