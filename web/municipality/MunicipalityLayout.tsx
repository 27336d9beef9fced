import { Trans, useLingui } from '@lingui/react/macro'
import { boot } from '../boot.ts'
import { OfficeLayout } from '../office/OfficeLayout.tsx'
import { may, useSession } from '../session.ts'
import { endImpersonation, signOut } from '../sign-out.ts'
import { Button } from '../ui/Button.tsx'
import { menuFor } from './menu.ts'
import { profileSlideOut } from './routes.ts'

/** The back office of a town (specification 2.9, 2.10). */
export function MunicipalityLayout() {
  const { t } = useLingui()
  const name = boot.company?.name ?? t`Company Not Found`
  return (
    <OfficeLayout
      home="/municipality"
      name={name}
      logoUrl={boot.company?.logoUrl ?? null}
      menu={menuFor(may('company_setup', 'update')).map(
        (entry) => entry && { path: entry.path, label: t(entry.label) },
      )}
      heading={
        <Trans>
          Municipality Portal for <strong>{name}</strong>
        </Trans>
      }
      aside={<Guide />}
      bar={<ImpersonationBar />}
      profile={profileSlideOut}
      onSignOut={() => void signOut('/sign-in')}
    />
  )
}

/** The quick-reference guide, and the dated notice that there is a new one. */
const Guide = () => (
  <>
    {boot.announcements
      .filter(({ place }) => place === 'guide')
      .map(({ id, title }) => (
        <span key={id} className="rounded-sm bg-brand px-2 py-0.5 font-bold text-on-brand text-xs">
          {title}
        </span>
      ))}
    {boot.documents.helpGuide && (
      <a className="link" href={boot.documents.helpGuide} target="_blank" rel="noreferrer">
        <Trans>Help Guide</Trans>
      </a>
    )}
  </>
)

function ImpersonationBar() {
  const session = useSession()
  if (!session?.impersonating) return null
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-warning border-b-2 bg-warning-tint px-4 py-2 md:px-6 print:hidden">
      <p className="font-bold text-warning">
        <Trans>You are looking at this portal as somebody else.</Trans>
      </p>
      <Button size="small" onClick={endImpersonation}>
        <Trans>End Impersonate Session</Trans>
      </Button>
    </div>
  )
}
