import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { readSshPublicKey } from '../../src/accounts/keys/ssh-public-key.ts';

const read = (text: string) => readSshPublicKey(text, 2048);
const field = (data: Buffer | string) => {
  const bytes = Buffer.from(data);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
};
const line = (type: string, ...fields: (Buffer | string)[]) => `${type} ${Buffer.concat([type, ...fields].map(field)).toString('base64')}`;

/** Made by ssh-keygen of OpenSSH 9.2, with the fingerprints that it shows. */
const KEYS = {
  ed25519: [
    'ssh-ed25519',
    'AAAAC3NzaC1lZDI1NTE5AAAAINDdsNGU15D09k0cTs+r6Y1IOu8WPs07DFlj/9XvQRmd',
    'SHA256:Uct9ovSB4ATzCLTxE9vjkGZma27lTjmZ+u0rGng5taE',
  ],
  p256: [
    'ecdsa-sha2-nistp256',
    'AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBEKBbq9l0xGA1ZavBnrZ8Vy66E6qhT7h8L9KO8swGbpKuHdQq0Xk+upf8QyouM7NXEncRA73OqozbLN80FKinJk=',
    'SHA256:SXWTwB400u2DRDkLOJKjREfg1c5bAP96MjfWw3vLQUo',
  ],
  p384: [
    'ecdsa-sha2-nistp384',
    'AAAAE2VjZHNhLXNoYTItbmlzdHAzODQAAAAIbmlzdHAzODQAAABhBFjJ9MKdFKCXJWF08VCk8K2HTrZGBN6cpnyc9ONcSzvwfw08xsqVrwJv8W0aCn6Huhi5ZS/WuN3vWUuXL/PLMaLzCs6KAACTXfpuN17FD57WqHNzvzIlVoxvUzXppbpmhg==',
    'SHA256:0U5S+XfWE/Hf7W9AoAcWR3YFZWwRMzf9FP778VgQBqQ',
  ],
  p521: [
    'ecdsa-sha2-nistp521',
    'AAAAE2VjZHNhLXNoYTItbmlzdHA1MjEAAAAIbmlzdHA1MjEAAACFBAGfXCFiz3NHRYrrysnc5Ro6zOXoamj6l8q+/MOlEBAGwNFtOn2+DPKBx/x6zDhUuQRiKkrq3KtSFFwBdIInnyvj8gEMZ1oRCjT9XoN9iihLVNYrhl/EPqcI9QaO/0AWeqttqqpxqeJz6kIGpYOMJCh/+GlZrEw+APOyKTGS/5tNTkgBtA==',
    'SHA256:it3b4f1mhU1DuATQgp24sZt3ZtaFPqeqO2YitybYtoI',
  ],
  rsa: [
    'ssh-rsa',
    'AAAAB3NzaC1yc2EAAAADAQABAAABAQCOf6AadCs9231++Zgj//3KyIck1kGLgR45T4srM6ONPM6QBWjMeWbZ66HRUbSbf5XR4dTJ0n0FW8cctv+BRGdCY6ogmSoZ0mjGkZl9prKB0qK49FgJbwjeMHUXZMUrrUa5/8TUlTbhEqCCPK9lcBa0DnEt87E1DKnaSzECOEnCJNuB10MODVR1cDFi3MK5mYM/C5WKvU7L7Bs5J3TzeYxztVWRtuO/IiF5rmq05Hvc3MqH41KW+WD31LA6yDp/rlyuUQQDjbyv6SAZatpgJFwPTEC1o+TJvnt8VFt3BkT3oYv0uMNWG8pfD7QyZgbt0BQEjRlK31Sfbp3jKYwnx0Az',
    'SHA256:VF0fCRxdpe2xl53etaIQkxqyOf3meVOqZdzsRuvs4ak',
  ],
} as const;
const SHORT_RSA =
  'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQCb13AXsNPXd5W/vrvh50GU6Ir1UHg7FCA8YMReJQW/pihkzoyBGj7Ulcpa0jdGfFTBhpgnREq+foHzyOMEHO/FUS47Tp22jHo1vpFuxH08lO9BVFPEqUWK+VQxSOwoa639+K9qGFM+MBT+kEMA6HHUBvHazAehR6RgxlJuZEN+0w==';
const SSH2 = `---- BEGIN SSH2 PUBLIC KEY ----
Comment: "256-bit ECDSA, converted by me@host from OpenSSH"
AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBEKBbq9l0xGA1ZavBn
rZ8Vy66E6qhT7h8L9KO8swGbpKuHdQq0Xk+upf8QyouM7NXEncRA73OqozbLN80FKinJk=
---- END SSH2 PUBLIC KEY ----`;
const PKCS8 = `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAjn+gGnQrPdt9fvmYI//9
ysiHJNZBi4EeOU+LKzOjjTzOkAVozHlm2euh0VG0m3+V0eHUydJ9BVvHHLb/gURn
QmOqIJkqGdJoxpGZfaaygdKiuPRYCW8I3jB1F2TFK61Guf/E1JU24RKggjyvZXAW
tA5xLfOxNQyp2ksxAjhJwiTbgddDDg1UdXAxYtzCuZmDPwuVir1Oy+wbOSd083mM
c7VVkbbjvyIhea5qtOR73NzKh+NSlvlg99SwOsg6f65crlEEA428r+kgGWraYCRc
D0xAtaPkyb57fFRbdwZE96GL9LjDVhvKXw+0MmYG7dAUBI0ZSt9Un26d4ymMJ8dA
MwIDAQAB
-----END PUBLIC KEY-----`;
const PEM = `-----BEGIN RSA PUBLIC KEY-----
MIIBCgKCAQEAjn+gGnQrPdt9fvmYI//9ysiHJNZBi4EeOU+LKzOjjTzOkAVozHlm
2euh0VG0m3+V0eHUydJ9BVvHHLb/gURnQmOqIJkqGdJoxpGZfaaygdKiuPRYCW8I
3jB1F2TFK61Guf/E1JU24RKggjyvZXAWtA5xLfOxNQyp2ksxAjhJwiTbgddDDg1U
dXAxYtzCuZmDPwuVir1Oy+wbOSd083mMc7VVkbbjvyIhea5qtOR73NzKh+NSlvlg
99SwOsg6f65crlEEA428r+kgGWraYCRcD0xAtaPkyb57fFRbdwZE96GL9LjDVhvK
Xw+0MmYG7dAUBI0ZSt9Un26d4ymMJ8dAMwIDAQAB
-----END RSA PUBLIC KEY-----`;

describe('SSH public keys', () => {
  it('are read with their comments, and have the fingerprint that OpenSSH shows', () => {
    for (const [type, base64, fingerprint] of Object.values(KEYS)) {
      const key = read(`${type} ${base64} me@host  and more`);
      assert.deepEqual([key.type, key.fingerprint, key.content], [type, fingerprint, `${type} ${base64} me@host  and more`]);
      assert.equal(read(`  ${base64}\n`).content, `${type} ${base64}`);
    }
  });

  it('keep the comment as it was sent, but for the ends of the line', () => {
    const [type, base64] = KEYS.ed25519;
    assert.equal(read(` ${type} \t${base64}  me  at\thome \n`).content, `${type} ${base64}  me  at\thome`);
  });

  it('are read in other formats', () => {
    assert.equal(read(SSH2).fingerprint, KEYS.p256[2]);
    assert.equal(read(SSH2.replaceAll('\n', '\r\n')).fingerprint, KEYS.p256[2]);
    assert.equal(read(SSH2.replace('converted', 'converted\\\nby')).fingerprint, KEYS.p256[2]);
    assert.equal(read(PKCS8).fingerprint, KEYS.rsa[2]);
    assert.equal(read(PEM).fingerprint, KEYS.rsa[2]);
  });

  it('may be of tokens', () => {
    const point = Buffer.from(KEYS.p256[1], 'base64').subarray(-65);
    assert.equal(read(line('sk-ssh-ed25519@openssh.com', Buffer.alloc(32, 7), 'ssh:')).type, 'sk-ssh-ed25519@openssh.com');
    assert.equal(read(line('sk-ecdsa-sha2-nistp256@openssh.com', 'nistp256', point, 'ssh:')).type, 'sk-ecdsa-sha2-nistp256@openssh.com');
    assert.throws(() => read(line('sk-ssh-ed25519@openssh.com', Buffer.alloc(32, 7))), /ssh: parse error/);
  });

  it('are refused when they are weak, private, of another type than they say, or no keys', () => {
    const offCurve = Buffer.from(KEYS.p256[1], 'base64').subarray(-65);
    offCurve.writeUInt8(offCurve.readUInt8(64) ^ 1, 64);
    const { privateKey } = generateKeyPairSync('ed25519');
    const [ed, rsa] = [KEYS.ed25519[1], KEYS.rsa[1]];
    for (const [text, reason] of [
      [SHORT_RSA, /key length is not enough: got 1024, needs 2048/],
      [`ssh-rsa ${ed}`, /does not match: ssh-rsa - ssh-ed25519/],
      [privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), /is a private key/],
      ['-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n-----END OPENSSH PRIVATE KEY-----', /is a private key/],
      [generateKeyPairSync('x25519').publicKey.export({ type: 'spki', format: 'pem' }).toString(), /unable to convert/],
      ['-----BEGIN PUBLIC KEY-----\nabc\n-----END PUBLIC KEY-----', /failed to parse PEM/],
      [line('ssh-dss', 'x'), /key type is not allowed: dsa/],
      [line('ssh-ed25519-cert-v01@openssh.com', Buffer.alloc(32)), /not allowed: ssh-ed25519-cert/],
      [line('ssh-ed25519', Buffer.alloc(31)), /32 bytes/],
      [line('ssh-ed25519', Buffer.alloc(32), 'more'), /trailing junk in public key$/],
      [line('ssh-rsa', Buffer.of(1), Buffer.alloc(300, 0x55)), /not an RSA key/],
      [line('ssh-rsa', Buffer.of(3), Buffer.alloc(300, 0xff)), /not a positive number/],
      [line('ecdsa-sha2-nistp256', 'nistp256', offCurve), /not a point of nistp256/],
      [line('ecdsa-sha2-nistp256', 'nistp384', offCurve), /not a point of nistp256/],
      [ed.slice(0, -8), /ignored line: ssh: short read$/],
      ['ssh-ed25519 AAAAC3Nz', /extractTypeFromBase64Key: invalid key format: not enough length 11$/],
      [line('ssh-other', 'x'), /ignored line: ssh: unknown key algorithm: ssh-other$/],
      [`ssh-rsa ${rsa}=`, /invalid key format/],
      [`ssh-ed25519 ${ed}\x00`, /control characters/],
      ['', /invalid key format/],
      ['x'.repeat(20_000), /at most/],
    ] as const) {
      assert.throws(() => read(text), reason, text.slice(0, 60));
    }
  });

  it('cannot smuggle a second line or options into an authorized_keys file', () => {
    const [type, base64] = KEYS.ed25519;
    assert.equal(read(`${type} ${base64} a\ncommand="x" ssh-rsa AAAA`).content.includes('\n'), false);
    assert.throws(() => read(`command="x" ${type} ${base64}`));
  });
});
