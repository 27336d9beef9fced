import { Trans, useLingui } from '@lingui/react/macro'
import { Download } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { sentenceOf } from '../../../web/call.ts'
import { download } from '../../../web/download.ts'
import { may } from '../../../web/session.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Panel } from '../../../web/ui/Card.tsx'
import { Figures, type FiguresProps } from '../../../web/ui/office/chart/Figures.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { analyticsCsv } from '../contract.ts'
import type { MeasureName } from '../rules.ts'
import type { Answer } from './parts.ts'
import { Text } from '../../../web/ui/Text.tsx'

/** What every chart of the screen is drawn from. */
export interface ChartProps {
  data: Answer
}

interface Props {
  id: string
  title: string
  measure: MeasureName
  asked: Answer['asked']
  figures: FiguresProps
  /** Nothing of it happened: said in words in place of an empty picture. */
  empty?: ReactNode
  children: ReactNode
}

/** A chart with its name, its file, and the table behind it. */
export function ChartPanel({ id, title, measure, asked, figures, empty, children }: Props) {
  return (
    <Panel
      id={id}
      title={title}
      aside={!empty && may('reports_admin', 'create') && <Export {...{ title, measure, asked }} />}
    >
      {empty ? (
        <p className="text-muted">{empty}</p>
      ) : (
        <>
          <Text>{children}</Text>
          <Figures {...figures} />
        </>
      )}
    </Panel>
  )
}

function Export({ title, measure, asked }: Pick<Props, 'title' | 'measure' | 'asked'>) {
  const { t } = useLingui()
  const [busy, setBusy] = useState(false)
  const save = () => {
    setBusy(true)
    download(analyticsCsv, { measure, ...asked })
      .catch((error: unknown) => toast(sentenceOf(error), 'danger'))
      .finally(() => setBusy(false))
  }
  return (
    <span className="print:hidden">
      <Button size="small" icon={Download} busy={busy} onClick={save} aria-label={t`Export CSV of ${title}`}>
        <Trans>Export CSV</Trans>
      </Button>
    </span>
  )
}
