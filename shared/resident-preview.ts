interface PreviewAct {
  label: string
  /** Pages on which residents do this, by the name of their module (`shared/modules.ts`). Without pages, any page counts. */
  pages: Readonly<Record<string, string>> | null
}

/** Steps of a preview, in which staff try the portal as a resident. */
export const previewActs = {
  find: {
    label: 'Find a bill',
    pages: { utilities: '/guest-utility-payment', bills: '/pay-bills', parking: '/parking-tickets' },
  },
  pay: {
    label: 'Pay the bill',
    pages: { utilities: '/guest-utility-payment', bills: '/pay-bills', parking: '/parking-tickets' },
  },
  report: { label: 'Report a problem', pages: { requests: '/communication' } },
  form: { label: 'Submit a form', pages: { forms: '/forms-documents' } },
  phone: { label: 'View a page at the width of a phone', pages: null },
} as const satisfies Record<string, PreviewAct>

export type PreviewActName = keyof typeof previewActs
export const previewActNames = Object.keys(previewActs) as PreviewActName[]

/** Width of a phone's page in CSS pixels. A wider page does not complete the step. */
export const PHONE_WIDTH = 480
