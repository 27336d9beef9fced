import { Trans } from '@lingui/react/macro'
import { setQuery } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { useQueryParam } from '../../../web/routes.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { arrangementList } from '../list.ts'
import { arrangementStates } from '../states.ts'
import { ArrangementSlideOut } from './ArrangementSlideOut.tsx'
import { ProposeSlideOut } from './ProposeSlideOut.tsx'
import { RulesSlideOut } from './RulesSlideOut.tsx'

const open = (id: number | null) => setQuery({ plan: id === null ? null : String(id) })

/** Lists all arrangements. Staff propose a new one from a customer's account. */
export default function ArrangementsScreen() {
  const chosen = Number(useQueryParam('plan')) || null
  const rules = useQueryParam('rules') !== null
  const [kind = '', openItemId = ''] = (useQueryParam('propose') ?? '').split('-')
  return (
    <>
      <ListScreen
        of={arrangementList}
        rowName={({ reference, name }) => `${reference} ${name}`}
        cells={{ status: ({ status }) => <StateBadge of={arrangementStates} state={status} /> }}
        actions={{ view: ({ id }) => open(id) }}
        onRow={({ id }) => open(id)}
        headActions={
          <Button onClick={() => setQuery({ rules: '1' })}>
            <Trans>Arrangement rules</Trans>
          </Button>
        }
      />
      {chosen !== null && <ArrangementSlideOut id={chosen} onClose={() => open(null)} />}
      {rules && <RulesSlideOut onClose={() => setQuery({ rules: null })} />}
      {Number(openItemId) > 0 && (
        <ProposeSlideOut
          kind={kind}
          itemId={Number(openItemId)}
          onClose={() => setQuery({ propose: null })}
          onMade={(id) => setQuery({ propose: null, plan: String(id) })}
        />
      )}
    </>
  )
}
