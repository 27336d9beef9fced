/** Joins class names, leaving out what is false, empty or missing. */
export const cx = (...names: (string | false | null | undefined | 0 | 0n)[]): string => names.filter(Boolean).join(' ')
