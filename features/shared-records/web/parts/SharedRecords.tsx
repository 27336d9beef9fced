import { Trans } from '@lingui/react/macro'
import { Building2, FileUp } from 'lucide-react'
import type { Endpoint } from '../../../../shared/endpoint.ts'
import { messageOf } from '../../../../web/call.ts'
import { download } from '../../../../web/download.ts'
import { go, setQuery } from '../../../../web/go.ts'
import { idIn } from '../../../../web/id-in.ts'
import { isOffered } from '../../../../web/modules.ts'
import { reload } from '../../../../web/query.ts'
import { useQueryParam } from '../../../../web/routes.tsx'
import { may } from '../../../../web/session.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { exportRecord, type RecordKind, recordKinds } from '../../contract.ts'
import { recordNeeds, recordScreens } from '../../rules.ts'
import { CopySlideOut } from '../CopySlideOut.tsx'
import { FileSlideOut } from '../FileSlideOut.tsx'

/** Row actions of a list of records: a download as JSON, and an import into the record. */
export const recordActions = (kind: RecordKind) => ({
  exportJson: ({ id }: { id: number }) =>
    void download(exportRecord, { kind, id }).catch((error: unknown) => toast(messageOf(error), 'danger')),
  importJson: ({ id }: { id: number }) => setQuery({ add: 'json', into: String(id) }),
})

const mayAdd = (kind: RecordKind) => {
  const [area, permission] = recordNeeds[kind]
  return may(area, permission) && isOffered(recordScreens[kind])
}

/** Buttons that add records from another municipality or from a file. */
export const RecordButtons = ({ kind }: { kind: RecordKind }) =>
  mayAdd(kind) && (
    <>
      <Button icon={Building2} onClick={() => setQuery({ add: 'shared' })}>
        <Trans>Copy from another municipality</Trans>
      </Button>
      <Button icon={FileUp} onClick={() => setQuery({ add: 'json', into: null })}>
        <Trans>Import from JSON</Trans>
      </Button>
    </>
  )

/** Button with a panel that copies records of each kind that the person may create. */
export function CopyFromMunicipality() {
  const isOpen = useQueryParam('add') === 'shared'
  const kinds = (Object.keys(recordKinds) as RecordKind[]).filter(mayAdd)
  const onClose = () => setQuery({ add: null })
  const onDone = ({ message, path }: { message: string; path: string }) => {
    toast(message)
    go(path)
    return Promise.resolve()
  }
  if (kinds.length === 0) return null
  return (
    <>
      <Button icon={Building2} onClick={() => setQuery({ add: 'shared' })}>
        <Trans>Copy from another municipality</Trans>
      </Button>
      {isOpen && <CopySlideOut {...{ kinds, onClose, onDone }} />}
    </>
  )
}

/**
 * Panel of the pressed button, from the URL.
 * @param props.lists calls that show the records
 */
export function RecordPanels({ kind, lists }: { kind: RecordKind; lists: readonly Endpoint[] }) {
  const add = useQueryParam('add')
  const into = idIn(useQueryParam('into') ?? '')
  if (!mayAdd(kind)) return null
  const onClose = () => setQuery({ add: null, into: null })
  const onDone = async ({ message, path }: { message: string; path: string }) => {
    toast(message)
    await Promise.all(lists.map(reload))
    go(path)
  }
  if (add === 'shared') return <CopySlideOut kinds={[kind]} onClose={onClose} onDone={onDone} />
  return add === 'json' && <FileSlideOut key={into} kind={kind} id={into} onClose={onClose} onDone={onDone} />
}
