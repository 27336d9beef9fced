/** Line of a BAI2 bank statement. `cents` has no sign, because the line's code states the direction. */
export interface Bai2Line {
  code: string
  cents: number
  text: string
}

const total = (lines: readonly Bai2Line[]) => lines.reduce((sum, { cents }) => sum + cents, 0)
export const signed = ({ code, cents }: Bai2Line) => (Number(code) < 400 ? cents : -cents)

/** Writes a BAI2 file that covers one account and several days. */
export function bai2(
  days: readonly { day: string; lines: readonly Bai2Line[] }[],
  opening = 1_000_00,
  end = '\n',
): string {
  const records: string[] = ['01,122099999,123456789,261124,0200,1,80,,2/']
  let balance = opening
  let fileTotal = 0
  for (const { day, lines } of days) {
    const closing = balance + lines.reduce((sum, line) => sum + signed(line), 0)
    records.push(`02,123456789,122099999,1,${day},2359,USD,2/`)
    records.push(`03,00004567891234,USD,010,${balance},,,015,${closing},,/`)
    for (const { code, cents, text } of lines) records.push(`16,${code},${cents},Z,BANK1,CUST2,${text}`)
    const sum = balance + closing + total(lines)
    records.push(`49,${sum},${lines.length + 2}/`, `98,${sum},1,${lines.length + 4}/`)
    fileTotal += sum
    balance = closing
  }
  records.push(`99,${fileTotal},${days.length},${records.length + 1}/`)
  return records.join(end) + end
}
