import type { Connection } from 'ssh2';

/** A name list of a key exchange. */
interface NameList {
  readonly array: readonly string[];
}
interface Direction {
  readonly cipher: NameList;
  readonly mac: NameList;
  readonly compress: NameList;
  readonly lang: NameList;
}
interface Lists {
  readonly kex: NameList;
  readonly serverHostKey: NameList;
  readonly cs: Direction;
  readonly sc: Direction;
}
type Names<T> = { [K in keyof T]: T[K] extends NameList ? readonly string[] : Names<T[K]> };
interface Offer {
  readonly lists: Lists;
  readonly constructor: new (names: Names<Lists>) => Offer;
}

/** The parts of a key exchange in ssh2 (1.17.0, lib/protocol/), without public names. */
interface Protocol {
  _offer: Offer;
  _kexinit: Buffer | undefined;
  readonly _cipher: { encrypt: (packet: Buffer) => void };
  readonly _decipher: { _onPayload: (payload: Buffer) => void };
  rekey(): void;
}

/** SSH_MSG_KEXINIT (RFC 4253, section 12). */
const KEXINIT = 20;
/** The first name list of that message is behind its type and 16 random bytes. */
const FIRST_LIST = 17;
/** The lists of ciphers, in both directions. */
const CIPHER_LISTS = [2, 3];

/**
 * Lets OpenSSH's client use AES in Galois mode, which takes half the processor time: SSH follows the client's order, and OpenSSH's has it
 * last. So the server's offer waits for the client's, which comes at once, and names that mode alone where the client has it.
 * To be called when the client has said its version, before ssh2 sends its offer.
 * @param software the version that the client has said
 */
export function preferGcm(connection: Connection, software: string): void {
  const protocol = (connection as unknown as { _protocol?: Protocol })._protocol;
  if (!software.startsWith('OpenSSH_') || !protocol?._offer?.lists || !protocol._decipher?._onPayload) return;
  const { _cipher: cipher, _decipher: decipher } = protocol;
  const gcm = protocol._offer.lists.sc.cipher.array.filter(isGcm);
  if (gcm.length === 0) return;
  const receive = decipher._onPayload;
  const send = cipher.encrypt;
  let held: Buffer | undefined;
  cipher.encrypt = (packet) => {
    held = packet;
  };
  decipher._onPayload = (payload) => {
    decipher._onPayload = receive;
    cipher.encrypt = send;
    if (held && offersOneOf(payload, gcm)) {
      protocol._offer = withCiphers(protocol._offer, gcm);
      // It sends an offer if none was sent.
      protocol._kexinit = undefined;
      protocol.rekey();
    } else if (held) {
      cipher.encrypt(held);
    }
    receive(payload);
  };
}

function isGcm(cipher: string): boolean {
  return cipher.includes('-gcm@');
}

/** Whether the client's offer has one of the ciphers in both directions; false for an invalid offer. */
function offersOneOf(payload: Buffer, ciphers: readonly string[]): boolean {
  if (payload[0] !== KEXINIT) return false;
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.length);
  const lists: string[] = [];
  for (let at = FIRST_LIST; lists.length <= Math.max(...CIPHER_LISTS); ) {
    if (at + 4 > bytes.length) return false;
    const end = at + 4 + bytes.readUInt32BE(at);
    if (end > bytes.length) return false;
    lists.push(bytes.toString('latin1', at + 4, end));
    at = end;
  }
  return CIPHER_LISTS.every((index) => lists[index]?.split(',').some((name) => ciphers.includes(name)));
}

function withCiphers({ lists, constructor: Made }: Offer, ciphers: readonly string[]): Offer {
  const namesOf = ({ mac, compress, lang }: Direction) => ({
    cipher: ciphers,
    mac: mac.array,
    compress: compress.array,
    lang: lang.array,
  });
  return new Made({
    kex: lists.kex.array,
    serverHostKey: lists.serverHostKey.array,
    cs: namesOf(lists.cs),
    sc: namesOf(lists.sc),
  });
}
