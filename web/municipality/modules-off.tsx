import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { openRecords } from '../../shared/pending-work.ts'
import { screenAt } from '../../shared/screens.ts'
import { translated } from '../../shared/messages.ts'
import { isClosed, moduleOffAt } from '../modules.ts'
import type { MenuPart } from '../office/SideMenu.tsx'
import { page } from '../page.ts'
import { useResponse } from '../query.ts'
import { may, useSession } from '../session.ts'
import { LinkButton } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { PageHead } from '../ui/Page.tsx'
import { ErrorState } from '../ui/States.tsx'
import { Text } from '../ui/Text.tsx'

/** Returns the number of open records of each module that is off, by the module's name. Undefined until it is known. */
function useOpenRecords(): ReadonlyMap<string, number> | undefined {
  // An impersonation starts on a screen without a session.
  const hasSession = useSession() !== null
  const { data } = useResponse(openRecords, {}, { enabled: hasSession && page().modulesOff.length > 0 })
  return data && new Map(data.modules.map(({ name, open }) => [name, open]))
}

/** Leaves out the entries of modules that are off. An entry with open records stays, so that staff can complete them. */
export function useMenuOf(menu: readonly MenuPart[]): readonly MenuPart[] {
  const { t } = useLingui()
  const records = useOpenRecords()
  if (page().modulesOff.length === 0) return menu
  return menu.map((part) => ({
    ...part,
    entries: part.entries.flatMap((entry) => {
      const off = moduleOffAt(entry.path)
      if (!off) return [entry]
      const open = isClosed(entry.path) ? 0 : (records?.get(off.name) ?? 0)
      return open === 0 ? [] : [{ ...entry, note: t`Off · ${open} open` }]
    }),
  }))
}

interface ModuleGateProps {
  path: string
  children: ReactNode
}

/** Shows a screen of a module that is off only if it has open records, so that staff can complete them. */
export function ModuleGate({ path, children }: ModuleGateProps) {
  const records = useOpenRecords()
  const off = moduleOffAt(path)
  if (!off) return children
  const name = translated(off.name)
  const open = isClosed(path) ? 0 : records?.get(off.name)
  if (open === 0)
    return (
      <>
        <PageHead title={translated(screenAt(path)?.title ?? off.name)} />
        <ErrorState
          title={<Trans>{name} is turned off</Trans>}
          next={<Trans>To use this page, turn the module on in the settings. No data was deleted.</Trans>}
          actions={
            may('settings', 'view') && (
              <LinkButton to="/municipality/manage/settings?section=modules" variant="primary">
                <Trans>Open Settings</Trans>
              </LinkButton>
            )
          }
        >
          <Trans>No record is open.</Trans>
        </ErrorState>
      </>
    )
  return (
    <>
      {open !== undefined && (
        <Notice tone="warning" className="mb-6" title={<Trans>{name} is turned off</Trans>}>
          <Plural
            value={open}
            one="You can complete the open record. New ones cannot be started."
            other="You can complete the # open records. New ones cannot be started."
          />
        </Notice>
      )}
      <Text>{children}</Text>
    </>
  )
}
