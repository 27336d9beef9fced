/** PDF renderers that most people use: PDFium in Chrome and Edge, PDF.js in Firefox. */
export const renderers = ['PDFium', 'PDF.js'] as const
export type Renderer = (typeof renderers)[number]
