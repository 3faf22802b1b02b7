import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterwards } from './afterwards.ts';

/** A mail server on the loopback that keeps what it is sent. */
export interface Mailbox {
  readonly port: number;
  readonly mails: { to: string[]; text: string }[];
  /** The address after `path` in the last mail to this address. */
  link(to: string, path: string): string;
  /** Refuses this many mails before it takes one again. */
  refuse(count: number): void;
}

/** Starts a mail server; it stops after the tests of the file. */
export async function mailbox(): Promise<Mailbox> {
  const mails: Mailbox['mails'] = [];
  let refusals = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (refusals-- > 0) return callback(new Error('come back later'));
        mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), text: decode(Buffer.concat(chunks).toString('utf8')) });
        callback();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterwards(() => new Promise<void>((resolve) => server.close(resolve)));
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    link: (to, path) => {
      const mail = mails.findLast((mail) => mail.to.includes(to));
      const [, address] = new RegExp(`https?://[^/\\s]+(/${path}\\S*)`).exec(mail?.text ?? '') ?? [];
      if (!address) throw new Error(`no mail to ${to} with ${path}: ${JSON.stringify(mails)}`);
      return address;
    },
    refuse: (count) => {
      refusals = count;
    },
  };
}

/** Quoted-printable (RFC 2045, section 6.7), as far as the texts of mails need it. */
function decode(text: string): string {
  if (!/quoted-printable/i.test(text)) return text;
  return text.replace(/=\r?\n/g, '').replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
