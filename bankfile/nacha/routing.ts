/** The check digit of the eight digits that name a bank: weights 3, 7, 1 (ABA). */
export function checkDigitOf(bank: string): number {
  const sum = [...bank].reduce((total, digit, at) => total + Number(digit) * ([3, 7, 1][at % 3] ?? 0), 0)
  return (10 - (sum % 10)) % 10
}

/** A routing number: nine digits, of which the last one checks the others. */
export const isRoutingNumber = (routing: string): boolean =>
  /^\d{9}$/.test(routing) && routing !== '000000000' && checkDigitOf(routing.slice(0, 8)) === Number(routing[8])
