// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from 'vitest'
import { registerRouter } from '../../../../web/go.ts'
import { openNext } from './open-next.ts'

const push = vi.fn()
const stubResponse = (status: number, body: object) =>
  vi.stubGlobal('fetch', async () => Response.json({ success: status === 200, ...body }, { status }))

afterEach(() => {
  vi.unstubAllGlobals()
  push.mockReset()
})

describe('a sent form', () => {
  registerRouter({ entry: 'citizen', push })

  it('opens the payment page of its fee, with the submission behind it', async () => {
    stubResponse(200, { token: 'checkout-1', message: '' })
    await openNext({ token: 'form-1', next: 'pay' })
    expect(push).toHaveBeenCalledWith('/guest/payment/checkout-1', false, '/forms-documents/submission/form-1')
  })

  it('opens the submission if the payment cannot be opened', async () => {
    stubResponse(409, { error: { code: 'closed', message: 'Not now.' } })
    await openNext({ token: 'form-1', next: 'pay' })
    expect(push).toHaveBeenCalledWith('/forms-documents/submission/form-1', false, undefined)
  })

  it('opens the submission if it has no fee', async () => {
    await openNext({ token: 'form-1', next: 'review' })
    expect(push).toHaveBeenCalledWith('/forms-documents/submission/form-1', false, undefined)
  })
})
