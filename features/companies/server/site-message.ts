import sanitizeHtml from 'sanitize-html'

/**
 * A town's HTML as it may stand in a page: text marks, lists and links, nothing that runs, loads or lays out.
 * Applied where it goes out, so that no older row can bring something else.
 */
export const safeHtml = (html: string): string =>
  sanitizeHtml(html, {
    allowedTags: ['p', 'br', 'b', 'strong', 'i', 'em', 'u', 'ul', 'ol', 'li', 'a', 'h3', 'h4'],
    allowedAttributes: { a: ['href', 'rel', 'target'] },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowProtocolRelative: false,
    transformTags: {
      a: (tagName, { href = '' }) => ({
        tagName,
        attribs: { href, ...(/^https?:/i.test(href) && { rel: 'noopener noreferrer', target: '_blank' }) },
      }),
    },
  })
