import { Trans, useLingui } from '@lingui/react/macro'
import { CompanySelect } from '../../../web/admin/CompanySelect.tsx'
import { page } from '../../../web/page.ts'
import { Select } from '../../../web/ui/Choice.tsx'
import { DateRange } from '../../../web/ui/office/DateRange.tsx'
import { companiesInformation } from '../../../shared/companies.ts'
import { changeQuery, type Question } from './use-question.ts'

export function AnalyticsFilters({ question }: { question: Question }) {
  const { t } = useLingui()
  const { company, period, fromDate, toDate, by, mayByDay } = question
  return (
    <div className="mb-5 flex flex-wrap items-end gap-3 max-md:grid sm:max-md:grid-cols-2 print:hidden">
      <CompanySelect
        of={companiesInformation}
        value={company === undefined ? '' : String(company)}
        onChange={(chosen) => changeQuery({ company: chosen || null })}
        className="sm:max-md:col-span-2 md:min-w-56"
      />
      <Select
        label={<Trans>Period</Trans>}
        value={period}
        onChange={({ target }) =>
          changeQuery(
            target.value === 'dates'
              ? { period: 'dates', fromDate, toDate }
              : { period: target.value, fromDate: null, toDate: null },
          )
        }
        className="md:min-w-40"
        options={[
          { value: '7', label: t`7 days` },
          { value: '30', label: t`30 days` },
          { value: '90', label: t`90 days` },
          { value: '365', label: t`1 year` },
          { value: 'dates', label: t`Custom dates` },
        ]}
      />
      {period === 'dates' && (
        <DateRange
          className="sm:max-md:col-span-2"
          label={<Trans>Date range</Trans>}
          from={fromDate}
          to={toDate}
          max={page().today}
          onChange={({ from, to }) => from && to && changeQuery({ fromDate: from, toDate: to })}
        />
      )}
      <Select
        label={<Trans>Group by</Trans>}
        value={by}
        onChange={({ target }) => changeQuery({ by: target.value === 'month' ? 'month' : null })}
        className="md:min-w-40"
        options={[...(mayByDay ? [{ value: 'day', label: t`Day` }] : []), { value: 'month', label: t`Month` }]}
      />
    </div>
  )
}
