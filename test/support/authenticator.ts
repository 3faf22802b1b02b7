import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';

/** What a test makes different from what a real device and browser would do. */
export interface Tricks {
  origin?: string;
  rpId?: string;
  /** The challenge instead of the one that was given. */
  challenge?: string;
  /** The counter instead of the next one. */
  counter?: number;
  userHandle?: string;
  /** The device has not asked who uses it. */
  isUnverified?: boolean;
  /** `packed` attests itself. */
  format?: 'none' | 'packed';
}

interface CreationOptions {
  challenge: string;
  rp: { id: string };
  user: { id: string };
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_KEY = 0x40;

/** A passkey in software: what a browser and a device do together, with ES256. */
export class Authenticator {
  readonly id = randomBytes(32).toString('base64url');
  readonly #origin: string;
  readonly #key: KeyObject;
  /** In COSE. */
  readonly publicKey: Buffer;
  #userHandle = '';
  counter = 0;

  constructor(origin: string) {
    this.#origin = new URL(origin).origin;
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#key = privateKey;
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    const [left, right] = [x, y].map((half) => Buffer.from(half, 'base64url'));
    this.publicKey = cbor(
      new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, left],
        [-3, right],
      ]),
    );
  }

  /** The JSON form of a new credential. */
  create(options: CreationOptions, tricks: Tricks = {}): string {
    this.#userHandle = options.user.id;
    const clientData = this.#clientData('webauthn.create', options.challenge, tricks);
    const id = Buffer.from(this.id, 'base64url');
    const length = Buffer.from([id.length >> 8, id.length & 0xff]);
    const key = Buffer.concat([Buffer.alloc(16), length, id, this.publicKey]);
    const data = Buffer.concat([this.#data(options.rp.id, USER_PRESENT | USER_VERIFIED | HAS_KEY, tricks), key]);
    const isPacked = tricks.format === 'packed';
    const statement = new Map<string, unknown>(
      isPacked
        ? [
            ['alg', -7],
            ['sig', this.#sign(data, clientData)],
          ]
        : [],
    );
    const attestation = new Map<string, unknown>([
      ['fmt', tricks.format ?? 'none'],
      ['attStmt', statement],
      ['authData', data],
    ]);
    return this.#credential({ clientDataJSON: clientData, attestationObject: cbor(attestation) }, { transports: ['internal', 'made-up'] });
  }

  /** The JSON form of a signature. */
  get(options: { challenge: string; rpId: string }, tricks: Tricks = {}): string {
    this.counter++;
    const clientData = this.#clientData('webauthn.get', options.challenge, tricks);
    const flags = tricks.isUnverified ? USER_PRESENT : USER_PRESENT | USER_VERIFIED;
    const data = this.#data(options.rpId, flags, tricks);
    const parts = { clientDataJSON: clientData, authenticatorData: data, signature: this.#sign(data, clientData) };
    return this.#credential(parts, { userHandle: tricks.userHandle ?? this.#userHandle });
  }

  #clientData(type: string, challenge: string, tricks: Tricks): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge: tricks.challenge ?? challenge, origin: tricks.origin ?? this.#origin }));
  }

  #data(rpId: string, flags: number, tricks: Tricks): Buffer {
    const rest = Buffer.alloc(5);
    rest.writeUInt8(flags);
    rest.writeUInt32BE(tricks.counter ?? this.counter, 1);
    return Buffer.concat([
      createHash('sha256')
        .update(tricks.rpId ?? rpId)
        .digest(),
      rest,
    ]);
  }

  #sign(data: Buffer, clientData: Buffer): Buffer {
    return createSign('sha256').update(data).update(createHash('sha256').update(clientData).digest()).sign(this.#key);
  }

  #credential(parts: Record<string, Buffer>, more: object): string {
    const response = Object.fromEntries(Object.entries(parts).map(([name, bytes]) => [name, bytes.toString('base64url')]));
    return JSON.stringify({
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      clientExtensionResults: {},
      response: { ...response, ...more },
    });
  }
}

/** CBOR (RFC 8949) of what credentials consist of. */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Map) return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, one]) => [cbor(key), cbor(one)])]);
  throw new TypeError('no CBOR for this');
}

function head(major: number, length: number): Buffer {
  const first = major << 5;
  if (length < 24) return Buffer.from([first | length]);
  return length < 256 ? Buffer.from([first | 24, length]) : Buffer.from([first | 25, length >> 8, length & 0xff]);
}
