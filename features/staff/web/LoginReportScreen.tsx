import { Trans, useLingui } from '@lingui/react/macro'
import { shortInstant } from '../../../web/clock.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { StatusBadge } from '../../../web/ui/StatusBadge.tsx'
import { loginReport } from '../list.ts'
import { deviceWords } from '../rules.ts'

export default function LoginReportScreen() {
  const { t } = useLingui()
  return (
    <ListScreen
      of={loginReport}
      rowName={({ name, at }) => `${name || t`Unknown email`}, ${shortInstant(at)}`}
      cells={{
        outcome: ({ outcome }, label) => (
          <StatusBadge kind={outcome === 'accepted' ? 'good' : 'bad'}>{label}</StatusBadge>
        ),
        device: ({ device }) => deviceWords(device),
      }}
    >
      {({ filters, setFilters }) =>
        filters.personId && (
          <Notice className="mb-4">
            <span className="flex flex-wrap items-center justify-between gap-3">
              <Trans>These are the sign-ins of one person.</Trans>
              <Button size="small" onClick={() => setFilters({ personId: '' })}>
                <Trans>Show everybody's</Trans>
              </Button>
            </span>
          </Notice>
        )
      }
    </ListScreen>
  )
}
