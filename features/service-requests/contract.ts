import { caseCalls } from '../../shared/cases.ts'

/** The conversation around a request, and who works on it. */
export const requestCase = caseCalls({
  kind: 'request',
  desk: 'municipality',
  path: 'request',
  about: 'requests',
  noun: 'request',
  asksPosition: true,
  // As the specification names it (7.1).
  attachPath: 'save/communication/file',
  rights: {
    read: ['communication_management', 'view'],
    write: ['communication_management', 'update'],
    // 'Assign to other admin' (specification 6.3, sub-module 34).
    assign: ['chat', 'update'],
  },
})
