/**
 * Characters of the SMS alphabet (GSM 03.38). If a text has any other character, such as "á", each text message can
 * have only 70 characters instead of 160.
 */
const GSM = /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà\f^{}\\[~\]|€]*$/

export const isGsm = (text: string): boolean => GSM.test(text)

/**
 * Replacements for typographic quotes, dashes and spaces that are not in the SMS alphabet. The replacements have the
 * same meaning.
 */
const same: Record<string, string> = {
  ...{ '“': '"', '”': '"', '„': '"', '‟': '"', '″': '"', '«': '"', '»': '"' },
  ...{ '‘': "'", '’': "'", '‚': "'", '‛': "'", '′': "'", '´': "'", '`': "'" },
  ...{ '–': '-', '—': '-', '‒': '-', '―': '-', '‐': '-', '‑': '-', '−': '-' },
  ...{ '…': '...', '•': '-', '\u00a0': ' ', '\u202f': ' ', '\u2009': ' ', '\u200b': '', '\u00ad': '' },
}

/** Converts text to the SMS alphabet where the meaning stays the same. Accented letters stay. */
export const gsmOf = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(/[^\n -~]/gu, (character) => same[character] ?? character)
    .replaceAll('`', "'")
