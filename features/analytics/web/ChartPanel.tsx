import { Trans, useLingui } from '@lingui/react/macro'
import { Download } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { messageOf } from '../../../web/call.ts'
import { download } from '../../../web/download.ts'
import { may } from '../../../web/session.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Panel } from '../../../web/ui/Card.tsx'
import { Figures, type FiguresProps } from '../../../web/ui/office/chart/Figures.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { analyticsCsv } from '../contract.ts'
import type { MeasureName } from '../rules.ts'
import type { AnalyticsResponse } from './parts.ts'
import { Text } from '../../../web/ui/Text.tsx'

export interface ChartProps {
  data: AnalyticsResponse
}

interface Props {
  id: string
  title: string
  measure: MeasureName
  query: AnalyticsResponse['query']
  figures: FiguresProps
  /** Text shown instead of an empty chart. */
  empty?: ReactNode
  children: ReactNode
}

export function ChartPanel({ id, title, measure, query, figures, empty, children }: Props) {
  return (
    <Panel
      id={id}
      title={title}
      aside={!empty && may('reports_admin', 'create') && <Export title={title} measure={measure} query={query} />}
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

function Export({ title, measure, query }: Pick<Props, 'title' | 'measure' | 'query'>) {
  const { t } = useLingui()
  const [busy, setBusy] = useState(false)
  const save = () => {
    setBusy(true)
    download(analyticsCsv, { measure, ...query })
      .catch((error: unknown) => toast(messageOf(error), 'danger'))
      .finally(() => setBusy(false))
  }
  return (
    <span className="print:hidden">
      <Button size="small" icon={Download} busy={busy} onClick={save} aria-label={t`Export CSV: ${title}`}>
        <Trans>Export CSV</Trans>
      </Button>
    </span>
  )
}
