import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest()
const base64url = (content: Uint8Array) => Buffer.from(content).toString('base64url')

/**
 * Authenticator flags. `asserted`: user present and user verified. `made`, for the creation of a passkey: also
 * credential included.
 */
const FLAGS = { asserted: 0x05, made: 0x45 }

/** Simulated device that creates one passkey and signs with it, as browsers do. Tests can also pass wrong inputs. */
export class TestPasskey {
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly #id = randomBytes(16)
  counter = 0

  /** Returns the credential that a device creates for the options of `start/profile/passkey`. */
  attestation(challenge: string, origin: string) {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    const key = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
    ])
    const length = Buffer.alloc(2)
    length.writeUInt16BE(this.#id.length)
    const authData = Buffer.concat([
      this.#authenticatorData(origin, FLAGS.made),
      Buffer.alloc(16),
      length,
      this.#id,
      isoCBOR.encode(key),
    ])
    const object = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', new Uint8Array(authData)],
    ])
    return this.#credential({
      clientDataJSON: base64url(this.#clientData('webauthn.create', challenge, origin)),
      attestationObject: base64url(isoCBOR.encode(object as never)),
      transports: ['internal'],
    })
  }

  /** Returns the signed response of a device to the options of `start/passkey/sign-in`. */
  assertion(challenge: string, origin: string, { verified = true } = {}) {
    this.counter += 1
    const clientData = this.#clientData('webauthn.get', challenge, origin)
    const data = this.#authenticatorData(origin, verified ? FLAGS.asserted : 0x01)
    const signature = createSign('sha256')
      .update(Buffer.concat([data, sha256(clientData)]))
      .sign(this.#keys.privateKey)
    return this.#credential({
      clientDataJSON: base64url(clientData),
      authenticatorData: base64url(data),
      signature: base64url(signature),
    })
  }

  #clientData = (type: string, challenge: string, origin: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

  #authenticatorData(origin: string, flags: number): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.counter)
    return Buffer.concat([sha256(new URL(origin).hostname), Buffer.from([flags]), counter])
  }

  #credential<T>(response: T) {
    const id = base64url(this.#id)
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
  }
}
