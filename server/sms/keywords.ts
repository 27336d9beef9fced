/**
 * Meaning of a reply. A resident may opt out in any reasonable words (47 CFR 64.1200(a)(10)), including phrases, spaced
 * letters, signatures and Spanish. A text is an opt-out only if all of its words belong to such a request. A sentence
 * on another subject never is.
 */
export type KeywordMeaning = 'stop' | 'start' | 'help' | 'other'

const set = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/))

const START = set('START UNSTOP YES SI RESUME INICIAR EMPEZAR COMENZAR')
const HELP = set('HELP INFO AYUDA INFORMACION')

/**
 * Words that opt out of text messages: from the rule, from the phone carriers, and in Spanish. `NOMORE` represents the
 * phrases below.
 */
const ENDS = set(
  `
  STOP STOPP STOPALL END QUIT REVOKE REVOKED CANCEL UNSUBSCRIBE UNSUBSCRIBED UNSUBCRIBE UNSUSCRIBE UNSUB OPTOUT REMOVE DELETE
  CEASE DESIST NOMORE ARRET ALTO BASTA BAJA PARAR PARE PAREN PARA PARALO CANCELAR CANCELE CANCELEN CANCELA DETENER DETENGA DETENGAN
  TERMINAR TERMINE TERMINEN FIN REVOCAR REVOCO ELIMINAR ELIMINE ELIMINEN ELIMINENME BORRAR BORRE BORREN BORRENME BORRARME
  QUITAR QUITENME SALIR DESUSCRIBIR DESUSCRIBIRME DESINSCRIBIR`.trim(),
)

/** Other words that an opt-out request may contain, such as polite words and names for messages. */
const BESIDE = set(
  `
  A ALL AM AN AND ANY ANYMORE AGAIN ALERT ALERTS ALREADY ASAP AT AUTHORIZATION CALL CALLS CALLING CAN CELL COMMUNICATION COMMUNICATIONS
  CONSENT CONTACT CONTACTING COULD EVER EVERYTHING FOR FROM GET GETTING HELLO HEY HEREBY HI I ID IM IMMEDIATELY IT JUST KINDLY LIKE
  LIST LISTS MAAM MAILING ME MESSAGE MESSAGES MESSAGING MORE MSG MSGS MUST MY MYSELF NEED NO NOTICES NOTIFICATION NOTIFICATIONS NOW
  NUMBER OF OFF OK OKAY OR OUT PERMISSION PHONE PLEASE PLS PLZ RECEIVE RECEIVING REMINDERS REQUEST RIGHT SEND SENDING SIR SMS SPAM
  SPAMMING SUBSCRIPTION TEXT TEXTS TEXTING THANK THANKS THAT THE THEM THESE THIS THOSE THX TO TXT TXTS TY UPDATES US WANT WILL WISH
  WITH WOULD WRONG YES YOU YOUR
  AL ALERTAS AVISOS CONSENTIMIENTO DE DEL DEME DEN DESEO EL ENVIAR ENVIARME ENVIEN ENVIANDO ESTA ESTAS ESTE ESTO ESTOS FAVOR GRACIAS LA LAS
  LISTA LOS MANDAR MANDARME MANDEN MANDANDO MAS MENSAJE MENSAJES MI MIS NOTIFICACIONES NUMERO POR PORFAVOR QUIERO QUISIERA RECIBIR
  SUS SU TELEFONO TEXTO TEXTOS USTEDES YA YO`.trim(),
)

/** Phrases, each with the single word that replaces it. Longer phrases come first. */
const PHRASES: [RegExp, string][] = [
  [/\bOPT(?:ING)?(?: (?:ME|US))? OUT\b/g, 'OPTOUT'],
  [/\bDESISTA?N?\b/g, 'DESIST'],
  [/\b(?:TAKE|GET) (?:ME|US|MY NUMBER|THIS NUMBER) OFF\b/g, 'REMOVE'],
  [/\bLEAVE (?:ME|US) ALONE\b/g, 'NOMORE'],
  [/\bWITHDRAW(?:ING)?\b(?= (?:MY )?(?:CONSENT|PERMISSION|AUTHORIZATION))/g, 'REVOKE'],
  [
    /\b(?:DONT|DO NOT|DONOT|NEVER)(?: EVER)?(?: (?:WANT|NEED|WISH|WANT TO GET|WANT TO RECEIVE|WISH TO RECEIVE))\b(?! TO)/g,
    'NOMORE',
  ],
  [
    /\b(?:DONT|DO NOT|DONOT|NEVER)(?: EVER)?(?: (?:WANT|NEED|WISH) TO)?(?= (?:TEXT|SEND|MESSAGE|CONTACT|CALL|SPAM|GET|RECEIVE)\b)/g,
    'NOMORE',
  ],
  [/\bNO MORE\b/g, 'NOMORE'],
  [/\bNO(?: ME)?(?: QUIERO| DESEO| ENVIEN?| MANDEN?| TEXTEEN?| ESCRIBAN?| CONTACTEN?| LLAMEN?)(?: MAS)?\b/g, 'NOMORE'],
  [/\b(?:NO MAS|YA NO)\b/g, 'NOMORE'],
  [/\b(?:DAR|DARME|DEN|DENME|DEME|DE) DE BAJA\b/g, 'BAJA'],
  [/\bDEJEN? DE\b|\bDEJAR DE\b/g, 'PARAR'],
]

/** Negated opt-outs, which do not count: “Don't stop”, “I never want to cancel”, “no paren”. */
const NEGATED = new RegExp(
  `\\b(?:DONT|DO NOT|DONOT|NEVER|NOT)(?: (?:EVER|PLEASE|YOU|TO|WANT|WISH|NEED|LIKE|MEAN|REALLY|JUST|GO))* (?:${[...ENDS].join('|')}|OPT)\\b` +
    `|\\bNO (?:PARE|PAREN|PARES|PARAR|CANCELE|CANCELEN|CANCELAR|DETENGA|DETENGAN|TERMINEN?|ELIMINEN?|BORREN?|ME DEN DE BAJA)\\b`,
)

/** Converts a text to plain words in capital letters. “S T O P” and “Stooop” become STOP, and “don’t” becomes DONT. */
const plainOf = (text: string): string =>
  text
    .replaceAll(/\u{1F6D1}/gu, ' STOP ')
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{Cf}'’‘ʼ`´]/gu, '')
    .toUpperCase()
    .replaceAll(/[^\p{L}]+/gu, ' ')
    .trim()
    .replaceAll(/(\p{L})\1{2,}/gu, '$1')
    .replaceAll(/(?<!\p{L})\p{L}(?: \p{L}(?!\p{L})){2,}/gu, (chars) => chars.replaceAll(' ', ''))

function isEnd(text: string): boolean {
  const clauses = text.split(/[.,;:!?\n\r]+|\s[-–—~]+\s?/).map(plainOf)
  if (clauses.some((clause) => NEGATED.test(clause))) return false
  const tokens = PHRASES.reduce((plain, [phrase, word]) => plain.replaceAll(phrase, word), plainOf(text)).split(' ')
  return tokens.some((word) => ENDS.has(word)) && tokens.every((word) => ENDS.has(word) || BESIDE.has(word))
}

/**
 * True if the text is a name, an address or a phone's automatic signature. `isBelow` is true if the text is on a line
 * below the request.
 */
function isSignature(text: string, isBelow: boolean): boolean {
  if (/^\s*(?:-{2,}|_{2,})/.test(text) || /^\W*(?:sent from|get outlook|enviado desde)\b/i.test(text)) return true
  const tokens = (text.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !BESIDE.has(plainOf(word)))
  const isNamed = tokens.every((word) => /^[\p{Lu}\p{N}]/u.test(word))
  return tokens.length <= (isBelow ? 12 : 3) && (isNamed || (isBelow && tokens.length <= 2))
}

/** Separators between the request and a signature. */
const BREAKS = /\n+|[.!;,]\s+|\s*[-–—~]+\s*|\s{2,}/g

function endsTexts(body: string): boolean {
  const text = body.trim()
  if (isEnd(text)) return true
  return [...text.matchAll(BREAKS)].some(({ index, 0: mark }) => {
    const [request, rest] = [text.slice(0, index), text.slice(index)]
    return isEnd(request) && isSignature(rest.replace(/^\s*[-–—~]\s*(?!-)|^[\s.!;,]+/, ''), mark.includes('\n'))
  })
}

const only = (commands: ReadonlySet<string>, plain: string): boolean => {
  const remaining = plain.split(' ').filter((word) => commands.has(word) || !BESIDE.has(word))
  return remaining.length === 1 && commands.has(remaining[0] ?? '')
}

/**
 * Determines the meaning of a reply.
 * @param detected keyword that Twilio detected, or null
 */
export function meaningOf(body: string, detected: string | null): KeywordMeaning {
  const plain = plainOf(detected ?? body)
  if (START.has(plain)) return 'start'
  if (endsTexts(detected ?? body)) return 'stop'
  if (only(START, plain) && !plain.split(' ').some((word) => ENDS.has(word))) return 'start'
  return only(HELP, plain) ? 'help' : 'other'
}
