/** Company staff can also send support requests. */
export const supportDialog = () => import('./SupportDialog.tsx')
