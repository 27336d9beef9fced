import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/forms-documents', screen: () => import('./citizen/FormsScreen.tsx') },
  { path: '/forms-documents/fill/{submissionId}', screen: () => import('./citizen/FillScreen.tsx') },
  {
    path: '/forms-documents/submission/{token}',
    screen: () => import('./citizen/SubmissionScreen.tsx'),
    ...{ rendered: 'token', startsUnprompted: true },
  },
  { path: '/forms-documents/sign/{token}', screen: () => import('./citizen/SignScreen.tsx'), rendered: 'token' },
  { path: '/verify/{code}', screen: () => import('./documents/VerifyScreen.tsx'), rendered: 'fresh' },
  { path: '/forms-documents/{slug}', screen: () => import('./citizen/FormScreen.tsx') },
]
