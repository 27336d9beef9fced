import type { PaymentFields } from '../../shared/payment-fields.ts'

/** The parts of Stripe's script that the portal uses. Source: https://docs.stripe.com/js */
interface StripeScript {
  elements(options: object): Elements
  createPaymentMethod(input: { elements: Elements }): Promise<{
    paymentMethod?: { id: string }
    error?: { message?: string }
  }>
}

export interface Elements {
  create(type: 'payment', options: object): Element
  update(options: object): void
  submit(): Promise<{ error?: { type: string; message?: string } }>
}

interface Element {
  mount(into: HTMLElement): void
  on(event: 'ready' | 'change' | 'loaderror', hear: (event: { complete?: boolean }) => void): void
  focus(): void
  destroy(): void
}

export type { Element as StripeElement }

declare global {
  // Global variable that the script defines.
  var Stripe: ((key: string) => StripeScript) | undefined
}

const TIMEOUT_MS = 15_000
let loading: Promise<void> | null = null

/** Loads the script, once per page. @throws if it fails to load */
export function loadStripe({ url, key }: NonNullable<PaymentFields['script']>): Promise<StripeScript> {
  loading ??= new Promise<void>((resolve, reject) => {
    const script = document.createElement('script')
    const fail = () => {
      loading = null
      script.remove()
      reject(new Error('the script of the payment fields did not come'))
    }
    const timer = setTimeout(fail, TIMEOUT_MS)
    script.src = url
    script.addEventListener('load', () => {
      clearTimeout(timer)
      resolve()
    })
    script.addEventListener('error', () => {
      clearTimeout(timer)
      fail()
    })
    document.head.append(script)
  })
  return loading.then(() => {
    if (!globalThis.Stripe) throw new Error('the script of the payment fields is another one')
    return globalThis.Stripe(key)
  })
}

/** Returns the company's colors, so that the fields match the page. */
export function appearanceOf(element: HTMLElement): object {
  const style = getComputedStyle(element)
  const color = (name: string) => style.getPropertyValue(`--${name}`).trim() || undefined
  return {
    theme: 'stripe',
    labels: 'above',
    variables: {
      colorText: color('ink'),
      colorTextSecondary: color('muted'),
      colorPrimary: color('link'),
      colorBackground: color('surface'),
      colorDanger: color('danger'),
      fontSizeBase: '16px',
      borderRadius: '4px',
    },
  }
}
