/** Loads the bar of a preview. Residents never need it. */
export const previewBar = () => import('./PreviewBar.tsx')
