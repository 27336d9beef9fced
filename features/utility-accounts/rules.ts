/** An account number as it is kept: capital letters, no spaces around or within. */
export const normaliseAccountNumber = (text: string): string => text.replaceAll(/\s+/g, '').toUpperCase()

/** Digits, capital letters and dashes, at most 30. */
export const isAccountNumber = (text: string): boolean => /^[0-9A-Z-]{1,30}$/.test(text)
