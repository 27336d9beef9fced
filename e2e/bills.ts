import { dayFromNow } from './clock.ts'
/**
 * Number of test accounts in each of the two online companies. It is large enough that no two tests share an account.
 */
const ACCOUNTS = 4000
const SHARE = 100
const FIRST = 900_000

/** Bill of every test account: two lines, $149.31 in total. */
export const BILL = { owedCents: 149_31, zip: '17011' }

/** Returns the bills of the test accounts as the company's billing system sends them (docs/import-bills.md). */
export function billsToPay(): string {
  const head =
    'account_number,customer_name,service_address,city,state,zip,bill_number,bill_date,due_date,period_start,period_end,service_1,amount_1,service_2,amount_2'
  const lines = Array.from({ length: ACCOUNTS }, (_, n) => {
    const account = FIRST + n
    const dates = [dayFromNow(-12), dayFromNow(9), dayFromNow(-43), dayFromNow(-13)].join(',')
    return `${account},Rosalind Mercer,${n + 1} Tannery Road,Maple Grove,PA,${BILL.zip},E${account},${dates},Water,93.06,Sewer,56.25`
  })
  return [head, ...lines].join('\n')
}

/**
 * Returns an account number that no other test uses. Each worker process has its own range of numbers, including a
 * worker that replaces a failed one.
 */
export const accountFor = (worker: number, index: number): string =>
  String(FIRST + ((worker * SHARE + index) % ACCOUNTS))
