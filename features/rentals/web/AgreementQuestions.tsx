import { Trans } from '@lingui/react/macro'
import { Suspense } from 'react'
import { LoadingState } from '../../../web/ui/States.tsx'
import { questions, type QuestionsProps } from './parts/page-parts.ts'

/** Questions of a resource. Shows a single loading message while the code and the data load. */
export const AgreementQuestionsForm = (props: QuestionsProps) => (
  <Suspense
    fallback={
      <LoadingState shape="lines">
        <Trans>Loading questions</Trans>
      </LoadingState>
    }
  >
    <questions.Part {...props} />
  </Suspense>
)
