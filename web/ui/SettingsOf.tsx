import { Trans } from '@lingui/react/macro'
import { OnceAnswered, type AnsweredViewProps } from './Answered.tsx'

/** Settings in a panel from the right. The form appears after the settings load. */
export const SettingsOf = <Data,>(
  panel: Pick<AnsweredViewProps<Data>, 'response' | 'title' | 'onClose' | 'children'>,
) => <OnceAnswered {...panel} loading={<Trans>Loading settings</Trans>} />
