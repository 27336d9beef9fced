import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { AnsweredSlideOut, type ShownProps } from './Answered.tsx'

type SettingsOfProps<Data> = Pick<ShownProps<Data>, 'answer' | 'title' | 'onClose'> & {
  /** The panel with the form, which begins with what is kept. */
  children: (data: Data) => ReactNode
}

/** Settings in a panel from the right: their form, once it is known what they are. */
export const SettingsOf = <Data,>({ children, ...panel }: SettingsOfProps<Data>) =>
  panel.answer.data !== undefined ? (
    children(panel.answer.data)
  ) : (
    <AnsweredSlideOut {...panel} loading={<Trans>Loading the settings</Trans>}>
      {() => null}
    </AnsweredSlideOut>
  )
