/** Kinds of search results that residents see in addition to FAQs, in display order. */
export const resultKinds = ['services', 'rentals', 'payments', 'forms', 'reports'] as const
export type ResultKind = (typeof resultKinds)[number]
