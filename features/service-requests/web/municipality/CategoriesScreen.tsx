import { Trans, useLingui } from '@lingui/react/macro'
import { ListChecks, Plus } from 'lucide-react'
import { useState } from 'react'
import type { RowOf } from '../../../../shared/list.ts'
import { copyRow } from '../../../../web/copy-row.ts'
import { go, setQuery } from '../../../../web/go.ts'
import { ListScreen } from '../../../../web/list/ListScreen.tsx'
import { useQueryParam } from '../../../../web/routes.tsx'
import { may } from '../../../../web/session.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { Link } from '../../../../web/ui/Link.tsx'
import { EmptyState } from '../../../../web/ui/States.tsx'
import { recordActions, RecordButtons, RecordPanels } from '../../../shared-records/web/parts/SharedRecords.tsx'
import { categoryFields, copyCategory } from '../../contract-settings.ts'
import { requestCategories } from '../../list-categories.ts'
import { EditCategory } from './EditCategory.tsx'
import { SettingsSlideOut } from './SettingsSlideOut.tsx'
import { SettingsButton } from '../../../../web/ui/office/PanelButtons.tsx'

type Category = RowOf<typeof requestCategories>

const copy = copyRow(copyCategory, {
  lists: [requestCategories.call],
  open: (id) => go(`/municipality/manage/customer-communication/categories/${id}/fields`),
})

/** Categories and request settings of the company. */
export default function CategoriesScreen() {
  const { t } = useLingui()
  const [edited, setEdited] = useState<Category | null>(null)
  const panel = useQueryParam('panel')
  const mayEdit = may('requests', 'update')
  const close = () => setQuery({ panel: null })
  const add = mayEdit && (
    <Button variant="primary" icon={Plus} onClick={() => setQuery({ panel: 'category' })}>
      <Trans>Add category</Trans>
    </Button>
  )
  return (
    <>
      <ListScreen
        of={requestCategories}
        rowName={({ name }) => name}
        actions={{ edit: setEdited, copy, ...recordActions('request-category') }}
        cells={{
          name: ({ id, name }, text) => (
            <Link
              className="link"
              to={`/municipality/manage/customer-communication/categories/${id}/fields`}
              aria-label={t`Questions for ${name}`}
            >
              {text}
            </Link>
          ),
        }}
        headActions={
          <>
            {add}
            <SettingsButton />
          </>
        }
        moreActions={<RecordButtons kind="request-category" />}
        empty={
          <EmptyState icon={ListChecks} title={<Trans>No categories yet</Trans>} action={add}>
            <Trans>Residents can report problems after you add a category, such as potholes.</Trans>
          </EmptyState>
        }
        note={
          <p>
            <Trans>Select a category name to open its questions.</Trans>{' '}
            <Link className="link" to="/municipality/manage/customer-communication">
              <Trans>Back to the requests</Trans>
            </Link>
          </p>
        }
      />
      <RecordPanels kind="request-category" lists={[requestCategories.call, categoryFields]} />
      {panel === 'category' && mayEdit && <EditCategory category={null} onClose={close} />}
      {edited && <EditCategory key={edited.id} category={edited} onClose={() => setEdited(null)} />}
      {panel === 'settings' && <SettingsSlideOut onClose={close} />}
    </>
  )
}
