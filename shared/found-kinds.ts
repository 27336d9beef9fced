/** What residents find beside questions and answers, in the order in which it is shown. */
export const foundKinds = ['services', 'rentals', 'payments', 'forms', 'reports'] as const
export type FoundKind = (typeof foundKinds)[number]
