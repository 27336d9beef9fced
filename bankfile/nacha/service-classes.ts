/** Service class codes: mixed debits and credits, credits only, debits only, and advices of a bank. */
export const serviceClasses = { mixed: '200', credits: '220', debits: '225', advices: '280' } as const
