import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { RadioCards } from '../../../../web/ui/Choice.tsx'
import type { compareRecordFile } from '../../contract.ts'

type Difference = ResponseOf<typeof compareRecordFile>['differences'][number]
export type Side = 'own' | 'new'

interface Conflicts {
  /** Chosen text of each part that staff changed too. */
  choices: Readonly<Record<string, Side>>
  /** True if a choice was missing when the person saved. */
  unchosen: boolean
  onChoose: (part: string, side: Side) => void
}

const changes = {
  added: <Trans>New</Trans>,
  changed: <Trans>Changed</Trans>,
  removed: <Trans>Removed</Trans>,
}

interface DifferencesProps {
  differences: readonly Difference[]
  /** Needed only if a difference can be a conflict. */
  conflicts?: Conflicts
}

/** Changes to a record, each with the text before and after. For a conflict, staff choose one of the two texts. */
export function Differences({ differences, conflicts }: DifferencesProps) {
  return (
    <>
      <h3 className="text-base">
        <Plural value={differences.length} one="# change" other="# changes" />
      </h3>
      <ul className="border-line border-t">
        {differences.map((difference) => {
          const { part, label, change, before, after, isConflict } = difference
          return (
            <li key={part} className="flex flex-col gap-1 border-line border-b py-3">
              {isConflict && conflicts ? (
                <Conflict difference={difference} {...conflicts} />
              ) : (
                <>
                  <p className="flex flex-wrap justify-between gap-x-4">
                    <strong className="wrap-anywhere">{label}</strong>
                    <span className="text-muted text-sm">{changes[change]}</span>
                  </p>
                  {before !== '' && <del className="wrap-anywhere whitespace-pre-line text-muted">{before}</del>}
                  {after !== '' && <ins className="wrap-anywhere whitespace-pre-line no-underline">{after}</ins>}
                </>
              )}
            </li>
          )
        })}
      </ul>
    </>
  )
}

interface ConflictProps extends Conflicts {
  difference: Difference
}

function Conflict({ difference: { part, label, before, after }, choices, unchosen, onChoose }: ConflictProps) {
  const { t } = useLingui()
  const textOrEmpty = (text: string) => <span className="wrap-anywhere whitespace-pre-line">{text || t`Empty`}</span>
  return (
    <RadioCards<Side>
      name={part}
      label={label}
      hint={t`You and the starter pack both changed this.`}
      columns={2}
      error={unchosen && !choices[part] ? t`Choose which text to use.` : undefined}
      value={choices[part] ?? null}
      onChange={(side) => onChoose(part, side)}
      options={[
        { value: 'own', label: t`Your text`, note: textOrEmpty(before) },
        { value: 'new', label: t`New text`, note: textOrEmpty(after) },
      ]}
    />
  )
}
