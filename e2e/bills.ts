/** What the tests pay: enough accounts that no two tests need the same one, in both open towns. */
const ACCOUNTS = 4000
const SHARE = 100
const FIRST = 900_000

/** The bill of every test account: two lines, $149.31 together. */
export const BILL = { owedCents: 149_31, zip: '17011' }

const isoDay = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** The test accounts' bills as the town's billing system would send them (docs/import-bills.md). */
export function billsToPay(): string {
  const head =
    'account_number,customer_name,service_address,city,state,zip,bill_number,bill_date,due_date,period_start,period_end,service_1,amount_1,service_2,amount_2'
  const lines = Array.from({ length: ACCOUNTS }, (_, n) => {
    const account = FIRST + n
    const dates = [isoDay(-12), isoDay(9), isoDay(-43), isoDay(-13)].join(',')
    return `${account},Rosalind Mercer,${n + 1} Tannery Road,Maple Grove,PA,${BILL.zip},E${account},${dates},Water,93.06,Sewer,56.25`
  })
  return [head, ...lines].join('\n')
}

/** An account number that no other test takes: each worker process has its own share, also one that follows a failure. */
export const accountFor = (worker: number, nth: number): string => String(FIRST + ((worker * SHARE + nth) % ACCOUNTS))
