/** Pure functions for payment arrangements: the installment schedule and the status. Amounts are integer cents. */
import { addDays, daysBetween } from '../../shared/dates.ts'
import { formatCents } from '../../shared/money.ts'
import { say } from '../../shared/messages.ts'

export const rhythms = { week: 'Every week', two_weeks: 'Every two weeks', month: 'Every month' } as const
export type Rhythm = keyof typeof rhythms

/** Maximum number of installments of any arrangement. */
export const MAX_INSTALLMENTS = 36
export const MAX_DAYS = 1095

export interface Terms {
  totalCents: number
  /** First installment if it differs from the others. Null if all are equal. */
  firstCents: number | null
  count: number
  firstOn: string
  every: Rhythm
}

export interface Installment {
  no: number
  dueOn: string
  cents: number
}

/** Limits of a company for arrangements by residents. */
export interface Limits {
  maxInstallments: number
  maxDays: number
  /** Minimum first installment, in percent of the total. */
  minFirstPercent: number
  /** Minimum total for an arrangement, in cents. */
  minCents: number
}

/** Returns the limits of a company's rules. */
export const limitsOf = (rules: {
  maxInstallments: number
  maxDays: number
  minFirstPercent: number
  minCents: number
}): Limits => ({
  maxInstallments: rules.maxInstallments,
  maxDays: rules.maxDays,
  minFirstPercent: rules.minFirstPercent,
  minCents: rules.minCents,
})

/** Returns the installments. They add up to the total, and the last one contains the remainder. */
export function scheduleOf({ totalCents, firstCents, count, firstOn, every }: Terms): Installment[] {
  const first = firstCents ?? Math.floor(totalCents / count)
  const rest = totalCents - first
  const usual = Math.floor(rest / (count - 1))
  return Array.from({ length: count }, (_, n) => ({
    no: n + 1,
    dueOn: dayOf(firstOn, every, n),
    cents: n === 0 ? first : n === count - 1 ? rest - usual * (count - 2) : usual,
  }))
}

function dayOf(firstOn: string, every: Rhythm, n: number): string {
  if (every === 'week') return addDays(firstOn, 7 * n)
  if (every === 'two_weeks') return addDays(firstOn, 14 * n)
  const [year = 0, month = 1, day = 1] = firstOn.split('-').map(Number)
  const months = year * 12 + month - 1 + n
  const begins = `${Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, '0')}-01`
  const next = `${Math.floor((months + 1) / 12)}-${String(((months + 1) % 12) + 1).padStart(2, '0')}-01`
  // In a month without that day, the installment is due on the last day of the month.
  return addDays(begins, Math.min(day, daysBetween(begins, next)) - 1)
}

/** Returns the error of the terms and its field, or null. `limits` apply to residents. Staff may exceed them. */
export function refuseTerms(
  terms: Terms,
  { owedCents, today, limits }: { owedCents: number; today: string; limits: Limits | null },
): { field: keyof Terms; message: string } | null {
  const { totalCents, firstCents, count, firstOn } = terms
  if (totalCents > owedCents)
    return {
      field: 'totalCents',
      message: say`Enter no more than ${formatCents(Math.max(owedCents, 0))}, the amount due.`,
    }
  if (totalCents < Math.max(count, limits?.minCents ?? 0))
    return {
      field: 'totalCents',
      message: say`Enter at least ${formatCents(Math.max(count, limits?.minCents ?? 0))} to pay in installments.`,
    }
  const max = limits?.maxInstallments ?? MAX_INSTALLMENTS
  if (count < 2 || count > max) return { field: 'count', message: say`Choose 2 to ${max} installments.` }
  if (firstOn < today || firstOn > addDays(today, 62))
    return { field: 'firstOn', message: say`Choose a first due date within the next two months.` }
  const minCents = Math.ceil((totalCents * (limits?.minFirstPercent ?? 0)) / 100)
  const installments = scheduleOf(terms)
  if (firstCents !== null && firstCents >= totalCents)
    return { field: 'firstCents', message: say`The first installment must be less than the total.` }
  if ((installments[0]?.cents ?? 0) < minCents)
    return { field: 'firstCents', message: say`The first installment must be at least ${formatCents(minCents)}.` }
  if (installments.some(({ cents }) => cents <= 0))
    return {
      field: 'firstCents',
      message: say`Each installment must be at least one cent. Enter a smaller first installment.`,
    }
  const last = installments.at(-1)?.dueOn ?? firstOn
  const maxDays = limits?.maxDays ?? MAX_DAYS
  if (daysBetween(today, last) > maxDays)
    return {
      field: 'count',
      message: say`The last installment must be due within ${maxDays} days. Choose fewer installments.`,
    }
  return null
}

export interface ArrangementStatus {
  /** Installments with their unpaid amount. Payments apply to the oldest installment first. */
  open: (Installment & { openCents: number })[]
  remainingCents: number
  /** Unpaid part of the installments due by today. */
  overdueCents: number
  /** First unpaid installment. Null if all are paid. */
  next: (Installment & { openCents: number }) | null
  /** True if an installment is late by more than the grace period. */
  defaulted: boolean
}

/** Returns the status of an arrangement from the amount paid since its start. */
export function scheduleStatusOf(
  installments: readonly Installment[],
  paidCents: number,
  today: string,
  graceDays: number,
): ArrangementStatus {
  let left = Math.max(0, paidCents)
  const open = installments.map((one) => {
    const paid = Math.min(left, one.cents)
    left -= paid
    return { ...one, openCents: one.cents - paid }
  })
  const sum = (some: readonly { openCents: number }[]) => some.reduce((cents, { openCents }) => cents + openCents, 0)
  const unpaid = open.filter(({ openCents }) => openCents > 0)
  return {
    open,
    remainingCents: sum(open),
    overdueCents: sum(unpaid.filter(({ dueOn }) => dueOn < today)),
    next: unpaid[0] ?? null,
    defaulted: unpaid.some(({ dueOn }) => addDays(dueOn, graceDays) < today),
  }
}

/** Returns the name that identifies an installment in AutoPay charges. The name is unique across arrangements. */
export const installmentName = (arrangementId: number, no: number): string => `A${arrangementId}-${no}`

/** Returns the default agreement text for a company without its own text. */
export const defaultTerms = (companyName: string): string =>
  say`I agree to pay the amount that I owe to ${companyName} in these installments, each by its due date. Payments on this account apply to the oldest unpaid installment first. New bills are not part of this arrangement, and I will pay them when they are due. If an installment is late by more than the grace period, the arrangement defaults and the entire remaining amount is due immediately.`
