import { Trans, useLingui } from '@lingui/react/macro'
import { Plus, Settings2, Waypoints } from 'lucide-react'
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
import { removePortal } from '../contract.ts'
import { otherPortals } from '../list.ts'
import { EditPortal } from './EditPortal.tsx'
import { PhotosSlideOut } from './PhotosSlideOut.tsx'

type Portal = RowOf<typeof otherPortals>

/** Screen with the other portals that receive residents' requests through Open311. */
export default function PortalsScreen() {
  const { t } = useLingui()
  /** Id of the open portal. Null for a new one, undefined if none is open. */
  const [edited, setEdited] = useState<number | null>()
  const [removed, setRemoved] = useState<Portal | null>(null)
  const [settings, setSettings] = useState(false)
  const [busy, setBusy] = useState(false)
  const remove = async ({ id }: Portal) => {
    setBusy(true)
    try {
      toast((await call(removePortal, { portalId: id })).message)
    } catch (error) {
      toast(messageOf(error), 'danger')
    }
    await reload(otherPortals.call)
    setBusy(false)
    setRemoved(null)
  }
  const add = (
    <Button variant="primary" icon={Plus} onClick={() => setEdited(null)}>
      <Trans>Add a portal</Trans>
    </Button>
  )
  return (
    <>
      <ListScreen
        of={otherPortals}
        rowName={({ name }) => name}
        headActions={
          <>
            {add}
            <Button icon={Settings2} onClick={() => setSettings(true)}>
              <Trans>Settings</Trans>
            </Button>
          </>
        }
        actions={{ edit: ({ id }) => setEdited(id), remove: setRemoved }}
        cells={{
          name: ({ name }) => <strong>{name}</strong>,
          state: ({ state }, label) => (
            <StatusBadge kind={state === 'active' ? 'good' : 'neutral'}>{label}</StatusBadge>
          ),
        }}
        empty={
          <EmptyState icon={Waypoints} title={<Trans>No other portals yet</Trans>} action={add}>
            <Trans>
              Requests that another office handles, such as those about county roads, can go to its portal
              automatically.
            </Trans>
          </EmptyState>
        }
      />
      {edited !== undefined && (
        <EditPortal key={edited} id={edited} onOpen={setEdited} onClose={() => setEdited(undefined)} />
      )}
      {settings && <PhotosSlideOut onClose={() => setSettings(false)} />}
      {removed && (
        <ConfirmDialog
          title={t`Remove ${removed.name}?`}
          confirmLabel={<Trans>Remove the portal</Trans>}
          onConfirm={() => void remove(removed)}
          onClose={() => setRemoved(null)}
          danger
          busy={busy}
        >
          <Trans>
            The portal will get no more requests. The status of requests already sent will no longer be checked. The API
            key will be deleted. You cannot undo this.
          </Trans>
        </ConfirmDialog>
      )}
    </>
  )
}
