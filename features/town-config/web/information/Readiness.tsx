import { Trans, useLingui } from '@lingui/react/macro'
import { CircleCheck, CircleDashed } from 'lucide-react'
import { useResponse } from '../../../../web/query.ts'
import { Link } from '../../../../web/ui/Link.tsx'
import { companyReadiness } from '../../contract.ts'
import type { ReadinessStep } from '../../rules.ts'
import { Text } from '../../../../web/ui/Text.tsx'

/** List of the steps that an offline company must still complete. */
export function Readiness({ companyId }: { companyId: number }) {
  const { t } = useLingui()
  const { data } = useResponse(companyReadiness, { companyId })
  const stepLinks = useSteps(companyId)
  if (!data) return null
  const left = data.steps.filter(({ done }) => !done).length
  return (
    <section
      aria-labelledby="readiness"
      className="mb-6 rounded-sm border border-line border-s-4 border-s-info bg-surface px-4 py-3"
    >
      <h2 id="readiness" className="text-lg">
        <Trans>Before the municipality goes online</Trans>
      </h2>
      <p className="text-muted text-sm">
        {left === 0 ? (
          <Trans>
            Everything is ready. Set “Is Online” to “Yes” in{' '}
            <Link className="link" to="?section=details">
              Details
            </Link>
            .
          </Trans>
        ) : (
          <Trans>Staff can sign in and prepare the portal while residents see the offline message.</Trans>
        )}
      </p>
      <ul className="mt-2 grid gap-x-8 gap-y-1 md:grid-cols-2">
        {data.steps.map(({ step, done }) => (
          <li key={step} className="flex items-start gap-2">
            {done ? (
              <CircleCheck size={18} aria-label={t`Done:`} className="mt-1 shrink-0 text-success" />
            ) : (
              <CircleDashed size={18} aria-hidden className="mt-1 shrink-0 text-warning" />
            )}
            <span>
              <Text>
                {done || stepLinks[step].to === null ? (
                  stepLinks[step].label
                ) : (
                  <Link className="link" to={stepLinks[step].to}>
                    {stepLinks[step].label}
                  </Link>
                )}
              </Text>
              {!done && (
                <span className="ms-2 text-sm text-warning">
                  <Trans>missing</Trans>
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/**
 * Returns the label and page of each step. The step for bills has no page, because the platform operator imports them.
 */
function useSteps(companyId: number): Record<ReadinessStep, { label: string; to: string | null }> {
  const { t } = useLingui()
  return {
    administrator: {
      label: t`Municipality administrator with a password`,
      to: `/admin/${companyId}/company/staff`,
    },
    processor: { label: t`Payment processor and contacts`, to: '?section=processors' },
    accounts: { label: t`Utility accounts and bills`, to: null },
    tiles: { label: t`Active tile on the landing page`, to: '?section=tiles' },
    logo: { label: t`Logo`, to: '?section=theme' },
    contacts: { label: t`Contact person`, to: '?section=contacts' },
  }
}
