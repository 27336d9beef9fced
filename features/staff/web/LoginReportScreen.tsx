import { useLingui } from '@lingui/react/macro'
import { shortInstant } from '../../../web/clock.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { StatusBadge } from '../../../web/ui/StatusBadge.tsx'
import { loginReport } from '../list.ts'
import { deviceText } from '../rules.ts'

export default function LoginReportScreen() {
  const { t } = useLingui()
  return (
    <ListScreen
      of={loginReport}
      rowName={({ name, at }) => `${name || t`Unknown email`}, ${shortInstant(at)}`}
      cells={{
        outcome: ({ outcome }, text) => (
          <StatusBadge kind={outcome === 'accepted' ? 'good' : 'bad'}>{text}</StatusBadge>
        ),
        device: ({ device }) => deviceText(device),
      }}
      filters={{ personId: { label: t`Person`, labelFor: (id) => (id ? t`Selected person` : '') } }}
    />
  )
}
