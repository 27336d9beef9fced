import { Trans, useLingui } from '@lingui/react/macro'
import { Download } from 'lucide-react'
import { type ChangeEvent, useState } from 'react'
import type { ResponseOf, RequestInputOf } from '../../../../shared/endpoint.ts'
import { call, CallError, messageOf } from '../../../../web/call.ts'
import { download } from '../../../../web/download.ts'
import { reload, useResponse } from '../../../../web/query.ts'
import { useQueryParam } from '../../../../web/routes.tsx'
import { Button } from '../../../../web/ui/Button.tsx'
import { Select } from '../../../../web/ui/Choice.tsx'
import { Notice } from '../../../../web/ui/Notice.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { companiesInformation } from '../../../../shared/companies.ts'
import { compareImport, exportConfig, importConfig, returnConfig } from '../../contract.ts'
import { configHistory } from '../../list.ts'
import { sectionNames } from '../../report.ts'
import { translated } from '../../../../shared/messages.ts'
import { Changes } from './Changes.tsx'
import { Group } from './fields.tsx'
import { SectionTitle, type SectionProps } from './SectionForm.tsx'

type Source = RequestInputOf<typeof importConfig>['source']
type CompareImportResponse = ResponseOf<typeof compareImport>

/**
 * Section that exports the settings as a file, or imports another company's settings. Shows all changes before it
 * applies them.
 */
export function TransferSection({ companyConfig }: SectionProps) {
  const [busy, setBusy] = useState(false)
  const name = companyConfig.company.name
  const save = async () => {
    setBusy(true)
    await download(exportConfig, { companyId: companyConfig.company.id }).catch((error: unknown) =>
      toast(messageOf(error), 'danger'),
    )
    setBusy(false)
  }
  return (
    <>
      <SectionTitle
        lead={
          <Trans>
            An import copies only rules, modules, tiles, colors and alert services. It does not copy the name, address,
            phone numbers, online status, messages, logo, processor or people.
          </Trans>
        }
      >
        <Trans>Export and import</Trans>
      </SectionTitle>
      <div className="flex max-w-text flex-col gap-6">
        <Group title={<Trans>Export</Trans>}>
          <p>
            <Trans>
              Save the settings for {name} in a readable file that you can import later. The file has only settings that
              can be imported.
            </Trans>
          </p>
          <div>
            <Button icon={Download} busy={busy} onClick={() => void save()}>
              <Trans>Export settings</Trans>
            </Button>
          </div>
        </Group>
        {companyConfig.can.update && <StartFrom companyConfig={companyConfig} />}
      </div>
    </>
  )
}

function StartFrom({ companyConfig }: SectionProps) {
  const { t } = useLingui()
  const from = useQueryParam('from')
  const { data } = useResponse(companiesInformation, {})
  const [chosen, setChosen] = useState(from ?? '')
  const { setFile, compared, refusals, busy, restart, compare, take } = useImport(
    companyConfig.company.id,
    chosen,
    () => setChosen(''),
  )
  const others = (data?.companies ?? []).filter(({ id }) => id !== companyConfig.company.id)
  const pick = async (event: ChangeEvent<HTMLInputElement>) => {
    const picked = event.target.files?.[0]
    restart()
    setFile(picked ? { name: picked.name, content: await picked.text() } : null)
  }
  return (
    <Group title={<Trans>Import settings from</Trans>}>
      <Select
        label={t`Import settings from`}
        placeholder={t`Choose one`}
        value={chosen}
        onChange={(event) => {
          setChosen(event.target.value)
          restart()
        }}
        options={[
          { value: 'defaults', label: t`Mainstreet's defaults` },
          { value: 'file', label: t`A file exported from Mainstreet` },
          ...others.map(({ id, name }) => ({ value: id, label: t`Settings for ${name}` })),
        ]}
      />
      {chosen === 'file' && (
        <div className="flex min-w-0 flex-col gap-1">
          <label htmlFor="settings-file" className="font-bold text-sm">
            <Trans>Settings file</Trans>
          </label>
          <input
            id="settings-file"
            type="file"
            accept="application/json,.json"
            onChange={(event) => void pick(event)}
            className="w-full rounded-sm border border-edge bg-surface p-2"
          />
        </div>
      )}
      {refusals.length > 0 && (
        <Notice tone="danger" focusable title={t`The settings were not imported`}>
          <ul className="list-disc ps-5">
            {refusals.map((message) => (
              <li key={message}>{message}</li>
            ))}
          </ul>
        </Notice>
      )}
      {!compared && (
        <div>
          <Button busy={busy} onClick={() => void compare()}>
            <Trans>Preview changes</Trans>
          </Button>
        </div>
      )}
      {compared && <Outcome compared={compared} busy={busy} onTake={() => void take()} onLeave={restart} />}
    </Group>
  )
}

/**
 * Loads the changes that an import from the chosen source would make, and applies the import. `chosen` is the selected
 * option in the list.
 */
function useImport(companyId: number, chosen: string, onImported: () => void) {
  const { t } = useLingui()
  const [file, setFile] = useState<{ name: string; content: string } | null>(null)
  const [compared, setCompared] = useState<CompareImportResponse | null>(null)
  const [refusals, setRefusals] = useState<readonly string[]>([])
  const [busy, setBusy] = useState(false)

  const source: Source | null =
    chosen === 'file'
      ? file && { kind: 'file', content: file.content }
      : chosen === 'defaults'
        ? { kind: 'defaults' }
        : chosen
          ? { kind: 'company', id: Number(chosen) }
          : null

  const restart = () => {
    setCompared(null)
    setRefusals([])
  }
  const run = async (work: (from: Source) => Promise<void>) => {
    if (!source) {
      setRefusals([chosen === 'file' ? t`Choose a file first.` : t`First choose where to import settings from.`])
      return
    }
    setBusy(true)
    setRefusals([])
    try {
      await work(source)
    } catch (error) {
      const sentences = error instanceof CallError ? Object.values(error.fields) : []
      setRefusals(sentences.length > 0 ? sentences : [messageOf(error)])
    } finally {
      setBusy(false)
    }
  }
  const compare = () => run(async (source) => setCompared(await call(compareImport, { companyId, source })))
  const take = () =>
    run(async (source) => {
      const { message } = await call(importConfig, { companyId, source, basis: compared?.basis })
      toast(message)
      setCompared(null)
      onImported()
      await Promise.all([reload(returnConfig), reload(configHistory.call), reload(companiesInformation)])
      document.getElementById('section-title')?.focus()
    })
  return { setFile, compared, refusals, busy, restart, compare, take }
}

interface OutcomeProps {
  compared: CompareImportResponse
  busy: boolean
  onTake: () => void
  onLeave: () => void
}

function Outcome({ compared, busy, onTake, onLeave }: OutcomeProps) {
  const { from, sections } = compared
  if (sections.length === 0)
    return (
      <p role="status">
        <Trans>No changes. This municipality already has the same settings as {from}.</Trans>
      </p>
    )
  return (
    <div role="status" className="flex flex-col gap-4">
      <p className="font-bold">
        <Trans>An import from {from} would make these changes:</Trans>
      </p>
      {sections.map(({ section, changes }) => (
        <div key={section} className="border-line border-t pt-3">
          <h3 className="mb-2 text-tile">{translated(sectionNames[section])}</h3>
          <Changes changes={changes} />
        </div>
      ))}
      <div className="flex flex-wrap gap-3">
        <Button variant="primary" busy={busy} onClick={onTake}>
          <Trans>Import settings</Trans>
        </Button>
        <Button disabled={busy} onClick={onLeave}>
          <Trans>Keep current settings</Trans>
        </Button>
      </div>
    </div>
  )
}
