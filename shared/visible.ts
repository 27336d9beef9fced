/**
 * Characters that change how the text around them reads: direction marks and overrides. A name with one can show other
 * letters than it has.
 */
export const DIRECTION_OVERRIDES = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/

/**
 * One line of visible characters without markup. Joiners (U+200C, U+200D) count after a letter or a sign: names in Sinhala,
 * Persian and Hindi, and many emoji, need them.
 */
export const VISIBLE_LINE = /^(?:[^\p{C}<>]|(?<=[\p{L}\p{M}\p{S}])[\u200C\u200D])*$/u

export const NOT_VISIBLE = 'Please leave out < and > and characters that can not be seen.'
