/** Returns the check digit for the first eight digits of a routing number, with the ABA weights 3, 7, 1. */
export function checkDigitOf(bank: string): number {
  const sum = [...bank].reduce((total, digit, at) => total + Number(digit) * ([3, 7, 1][at % 3] ?? 0), 0)
  return (10 - (sum % 10)) % 10
}

/** True for a routing number: nine digits, and the last one is the check digit. */
export const isRoutingNumber = (routing: string): boolean =>
  /^\d{9}$/.test(routing) && routing !== '000000000' && checkDigitOf(routing.slice(0, 8)) === Number(routing[8])
