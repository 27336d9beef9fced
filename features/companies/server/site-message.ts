import sanitizeHtml from 'sanitize-html'

/**
 * Sanitizes a company's HTML for a page. Allows only text formatting, lists and links, and removes scripts, loaded
 * resources and layout. Applied on output, so that older rows are covered too.
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
