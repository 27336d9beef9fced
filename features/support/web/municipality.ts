/** Staff may ask the support, too. */
export const supportDialog = () => import('./SupportDialog.tsx')
