/** Loads the support request dialog, because company staff can also send requests. */
export const supportDialog = () => import('./SupportDialog.tsx')
