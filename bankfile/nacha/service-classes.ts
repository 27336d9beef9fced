/** Debits and credits mixed, credits alone, debits alone, and advices of a bank. */
export const serviceClasses = { mixed: '200', credits: '220', debits: '225', advices: '280' } as const
