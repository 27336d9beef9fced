import type { Ref } from 'react'
import { useLingui, Trans } from '@lingui/react/macro'
import { Printer, Download } from 'lucide-react'
import type { DataTableProps } from './props.ts'
import type { TableResponse } from './use-table-response.ts'
import { useBusy } from './use-busy.ts'
import { PageHead } from '../../Page.tsx'
import { Text } from '../../Text.tsx'
import { Button } from '../../Button.tsx'
import { COUNT_CAP } from '../../../../shared/table.ts'

interface HeadProps extends Pick<
  DataTableProps<never, never, never>,
  'title' | 'level' | 'noun' | 'views' | 'headActions'
> {
  id: string
  response: Pick<TableResponse<unknown, unknown>, 'data' | 'isFetching'>
  isPrinting: boolean
  printButton: Ref<HTMLButtonElement>
  onPrint: () => void
  onExport: (() => Promise<void>) | undefined
}

/** Header of the table: its title, the number of rows, and buttons that apply to all rows. */
export function Head({ id, title, level = 1, noun, response: reply, views, headActions, ...on }: HeadProps) {
  const { t } = useLingui()
  const exporting = useBusy(on.onExport)
  const { data, isFetching } = reply
  return (
    <div className="mb-1 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <div className="flex flex-wrap items-baseline gap-x-3">
        {level === 1 ? (
          <PageHead className="mb-0!" title={<span id={id}>{title}</span>} />
        ) : (
          <h2 id={id} tabIndex={-1} className="text-h3">
            {title}
          </h2>
        )}
        <p role="status" className="text-muted text-sm">
          {data && data.count !== null && <Counted count={data.count} noun={noun} />}
          {isFetching && <span className="spoken"> {t`Loading`}</span>}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Text>{views}</Text>
        <Button ref={on.printButton} icon={Printer} onClick={on.onPrint} busy={on.isPrinting}>
          <Trans>Print</Trans>
        </Button>
        {on.onExport && (
          <Button icon={Download} onClick={exporting.run} busy={exporting.busy}>
            <Trans>Export CSV</Trans>
          </Button>
        )}
        <Text>{headActions}</Text>
      </div>
    </div>
  )
}

const Counted = ({ count, noun }: { count: number; noun: (count: number) => string }) =>
  count >= COUNT_CAP ? (
    <Trans>
      {COUNT_CAP.toLocaleString('en-US')} or more {noun(count)}
    </Trans>
  ) : (
    <Trans>
      {count.toLocaleString('en-US')} {noun(count)}
    </Trans>
  )
