import { Trans, useLingui } from '@lingui/react/macro'
import { ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ImportReport, ListedRow } from '../../../shared/imports.ts'
import { Text } from '../Text.tsx'

/** First new, changed and unchanged rows of an import. Changed values show the value before. */
export function ListedRows({ report }: { report: ImportReport }) {
  const { created = [], changed = [], unchanged = [] } = report.rows ?? {}
  const count = (n: number) => n.toLocaleString('en-US')
  if (created.length + changed.length + unchanged.length === 0) return null
  return (
    <div className="flex flex-col border-line border-b">
      <Group title={<Trans>New rows: {count(report.created)}</Trans>} rows={created} total={report.created} />
      <Group
        title={<Trans>Changed rows: {count(report.changed)}</Trans>}
        rows={changed}
        total={report.changed}
        isOpen
      />
      <Group
        title={<Trans>Unchanged rows: {count(report.unchanged)}</Trans>}
        rows={unchanged}
        total={report.unchanged}
      />
    </div>
  )
}

interface GroupProps {
  title: ReactNode
  rows: readonly ListedRow[]
  /** Number of rows in the file with this result. */
  total: number
  isOpen?: boolean
}

function Group({ title, rows, total, isOpen = false }: GroupProps) {
  const [some, all] = [rows.length.toLocaleString('en-US'), total.toLocaleString('en-US')]
  if (rows.length === 0) return null
  return (
    <details open={isOpen} className="border-line border-t">
      <summary className="min-h-11 cursor-pointer py-2.5 font-bold">{title}</summary>
      {rows.length < total && (
        <p className="text-muted text-sm">
          <Trans>
            Rows shown: {some} of {all}.
          </Trans>
        </p>
      )}
      <ul className="flex flex-col pb-2">
        {rows.map((row, at) => (
          // Rows of shapes may have no position, and a file may repeat its rows.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={at} className="border-line border-t py-2 text-sm first:border-t-0">
            <Row {...row} />
          </li>
        ))}
      </ul>
    </details>
  )
}

const Row = ({ where, fields }: ListedRow) => (
  <>
    {where !== '' && (
      <p className="text-muted">
        <Text>{where}</Text>
      </p>
    )}
    <dl className="grid gap-x-4 sm:grid-cols-2">
      {fields.map(({ title, value, before }) => (
        <div key={title} className={before === undefined ? 'min-w-0' : 'min-w-0 sm:col-span-2'}>
          <dt className="me-1.5 inline text-muted">
            <Text>{title}</Text>:
          </dt>
          <dd className="inline wrap-anywhere">
            {before === undefined ? <Text>{value}</Text> : <Change before={before} after={value} />}
          </dd>
        </div>
      ))}
    </dl>
  </>
)

function Change({ before, after }: { before: string; after: string }) {
  const { t } = useLingui()
  return (
    <>
      <del className="no-underline">{before || t`empty`}</del>
      <ArrowRight size={14} role="img" aria-label={t`changes to`} className="mx-1.5 inline align-[-2px]" />
      <ins className="font-bold no-underline">{after || t`empty`}</ins>
    </>
  )
}
