/**
 * SMS alphabet (GSM 03.38). One other character, such as "á", limits every text message to 70 characters instead of
 * 160.
 */
const GSM = /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà\f^{}\\[~\]|€]*$/

export const isGsm = (text: string): boolean => GSM.test(text)

/** GSM replacements with the same meaning: typographic quotes, dashes and spaces. */
const same: Record<string, string> = {
  ...{ '“': '"', '”': '"', '„': '"', '‟': '"', '″': '"', '«': '"', '»': '"' },
  ...{ '‘': "'", '’': "'", '‚': "'", '‛': "'", '′': "'", '´': "'", '`': "'" },
  ...{ '–': '-', '—': '-', '‒': '-', '―': '-', '‐': '-', '‑': '-', '−': '-' },
  ...{ '…': '...', '•': '-', '\u00a0': ' ', '\u202f': ' ', '\u2009': ' ', '\u200b': '', '\u00ad': '' },
}

/** Converts text to the SMS alphabet without loss of meaning. Accents stay. */
export const gsmOf = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(/[^\n -~]/gu, (character) => same[character] ?? character)
    .replaceAll('`', "'")
