import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { useAnswer } from '../../../web/query.ts'
import { AnsweredSlideOut } from '../../../web/ui/Answered.tsx'
import { returnMeans } from '../contract.ts'

export type ReturnMeansResponse = ResponseOf<typeof returnMeans>

interface InspectionOptionsProps {
  title: ReactNode
  onClose: () => void
  children: (means: ReturnMeansResponse) => ReactNode
}

/** A panel for what is made of templates and subjects, once they are known. */
export const WithMeans = ({ title, onClose, children }: InspectionOptionsProps) => (
  <AnsweredSlideOut
    title={title}
    onClose={onClose}
    answer={useAnswer(returnMeans, {})}
    loading={<Trans>Loading what can be inspected</Trans>}
    failed={<Trans>What can be inspected could not be loaded</Trans>}
  >
    {children}
  </AnsweredSlideOut>
)
