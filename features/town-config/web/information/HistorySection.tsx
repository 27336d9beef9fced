import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { shortInstant } from '../../../../web/clock.ts'
import { useResponse } from '../../../../web/query.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { Select } from '../../../../web/ui/Choice.tsx'
import { Pagination } from '../../../../web/ui/Page.tsx'
import { EmptyState, Failed, LoadingState } from '../../../../web/ui/States.tsx'
import { configHistory } from '../../list.ts'
import { sectionNames } from '../../report.ts'
import type { Section } from '../../rules.ts'
import { Changes } from './Changes.tsx'
import { RestoreConfig } from './RestoreConfig.tsx'
import { SectionTitle, type SectionProps } from './SectionForm.tsx'
import type { Version } from './company.ts'
import { translated } from '../../../../shared/messages.ts'
import { Code, Text } from '../../../../web/ui/Text.tsx'

/** Section that lists saved changes with author and time. Any earlier state can be restored as a new version. */
export function HistorySection({ companyConfig }: SectionProps) {
  const { t } = useLingui()
  const visible = Object.keys(companyConfig.sections) as Section[]
  const [section, setSection] = useState<Section | ''>('')
  const [cursors, setCursors] = useState<readonly string[]>([])
  const [opened, setOpened] = useState<Version | null>(null)
  const cursor = cursors.at(-1)
  const { data, error, refetch } = useResponse(
    configHistory.call,
    { companyId: companyConfig.company.id, filters: { section: section || undefined }, cursor },
    { keepPrevious: true },
  )
  const next = data?.next
  return (
    <>
      <SectionTitle lead={<Trans>All saved changes, newest first. History entries are never removed.</Trans>}>
        <Trans>History</Trans>
      </SectionTitle>
      <Select
        className="mb-5 max-w-form"
        label={t`Show`}
        value={section}
        onChange={(event) => {
          setSection(event.target.value as Section | '')
          setCursors([])
        }}
        options={[
          { value: '', label: t`All sections` },
          ...visible.map((id) => ({ value: id, label: translated(sectionNames[id]) })),
        ]}
      />
      {error ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <LoadingState>
          <Trans>Loading history</Trans>
        </LoadingState>
      ) : data.rows.length === 0 ? (
        <EmptyState title={<Trans>No changes yet</Trans>}>
          <Trans>After someone saves a section, the changes are listed here.</Trans>
        </EmptyState>
      ) : (
        <>
          <ol className="mb-5 flex flex-col">
            {data.rows.map((version) => (
              <Entry
                key={version.id}
                version={version}
                may={companyConfig.sections[version.section]?.mayChange ?? false}
                onRestore={() => setOpened(version)}
              />
            ))}
          </ol>
          {(cursors.length > 0 || next) && (
            <Pagination
              onPrevious={cursors.length > 0 ? () => setCursors(cursors.slice(0, -1)) : null}
              onNext={next ? () => setCursors([...cursors, next]) : null}
            >
              <Trans>Page {cursors.length + 1}</Trans>
            </Pagination>
          )}
        </>
      )}
      {opened && <RestoreConfig version={opened} companyConfig={companyConfig} onClose={() => setOpened(null)} />}
    </>
  )
}

interface EntryProps {
  version: Version
  may: boolean
  onRestore: () => void
}

function Entry({ version, may, onRestore }: EntryProps) {
  const { t } = useLingui()
  const { id, at, actorName, section, origin, changes } = version
  const origins = {
    form: '',
    logo: t`logo uploaded`,
    restored: t`restored`,
    import: t`imported`,
    go_online: t`in Get Started`,
  }
  const name = translated(sectionNames[section])
  return (
    <li className="border-line border-t py-4">
      <div className="mb-2 flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div>
          <h3 className="text-tile">
            <Text>{name}</Text>
            {origins[origin] && (
              <span className="font-body font-normal text-muted text-sm">
                {' '}
                · <Text>{origins[origin]}</Text>
              </span>
            )}
          </h3>
          <p className="text-muted text-sm">
            <time dateTime={at}>{shortInstant(at)}</time> · <Code>{actorName}</Code>
          </p>
        </div>
        {may && (
          <Button size="small" onClick={onRestore} aria-label={t`Restore ${name}, version ${id}`}>
            <Trans>Restore</Trans>
          </Button>
        )}
      </div>
      <Changes changes={changes} />
    </li>
  )
}
