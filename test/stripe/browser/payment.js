// Script of the Payment Element's frame. Sends the typed data only to this script's own origin, and receives a payment
// method.
const parent_ = new URLSearchParams(location.search).get('parent') ?? ''
let key = ''
let form = /** @type {HTMLFormElement} */ (document.forms[0])
/** @type {MessagePort | null} */
let port = null

const field = (name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name))
const digits = (name) => field(name).value.replaceAll(/\D/g, '')
const isInstant = () => document.getElementById('instant')?.ariaPressed === 'true'

function passesLuhn(number) {
  const sum = [...number].toReversed().reduce((total, digit, at) => {
    const twice = Number(digit) * (at % 2 === 0 ? 1 : 2)
    return total + (twice > 9 ? twice - 9 : twice)
  }, 0)
  return number.length >= 13 && sum % 10 === 0
}

/** Returns the first error: its field, Stripe's error code and Stripe's message. False if the form is valid. */
function wrong() {
  if (form.id === 'card') {
    const number = digits('number')
    const [month, year] = [Number(digits('expiry').slice(0, 2)), 2000 + Number(digits('expiry').slice(2))]
    if (number.length < 15) return ['number', 'incomplete_number', 'Your card number is incomplete.']
    if (!passesLuhn(number)) return ['number', 'invalid_number', 'Your card number is invalid.']
    if (digits('expiry').length < 4 || month < 1 || month > 12)
      return ['expiry', 'incomplete_expiry', "Your card's expiration date is incomplete."]
    if (new Date(year, month) < new Date())
      return ['expiry', 'invalid_expiry_year_past', "Your card's expiration year is in the past."]
    if (digits('cvc').length < 3) return ['cvc', 'incomplete_cvc', "Your card's security code is incomplete."]
    return digits('postal').length < 5 && ['postal', 'incomplete_zip', 'Your ZIP is incomplete.']
  }
  if (field('name').value.trim() === '') return ['name', 'incomplete_name', 'Please provide your full name.']
  if (!/.@./.test(field('email').value)) return ['email', 'incomplete_email', 'Your email is incomplete.']
  if (isInstant()) return false
  if (digits('routing').length !== 9)
    return ['routing', 'incomplete_routing_number', 'Your routing number is incomplete.']
  return digits('account').length < 4 && ['account', 'incomplete_account_number', 'Your account number is incomplete.']
}

function change() {
  for (const input of form.querySelectorAll('input')) input.ariaInvalid = 'false'
  const message = form.querySelector('p')
  if (message) message.textContent = ''
  const empty = [...form.querySelectorAll('input')].every(({ value }) => value === '')
  port?.postMessage({ type: 'change', kind: form.id, complete: !wrong(), empty })
}

function submit() {
  const problem = wrong()
  if (!problem) return { selectedPaymentMethod: form.id }
  const [name, code, message] = problem
  field(name).ariaInvalid = 'true'
  const place = form.querySelector('p')
  if (place) place.textContent = message
  return { error: { type: 'validation_error', code, message } }
}

const call = (path, init = {}) => fetch(path, { ...init, headers: { authorization: `Bearer ${key}` } })

async function create() {
  const typed = new FormData(form)
  const body = new URLSearchParams({ type: form.id })
  for (const [name, value] of typed) if (typeof value === 'string') body.set(name, value)
  if (isInstant()) body.set('instant', 'true')
  try {
    const answer = await call('/elements/payment_methods', { method: 'POST', body })
    const said = await answer.json()
    return answer.ok ? { paymentMethod: said } : said
  } catch {
    return { error: { type: 'api_connection_error', message: 'We are experiencing issues connecting to our servers.' } }
  }
}

const answers = { submit, create }

async function hear({ data: { type, id } }) {
  if (type === 'focus') {
    const first = form.querySelector('[aria-invalid=true]') ?? form.querySelector('input')
    return /** @type {HTMLElement} */ (first).focus()
  }
  port?.postMessage({ type: 'answer', id, answer: await answers[type]() })
}

async function begin({ kind, variables }) {
  for (const [name, value] of Object.entries(variables ?? {}))
    if (value) document.documentElement.style.setProperty(`--${name}`, value)
  form = /** @type {HTMLFormElement} */ (document.getElementById(kind))
  form.hidden = false
  form.addEventListener('input', change)
  document.getElementById('instant')?.addEventListener('click', ({ currentTarget }) => {
    const button = /** @type {HTMLElement} */ (currentTarget)
    button.ariaPressed = String(!isInstant())
    change()
  })
  const session = await call('/elements/sessions').catch(() => null)
  if (!session?.ok) {
    const { error } = (await session?.json().catch(() => null)) ?? { error: { type: 'api_connection_error' } }
    return port?.postMessage({ type: 'loaderror', error })
  }
  const height = () => port?.postMessage({ type: 'height', height: document.documentElement.offsetHeight })
  height()
  new ResizeObserver(height).observe(document.body)
  port?.postMessage({ type: 'ready' })
}

addEventListener('message', ({ source, origin, data, ports }) => {
  if (source !== window.parent || origin !== parent_ || data?.type !== 'begin') return
  port = ports[0] ?? null
  if (port) port.onmessage = (event) => void hear(event)
  key = data.key
  void begin(data)
})
window.parent.postMessage('payment-element', parent_)
