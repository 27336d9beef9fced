import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { useResponse } from '../../../web/query.ts'
import { ResponseSlideOut } from '../../../web/ui/ResponseView.tsx'
import { returnInspectionOptions } from '../contract.ts'

export type ReturnInspectionOptionsResponse = ResponseOf<typeof returnInspectionOptions>

interface InspectionOptionsProps {
  title: ReactNode
  onClose: () => void
  children: (options: ReturnInspectionOptionsResponse) => ReactNode
}

/** Panel that loads the templates and subjects before it shows its form. */
export const WithInspectionOptions = ({ title, onClose, children }: InspectionOptionsProps) => (
  <ResponseSlideOut
    title={title}
    onClose={onClose}
    response={useResponse(returnInspectionOptions, {})}
    loading={<Trans>Loading templates and subjects</Trans>}
    failed={<Trans>Could not load templates and subjects</Trans>}
  >
    {children}
  </ResponseSlideOut>
)
