import { Trans } from '@lingui/react/macro'
import { areaLabel, type Level, levelLabels, officeAreas } from '../../../shared/areas.ts'
import { translated } from '../../../shared/messages.ts'
import { setQuery } from '../../../web/go.ts'
import { useResponse } from '../../../web/query.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { ResponseSlideOut } from '../../../web/ui/ResponseView.tsx'
import { describeAreas } from '../contract-roles.ts'
import type { StaffScope } from './staff-scope.ts'

const steps = ['view', 'do', 'manage'] as const satisfies Level[]

/** Button that shows which screens and actions each level of each area opens. */
export function OpenedScreens({ scope }: { scope: StaffScope }) {
  const isOpen = useQueryParam('levels') !== null
  const response = useResponse(describeAreas, scope.about, { enabled: isOpen })
  return (
    <>
      <Button size="small" onClick={() => setQuery({ levels: '1' })}>
        <Trans>Screens of each level</Trans>
      </Button>
      {isOpen && (
        <ResponseSlideOut
          title={<Trans>Screens of each level</Trans>}
          onClose={() => setQuery({ levels: null })}
          response={response}
          loading={<Trans>Loading the screens</Trans>}
        >
          {({ areas }) => (
            <>
              <p className="mb-4 text-muted">
                <Trans>A higher level includes the lower levels.</Trans>
              </p>
              {officeAreas.map((name) => (
                <details key={name} className="border-line border-t py-2">
                  <summary className="cursor-pointer py-1 font-bold">{areaLabel(name)}</summary>
                  {steps.map((level) => (
                    <Opened key={level} level={level} {...areas[name][level]} />
                  ))}
                </details>
              ))}
            </>
          )}
        </ResponseSlideOut>
      )}
    </>
  )
}

function Opened({ level, screens, calls }: { level: Level; screens: string[]; calls: string[] }) {
  if (screens.length + calls.length === 0) return null
  return (
    <section className="my-2 ps-4">
      <h3 className="text-base">{translated(levelLabels[level])}</h3>
      {screens.length > 0 && (
        <p className="text-sm">
          <Trans>Screens: {screens.join(', ')}</Trans>
        </p>
      )}
      <ul className="list-disc ps-5 text-muted text-sm">
        {calls.map((summary) => (
          <li key={summary}>{summary}</li>
        ))}
      </ul>
    </section>
  )
}
