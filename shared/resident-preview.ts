interface PreviewAct {
  label: string
  /** Pages on which residents do this, by the name of their module (`shared/modules.ts`). Without pages, any page counts. */
  pages: Readonly<Record<string, string>> | null
  /** Screens that complete the step as soon as they are open. Without screens, a call completes it. */
  opens?: readonly string[]
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
  report: {
    label: 'Open the page to report a problem',
    pages: { requests: '/communication/new' },
    opens: ['/communication/new'],
  },
  form: {
    label: 'Open a form',
    pages: { forms: '/forms-documents' },
    opens: ['/forms-documents/{slug}', '/forms-documents/fill/{submissionId}'],
  },
  phone: { label: 'View a page at the width of a phone', pages: null },
} as const satisfies Record<string, PreviewAct>

export type PreviewActName = keyof typeof previewActs
export const previewActNames = Object.keys(previewActs) as PreviewActName[]

/** Steps that an open page completes. */
export const openedSteps = ['report', 'form', 'phone'] as const satisfies readonly PreviewActName[]

/** Returns the step that a screen completes as soon as it is open. */
export const openedAct = (screen: string): (typeof openedSteps)[number] | undefined =>
  openedSteps.find((name) => {
    const { opens = [] }: PreviewAct = previewActs[name]
    return opens.includes(screen)
  })

/** Width of a phone's page in CSS pixels. A wider page does not complete the step. */
export const PHONE_WIDTH = 480
