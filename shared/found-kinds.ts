/** Kinds of search results that residents see in addition to FAQs, in display order. */
export const foundKinds = ['services', 'rentals', 'payments', 'forms', 'reports'] as const
export type FoundKind = (typeof foundKinds)[number]
