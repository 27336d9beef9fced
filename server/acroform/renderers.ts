/** The programs that most people see a PDF by: Chrome and Edge draw by PDFium, Firefox by PDF.js. */
export const renderers = ['PDFium', 'PDF.js'] as const
export type Renderer = (typeof renderers)[number]
