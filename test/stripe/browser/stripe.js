// The part of Stripe's script that the portal uses, based on Stripe's documentation (https://docs.stripe.com/js). It
// shows a Payment Element in a frame of this script's own origin. As with Stripe, wrong use throws an IntegrationError.
// For an unknown option, Stripe only logs a warning. This script throws an error, so that no test overlooks it.
;(() => {
  const { origin } = new URL(document.currentScript.src)

  class IntegrationError extends Error {
    name = 'IntegrationError'
  }
  const refuse = (message) => {
    throw new IntegrationError(message)
  }
  const ELEMENTS = ['appearance', 'fonts', 'locale', 'loader', 'mode', 'currency', 'amount', 'paymentMethodCreation']
  const BOTH = ['setupFutureUsage', 'captureMethod', 'onBehalfOf', 'paymentMethodTypes', 'paymentMethodOptions']
  const PAYMENT = [
    'layout',
    'fields',
    'terms',
    'wallets',
    'defaultValues',
    'business',
    'paymentMethodOrder',
    'readOnly',
  ]
  const VARIABLES =
    /^(?:fontFamily|fontSizeBase|fontLineHeight|spacingUnit|borderRadius|color(?:Primary|Background|Text|Success|Danger|Warning|TextSecondary|TextPlaceholder))$/
  const COLOUR = /^(?:#[0-9a-f]{3,8}|rgba?\([\d\s.,%/]+\)|hsla?\([\d\s.,%/a-z]+\))$/i
  const EVENTS = ['ready', 'change', 'focus', 'blur', 'escape', 'loaderror', 'loaderstart']

  function known(given, names, where) {
    for (const name of Object.keys(given))
      if (!names.includes(name)) refuse(`Unrecognized ${where} parameter: ${name} is not a recognized parameter.`)
  }

  function checkAppearance({ theme, labels, variables = {}, ...rest } = {}) {
    known(rest, ['rules', 'disableAnimations', 'inputs'], 'appearance')
    if (theme !== undefined && !['stripe', 'night', 'flat'].includes(theme)) refuse(`There is no theme ${theme}.`)
    if (labels !== undefined && !['above', 'floating', 'auto'].includes(labels))
      refuse(`There are no labels ${labels}.`)
    for (const [name, value] of Object.entries(variables)) {
      if (!VARIABLES.test(name)) refuse(`${name} is not a variable of appearance.`)
      if (name.startsWith('color') && value !== undefined && !COLOUR.test(value))
        refuse(`${name} is no color: ${value}`)
    }
  }

  /** Checks the combined options of elements() and update(). */
  function checkPurpose({ mode, amount, currency, paymentMethodTypes }) {
    if (!['payment', 'setup', 'subscription'].includes(mode))
      refuse('elements() needs a clientSecret, or a mode: "payment", "setup" or "subscription".')
    if (mode !== 'setup' && currency === undefined) refuse('currency is required.')
    if (currency !== undefined && !/^[a-z]{3}$/.test(currency)) refuse('currency is a code of three small letters.')
    if (mode !== 'setup' && !(Number.isInteger(amount) && amount > 0))
      refuse('amount is a positive integer, in the smallest unit of the currency.')
    if (paymentMethodTypes?.some((type) => !['card', 'us_bank_account'].includes(type)))
      refuse('There is no payment method of this type.')
  }

  class Element {
    #elements
    #options
    #frame = null
    #port = null
    #isReady = false
    #isGone = false
    #heard = new Map()
    #asked = new Map()

    constructor(elements, options) {
      this.#elements = elements
      this.#options = options
    }
    #alive() {
      if (this.#isGone) refuse('This Element has already been destroyed. Please create a new one.')
    }
    #tell(event, facts = {}) {
      for (const hear of this.#heard.get(event) ?? []) hear({ elementType: 'payment', ...facts })
    }
    on(event, hear) {
      this.#alive()
      if (!EVENTS.includes(event)) refuse(`There is no event ${event}.`)
      if (typeof hear !== 'function') refuse('An event needs a handler.')
      this.#heard.set(event, [...(this.#heard.get(event) ?? []), hear])
      return this
    }
    mount(place) {
      this.#alive()
      const into = typeof place === 'string' ? document.querySelector(place) : place
      if (!(into instanceof HTMLElement) || !into.isConnected)
        refuse('The selector or DOM element that you passed to mount() is not in the document.')
      const frame = document.createElement('iframe')
      frame.title = 'Secure payment input frame'
      frame.allow = 'payment *'
      Object.assign(frame.style, { border: '0', width: '100%', height: '0', display: 'block' })
      frame.src = `${origin}/elements/payment?parent=${encodeURIComponent(location.origin)}`
      const connect = ({ source, origin: from, data }) => {
        if (source !== frame.contentWindow || from !== origin || data !== 'payment-element') return
        removeEventListener('message', connect)
        const channel = new MessageChannel()
        this.#port = channel.port1
        this.#port.onmessage = ({ data: told }) => this.#hear(told)
        const { key, options } = this.#elements
        const { variables } = options.appearance ?? {}
        const wanted = { type: 'begin', key, kind: options.paymentMethodTypes?.[0] ?? 'card', variables }
        frame.contentWindow.postMessage(wanted, origin, [channel.port2])
      }
      addEventListener('message', connect)
      into.replaceChildren(frame)
      this.#frame = frame
    }
    #hear(told) {
      if (told.type === 'height') this.#frame.style.height = `${told.height}px`
      if (told.type === 'ready') {
        this.#isReady = true
        this.#tell('ready')
      }
      if (told.type === 'change') {
        this.#elements.touched()
        this.#tell('change', { complete: told.complete, empty: told.empty, value: { type: told.kind } })
      }
      if (told.type === 'loaderror') this.#tell('loaderror', { error: told.error })
      if (told.type === 'answer') {
        this.#asked.get(told.id)?.(told.answer)
        this.#asked.delete(told.id)
      }
    }
    ask(type) {
      this.#alive()
      if (!this.#isReady) refuse('We could not retrieve data from the Payment Element: it is not ready.')
      const id = crypto.getRandomValues(new Uint32Array(1))[0]
      return new Promise((resolve) => {
        this.#asked.set(id, resolve)
        this.#port.postMessage({ type, id })
      })
    }
    focus() {
      this.#alive()
      if (!this.#isReady) return
      this.#frame.focus()
      this.#port.postMessage({ type: 'focus' })
    }
    get options() {
      return this.#options
    }
    destroy() {
      this.#alive()
      this.#isGone = true
      this.#port?.close()
      this.#frame?.remove()
      this.#elements.gone()
    }
  }

  class Elements {
    #element = null
    #submitted = false
    constructor(key, options) {
      this.key = key
      this.options = options
    }
    create(type, options = {}) {
      if (type !== 'payment') refuse(`A valid Element name must be provided. ${type} is none of them here.`)
      if (this.#element) refuse('Can only create one Element of type payment.')
      known(options, PAYMENT, 'payment Element')
      const layout = typeof options.layout === 'object' ? options.layout.type : options.layout
      if (layout !== undefined && !['tabs', 'accordion', 'auto'].includes(layout))
        refuse(`There is no layout ${layout}.`)
      this.#element = new Element(this, options)
      return this.#element
    }
    update(options) {
      known(
        options,
        [...ELEMENTS, ...BOTH].filter((name) => name !== 'loader'),
        'elements.update()',
      )
      if (options.appearance) checkAppearance(options.appearance)
      const options_ = { ...this.options, ...options }
      checkPurpose(options_)
      this.options = options_
    }
    touched() {
      this.#submitted = false
    }
    gone() {
      this.#element = null
    }
    async submit() {
      if (!this.#element) refuse('There is no mounted payment Element.')
      const answer = await this.#element.ask('submit')
      this.#submitted = answer.error === undefined
      return answer
    }
    async pay() {
      if (!this.#submitted) refuse('elements.submit() must be called before stripe.createPaymentMethod().')
      return this.#element.ask('create')
    }
  }

  globalThis.Stripe = (key, options = {}) => {
    if (typeof key !== 'string' || key === '') refuse('Missing value for Stripe(): apiKey should be a string.')
    if (/^(?:sk|rk)_/.test(key)) refuse('You should not use your secret key with Stripe.js.')
    known(options, ['apiVersion', 'betas', 'locale', 'stripeAccount', 'developerTools'], 'Stripe()')
    return {
      elements(given = {}) {
        known(given, [...ELEMENTS, ...BOTH], 'elements()')
        checkAppearance(given.appearance)
        checkPurpose(given)
        return new Elements(key, given)
      },
      async createPaymentMethod({ elements, ...rest }) {
        known(rest, ['params'], 'stripe.createPaymentMethod()')
        if (!(elements instanceof Elements)) refuse('createPaymentMethod() needs elements.')
        if (elements.options.paymentMethodCreation !== 'manual')
          refuse('createPaymentMethod() with elements needs paymentMethodCreation: "manual".')
        return elements.pay()
      },
    }
  }
})()
