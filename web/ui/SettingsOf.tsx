import { Trans } from '@lingui/react/macro'
import { OnceLoaded, type ResponsePanelProps } from './ResponseView.tsx'

/** Settings in a panel on the right side. The form appears after the settings load. */
export const SettingsOf = <Data,>(
  panel: Pick<ResponsePanelProps<Data>, 'response' | 'title' | 'onClose' | 'children'>,
) => <OnceLoaded {...panel} loading={<Trans>Loading settings</Trans>} />
