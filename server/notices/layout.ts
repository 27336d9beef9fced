import { makeTheme, type Theme } from '../../shared/theme.ts'
import { say, translated } from '../../shared/messages.ts'
import { escapeHtml } from '../html.ts'
import { readersLanguage } from '../languages.ts'
import type { Action, EmailTemplate, NoticeSender } from './notice.ts'

/** Footer of every email. */
interface Footer {
  why: string
  /** Unsubscribe link. Null if recipients can't unsubscribe. */
  unsubscribeUrl: string | null
}

/**
 * Renders an email as plain text and as HTML with the same content. The HTML has the company's colors and no images.
 */
export function layOut(
  at: NoticeSender,
  email: EmailTemplate,
  { why, unsubscribeUrl }: Footer,
): { text: string; html: string } {
  const { subject, paragraphs, ...rest } = email
  const read = { ...rest, subject: translated(subject), paragraphs: paragraphs.map(asRead) }
  return layOutRead(at, read, { why: translated(why), unsubscribeUrl })
}

const asRead = (line: string | Action): string | Action =>
  isAction(line)
    ? { ...line, label: translated(line.label), ...(line.text !== undefined && { text: translated(line.text) }) }
    : translated(line)

function layOutRead(
  at: NoticeSender,
  email: EmailTemplate,
  { why, unsubscribeUrl }: Footer,
): { text: string; html: string } {
  const signature = email.signature ?? addressOf(at)
  const lines = email.paragraphs.map((line) => (isAction(line) ? (line.text ?? '') + line.url : line))
  const optOut = unsubscribeUrl === null ? [] : [say`Unsubscribe: ${unsubscribeUrl}`]
  return {
    text: `${[...lines, signature].filter(Boolean).join('\n\n')}\n\n-- \n${[why, ...optOut].join('\n')}\n`,
    html: page(at, email, signature, { why, unsubscribeUrl }),
  }
}

const isAction = (line: string | Action): line is Action => typeof line !== 'string'

const addressOf = ({ company, name }: NoticeSender): string =>
  company ? `${name}, ${company.address1}, ${company.city}, ${company.state} ${company.zipcode}` : name

/** Builds the HTML with tables and inline styles, because email programs support little else. */
function page(
  at: NoticeSender,
  { subject, paragraphs }: EmailTemplate,
  signature: string,
  { why, unsubscribeUrl }: Footer,
): string {
  const { brand, 'on-brand': onBrand, paper: pageColor, surface, line, ink, muted } = tokensOf(at)
  // The first link that is not `small` becomes a button. Other links are plain.
  const first = paragraphs.find((part) => isAction(part) && !part.small)
  const body = paragraphs.map((part) => {
    if (!isAction(part)) return `<p style="margin:0 0 16px">${asHtml(part)}</p>`
    const link = `<a href="${escapeHtml(part.url)}">${escapeHtml(part.url)}</a>`
    if (part !== first)
      return `<p style="margin:0 0 16px;word-break:break-all">${part.text ? asHtml(part.text) : `${escapeHtml(part.label)}:<br>`}${link}</p>`
    const button = `display:inline-block;padding:12px 20px;border-radius:6px;background:${brand};color:${onBrand};font-weight:bold;text-decoration:none`
    return [
      `<p style="margin:0 0 8px"><a href="${escapeHtml(part.url)}" style="${button}">${escapeHtml(part.label)}</a></p>`,
      `<p style="margin:0 0 16px;font-size:14px;word-break:break-all;color:${muted}">${link}</p>`,
    ].join('\n')
  })
  const small = [
    ...(signature ? [asHtml(signature)] : []),
    escapeHtml(why),
    ...(unsubscribeUrl === null
      ? []
      : [`<a href="${escapeHtml(unsubscribeUrl)}" style="color:${muted}">${escapeHtml(say`Unsubscribe`)}</a>`]),
  ]
  const table = 'role="presentation" width="100%" cellpadding="0" cellspacing="0"'
  return `<!doctype html>
<html lang="${readersLanguage()?.locale ?? 'en'}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;background:${pageColor};color:${ink};font:16px/1.5 Arial,Helvetica,sans-serif">
<table ${table}><tr><td align="center" style="padding:24px 12px">
<table ${table} style="max-width:600px;background:${surface};border:1px solid ${line};text-align:left">
<tr><td style="padding:16px 24px;background:${brand};color:${onBrand};font-size:20px;font-weight:bold">${escapeHtml(at.name)}</td></tr>
<tr><td style="padding:24px 24px 8px">
${body.join('\n')}
</td></tr>
<tr><td style="padding:16px 24px;border-top:1px solid ${line};color:${muted};font-size:14px">
${small.map((text) => `<p style="margin:0 0 8px">${text}</p>`).join('\n')}
</td></tr>
</table>
</td></tr></table>
</body>
</html>
`
}

const asHtml = (text: string): string => escapeHtml(text).replaceAll('\n', '<br>')

/**
 * Cached themes by color. Deriving a palette takes longer than rendering an email, and a company rarely changes its
 * colors.
 */
const themes = new Map<string, Theme>()

function tokensOf({ company }: NoticeSender): Theme['tokens'] {
  const colors = [company?.themeBackground || undefined, company?.themeText || undefined] as const
  const key = colors.join()
  const theme = themes.get(key) ?? makeTheme(...colors)
  if (themes.size > 1000) themes.clear()
  themes.set(key, theme)
  return theme.tokens
}
