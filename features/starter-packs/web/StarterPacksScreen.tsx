import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { call, messageOf } from '../../../web/call.ts'
import { setQuery } from '../../../web/go.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { useParam, useQueryParam } from '../../../web/routes.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { optionsOf, Select } from '../../../web/ui/Choice.tsx'
import { Notice, Refusal } from '../../../web/ui/Notice.tsx'
import { PageHead } from '../../../web/ui/Page.tsx'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { CopyFromMunicipality } from '../../shared-records/web/parts/SharedRecords.tsx'
import { addStarterPack, languages, type Language, starterPack, starterPacks } from '../contract.ts'
import { type Added, type Outcome, PackRow, type Packs } from './PackRow.tsx'
import { NewerTexts } from './NewerTexts.tsx'
import { PackSlideOut } from './PackSlideOut.tsx'

/**
 * Screen with the starter packs of a municipality. The administrator portal names the company in the path. The back
 * office shows the packs of the signed-in person's municipality.
 */
export default function StarterPacksScreen() {
  const { t } = useLingui()
  const companyId = useParam('companyId')
  const ofCompany = companyId === '' ? {} : { companyId: Number(companyId) }
  const param = useQueryParam('language')
  const language: Language = param === 'es' ? 'es' : 'en'
  const opened = useQueryParam('pack')
  const newer = useQueryParam('newer')
  const response = useResponse(starterPacks, { ...ofCompany, language })
  return (
    <>
      <PageHead title={<Trans>Starter Packs</Trans>} actions={companyId === '' && <CopyFromMunicipality />}>
        <Trans>
          A starter pack adds ready-made items that you can change later. Residents see complete items immediately, with
          the fees and texts of the preview. If you add a pack again, it adds only the items that are new.
        </Trans>
      </PageHead>
      <ResponseView response={response} loading={<Trans>Loading starter packs</Trans>} rows={9}>
        {({ packs, municipality }) => (
          <div className="flex max-w-measure flex-col gap-6">
            {companyId !== '' && <strong>{municipality}</strong>}
            <Select
              label={t`Language of the texts`}
              className="max-w-60"
              options={optionsOf(languages)}
              value={language}
              onChange={({ target }) => setQuery({ language: target.value })}
            />
            <Missing packs={packs} />
            <AddPacks
              key={language}
              packs={packs}
              add={(pack) => call(addStarterPack, { ...ofCompany, language, pack })}
            />
          </div>
        )}
      </ResponseView>
      {newer && (
        <NewerTexts
          label={response.data?.packs.find(({ pack }) => pack === newer)?.label ?? t`Newer texts`}
          body={{ ...ofCompany, language, pack: newer }}
          onClose={() => setQuery({ newer: null })}
        />
      )}
      {opened && (
        <PackSlideOut response={{ ...ofCompany, language, pack: opened }} onClose={() => setQuery({ pack: null })} />
      )}
    </>
  )
}

/** Names the settings that the texts of the packs need. */
function Missing({ packs }: { packs: Packs }) {
  const missing = [...new Set(packs.flatMap((pack) => pack.missing))]
  if (missing.length === 0) return null
  const names = missing.join(', ')
  return (
    <Notice tone="warning" title={<Trans>Some settings are empty</Trans>}>
      <Trans>
        Fill in these settings first: {names}. Otherwise, texts that use them contain blanks in square brackets, and
        those items stay drafts.
      </Trans>
    </Notice>
  )
}

interface Progress {
  /** Number of packs that were added or failed. */
  done: number
  total: number
  label: string
}

interface AddPacksProps {
  packs: Packs
  add: (pack: string) => Promise<Added>
}

function AddPacks({ packs, add }: AddPacksProps) {
  const open = packs.filter(({ added, count, needs }) => added < count && needs === '').map(({ pack }) => pack)
  /** Packs that the link to the screen selects. */
  const [suggested] = useState(useQueryParam('select'))
  const [chosen, setChosen] = useState<readonly string[]>(suggested?.split(',') ?? [])
  const [progress, setProgress] = useState<Progress | null>(null)
  const { t } = useLingui()
  const [refusal, setRefusal] = useState('')
  const [outcomes, setOutcomes] = useState<Readonly<Record<string, Outcome>>>({})
  const ticked = open.filter((pack) => chosen.includes(pack))
  const addAll = async () => {
    let total = 0
    setRefusal('')
    setOutcomes({})
    for (const [done, pack] of ticked.entries()) {
      setProgress({ done, total: ticked.length, label: packs.find((one) => one.pack === pack)?.label ?? '' })
      const outcome = await add(pack).catch((error: unknown) => ({ error: messageOf(error) }))
      if ('added' in outcome) total += outcome.added
      setOutcomes((before) => ({ ...before, [pack]: outcome }))
      await Promise.all([reload(starterPacks), reload(starterPack)])
    }
    setProgress(null)
    setChosen([])
    toast(<Plural value={total} one="# item added." other="# items added." />)
  }
  const isAll = ticked.length === open.length
  return (
    <div className="flex flex-col gap-4">
      {open.length > 0 && (
        <Button
          size="small"
          className="self-start"
          onClick={() => setChosen(isAll ? [] : open)}
          disabled={progress !== null}
        >
          {isAll ? <Trans>Clear selection</Trans> : <Trans>Select all</Trans>}
        </Button>
      )}
      <ul className="border-line border-t">
        {packs.map((pack) => (
          <PackRow
            key={pack.pack}
            pack={pack}
            checked={ticked.includes(pack.pack)}
            disabled={progress !== null}
            outcome={outcomes[pack.pack]}
            onChange={(checked) =>
              setChosen(checked ? [...chosen, pack.pack] : chosen.filter((one) => one !== pack.pack))
            }
          />
        ))}
      </ul>
      <Refusal>{refusal}</Refusal>
      <div className="flex flex-wrap items-center gap-4">
        <Button
          variant="primary"
          onClick={() => (ticked.length === 0 ? setRefusal(t`Choose at least one pack.`) : void addAll())}
          busy={progress !== null}
          busyLabel={<Trans>Adding...</Trans>}
        >
          {ticked.length === 0 ? (
            <Trans>Add packs</Trans>
          ) : (
            <Plural value={ticked.length} one="Add # pack" other="Add # packs" />
          )}
        </Button>
        <p role="status" className="text-muted">
          {progress && (
            <Trans>
              Pack {progress.done + 1} of {progress.total}: {progress.label}
            </Trans>
          )}
          {!progress && open.length === 0 && <Trans>All items of your packs are added.</Trans>}
        </p>
      </div>
    </div>
  )
}
