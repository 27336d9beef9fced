/** Renderers of most PDF readers: Chrome and Edge use PDFium, Firefox uses PDF.js. */
export const renderers = ['PDFium', 'PDF.js'] as const
export type Renderer = (typeof renderers)[number]
