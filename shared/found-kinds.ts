/** What residents find beside questions and answers, in the order in which it is shown. */
export const foundKinds = ['services', 'payments', 'forms'] as const
export type FoundKind = (typeof foundKinds)[number]
