/** Joins class names, omitting false, empty and missing ones. */
export const cx = (...names: (string | false | null | undefined | 0 | 0n)[]): string => names.filter(Boolean).join(' ')
