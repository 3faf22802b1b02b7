import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** A private key and its certificate, both as PEM. */
export interface Certificate {
  readonly key: string;
  readonly certificate: string;
}

/** A value in DER (ITU-T X.690). */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const length = content.length < 0x80 ? [content.length] : [0x82, content.length >> 8, content.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts);
const objectId = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const bits = (bytes: Uint8Array) => der(0x03, Buffer.from([0]), bytes);
const time = (text: string) => der(0x18, Buffer.from(text));

const ECDSA_WITH_SHA256 = sequence(objectId('2a8648ce3d040302'));
const COMMON_NAME = objectId('550403');
const BASIC_CONSTRAINTS = objectId('551d13');
const SUBJECT_ALT_NAME = objectId('551d11');

/** Makes a certificate for 127.0.0.1 that signs itself (RFC 5280). */
export function selfSignedCertificate(): Certificate {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const der = certificateOf(privateKey).toString('base64').replace(/.{64}/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: `-----BEGIN CERTIFICATE-----\n${der}\n-----END CERTIFICATE-----\n`,
  };
}

function certificateOf(privateKey: KeyObject): Buffer {
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from('127.0.0.1')))));
  const extension = (id: Uint8Array, value: Uint8Array) => sequence(id, der(0x04, sequence(value)));
  const content = sequence(
    // Version 3, serial number 1.
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ECDSA_WITH_SHA256,
    name,
    sequence(time('20200101000000Z'), time('99991231235959Z')),
    name,
    createPublicKey(privateKey).export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      sequence(
        // Some clients trust only what is an authority.
        extension(BASIC_CONSTRAINTS, der(0x01, Buffer.from([0xff]))),
        extension(SUBJECT_ALT_NAME, der(0x87, Buffer.from([127, 0, 0, 1]))),
      ),
    ),
  );
  return sequence(content, ECDSA_WITH_SHA256, bits(sign('sha256', content, privateKey)));
}
