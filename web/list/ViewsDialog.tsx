import { Trans, useLingui } from '@lingui/react/macro'
import { Link2, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { MAX_VIEWS, type SavedView, savedViews } from '../../shared/saved-views.ts'
import { call, CallError, messageOf } from '../call.ts'
import { keyOf, queries, useResponse } from '../query.ts'
import { useSession } from '../session.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Link } from '../ui/Link.tsx'
import { Failed, LoadingState } from '../ui/States.tsx'
import { TextField } from '../ui/TextField.tsx'
import { toast } from '../ui/Toasts.tsx'

export interface SavedViewsProps {
  list: string
  /** Names of the filters in the URL. */
  filters: readonly string[]
}

/** Returns the query parameters that a saved view stores. Leaves out the page number and open panels. */
function questionIn(address: string, filters: readonly string[]): string {
  const allowed = ['search', 'sort', 'direction', 'group', 'rows', ...filters]
  return new URLSearchParams([...new URLSearchParams(address)].filter(([name]) => allowed.includes(name))).toString()
}

const pathOf = ({ query }: Pick<SavedView, 'query'>): string => location.pathname + (query && `?${query}`)

/** Dialog with a person's saved views of a list. */
export default function ViewsDialog({ list, filters, onClose }: SavedViewsProps & { onClose: () => void }) {
  const { t } = useLingui()
  const impersonating = useSession()?.impersonating === true
  const { data, error, refetch } = useResponse(savedViews.list, { list })
  const [renaming, setRenaming] = useState<number | null>(null)
  const views = data?.views ?? []
  const store = (response: { views: SavedView[] }) => queries.setQueryData(keyOf(savedViews.list, { list }), response)

  const save = async (name: string) => {
    store(await call(savedViews.save, { list, name, query: questionIn(location.search, filters) }))
    toast(t`View saved.`)
  }
  const remove = async ({ id, name }: SavedView) => {
    try {
      store(await call(savedViews.remove, { list, id }))
      toast(t`The view “${name}” was removed.`)
    } catch (failure) {
      toast(messageOf(failure), 'danger')
    }
  }
  const copy = async (view: SavedView) => {
    const link = location.origin + pathOf(view)
    try {
      await navigator.clipboard.writeText(link)
      toast(t`Link copied.`)
    } catch {
      // The browser refuses clipboard access, so a message shows the link for the person to copy.
      toast(link, 'info')
    }
  }
  return (
    <Dialog title={<Trans>Saved views</Trans>} onClose={onClose}>
      <div className="flex flex-col gap-5">
        {error && !data && <Failed error={error} onRetry={() => void refetch()} />}
        {!data && !error && <LoadingState rows={3}>{t`Loading your views`}</LoadingState>}
        {data && views.length === 0 && (
          <p className="text-muted">
            <Trans>No saved views for this list yet. Choose filters, then save them under a name.</Trans>
          </p>
        )}
        {views.length > 0 && (
          <ul aria-label={t`Your views`} className="flex flex-col border-line border-t">
            {views.map((view) => (
              <li key={view.id} className="flex items-center gap-1 border-line border-b py-1.5">
                {renaming === view.id ? (
                  <NameForm
                    label={t`New name for ${view.name}`}
                    usual={view.name}
                    button={t`Rename`}
                    onDone={() => setRenaming(null)}
                    send={async (name) => store(await call(savedViews.rename, { list, id: view.id, name }))}
                  />
                ) : (
                  <>
                    <Link to={pathOf(view)} className="link wrap-anywhere min-w-0 flex-1" onClick={onClose}>
                      {view.name}
                    </Link>
                    <IconButton icon={Link2} label={t`Copy link to ${view.name}`} onClick={() => void copy(view)} />
                    {!impersonating && (
                      <>
                        <IconButton icon={Pencil} label={t`Rename ${view.name}`} onClick={() => setRenaming(view.id)} />
                        <IconButton icon={Trash2} label={t`Remove ${view.name}`} onClick={() => void remove(view)} />
                      </>
                    )}
                  </>
                )}
              </li>
            ))}
          </ul>
        )}
        {data && !impersonating && views.length < MAX_VIEWS && (
          <NameForm label={t`Name for the current view`} usual="" button={t`Save`} send={save} />
        )}
        <p className="text-muted text-sm">
          <Trans>
            Only you can see your views. If you copy a link, other staff who have access can open the same list and
            filters.
          </Trans>
        </p>
      </div>
    </Dialog>
  )
}

interface NameFormProps {
  label: string
  usual: string
  button: string
  send: (name: string) => Promise<unknown>
  onDone?: () => void
}

/** Form with a name field and a button. The typed name stays in the field until the save succeeds. */
function NameForm({ label, usual, button, send, onDone }: NameFormProps) {
  const { t } = useLingui()
  const [name, setName] = useState(usual)
  const [error, setError] = useState('')
  const [busy, setBusy] = useState(false)
  const submit = async () => {
    if (name.trim() === '') return setError(t`Enter a name.`)
    setBusy(true)
    try {
      await send(name.trim())
      setName('')
      onDone?.()
    } catch (failure) {
      setError((failure instanceof CallError && failure.fields['name']) || messageOf(failure))
    }
    setBusy(false)
  }
  return (
    <form
      className="flex flex-1 flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <TextField
        className="min-w-40 flex-1"
        label={label}
        value={name}
        maxLength={60}
        error={error || undefined}
        onChange={({ target }) => {
          setName(target.value)
          setError('')
        }}
      />
      <Button type="submit" variant="primary" busy={busy}>
        {button}
      </Button>
      {onDone && (
        <Button onClick={onDone}>
          <Trans>Cancel</Trans>
        </Button>
      )}
    </form>
  )
}
