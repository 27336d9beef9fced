import { Trans } from '@lingui/react/macro'
import { ArrowRight } from 'lucide-react'
import { page } from '../../../../web/page.ts'
import { useResponse } from '../../../../web/query.ts'
import { usePath } from '../../../../web/routes.tsx'
import { Link } from '../../../../web/ui/Link.tsx'
import { returnSetup, type SetupStepView } from '../../contract-setup.ts'

const HOME = '/municipality'
const REFRESH_MS = 5000

/** Returns the first open step that has a screen, required steps first. Leaves out the step of the current screen. */
function nextStep(steps: readonly SetupStepView[], path: string): SetupStepView | undefined {
  const open = steps.filter(
    ({ state, path: to }) =>
      (state === 'to_do' || state === 'started') && to !== null && to.replace(/\?.*/, '') !== path,
  )
  return open.find(({ isRequired }) => isRequired) ?? open[0]
}

/** Link from the screen of one step of Get Started to the next step, until the portal is online. */
export default function NextStep() {
  const path = usePath()
  const companyId = page().company?.id ?? 0
  // This screen, a job or another window may complete a step.
  const { data } = useResponse(returnSetup, { companyId }, { enabled: companyId > 0, refetchInterval: REFRESH_MS })
  if (!data || data.isOnline || path === HOME) return null
  const isReady = data.steps.every(({ isRequired, state }) => !isRequired || state === 'done')
  const step = isReady ? undefined : nextStep(data.steps, path)
  return (
    <Link className="link inline-flex min-h-6 max-w-96 items-center gap-1" to={step?.path ?? HOME}>
      <span className="truncate">
        {step ? <Trans>Next step: {step.title}</Trans> : <Trans>Back to Get Started</Trans>}
      </span>
      <ArrowRight size={16} aria-hidden className="shrink-0" />
    </Link>
  )
}
