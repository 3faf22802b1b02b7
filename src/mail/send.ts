import { createTransport, type Transporter } from 'nodemailer';
import type { Context } from '../context.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Settings } from '../settings.ts';
import { takeMail } from './hourly-limit.ts';
import { MAIL_CONTEXT, type Mail } from './mail.ts';

const transports = new WeakMap<Settings['mail'], Transporter>();

/**
 * Sends a mail through the SMTP server of the settings. The addresses and the subject cannot add headers: nodemailer folds them.
 * @param signal ends the connection to the server, unless it has accepted the mail
 * @throws Error when the server cannot be reached or refuses it, so that it is tried again
 */
export async function sendMail({ sealed }: Jobs['mail.send'], context: Context, signal: AbortSignal): Promise<void> {
  const { secrets } = context;
  const { mail } = context.settings;
  if (!mail.enabled || mail.from === null) return;
  const given = JSON.parse(secrets.decrypt(sealed, MAIL_CONTEXT).toString('utf8')) as Mail;
  const delay = mail.maxPerHour < 0 ? 0 : await takeMail(context, given, mail.maxPerHour);
  if (delay > 0) {
    // Waiting is not a failure: a separate job has all its attempts.
    await context.jobs.add(context, 'mail.send', { sealed }, { delay });
    return;
  }
  const { to, sender, subject, text, html, headers } = given;
  const prefix = mail.subjectPrefix ? `${mail.subjectPrefix} ` : '';
  await transportOf(mail).sendMail({
    from: sender ? { name: oneLine(sender), address: addressOf(mail.from) } : mail.from,
    to: { name: '', address: to },
    subject: oneLine(prefix + subject),
    text,
    ...(html !== undefined && { html }),
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All', ...headers },
    // The content is text: it refers to no file or URL to be read.
    disableFileAccess: true,
    disableUrlAccess: true,
    signal,
  });
}

/** The address in a text such as `Copse <copse@example.com>`. */
function addressOf(mailbox: string): string {
  return /<(?<address>[^<>]+)>\s*$/.exec(mailbox)?.groups?.address ?? mailbox;
}

function oneLine(text: string): string {
  return text.replace(/[\x00-\x1f\x7f]+/g, ' ').trim();
}

function transportOf(mail: Settings['mail']): Transporter {
  const known = transports.get(mail);
  if (known) return known;
  const made = createTransport({
    host: mail.host ?? 'localhost',
    port: mail.port,
    secure: mail.security === 'tls',
    requireTLS: mail.security === 'starttls',
    ignoreTLS: mail.security === 'none',
    ...(mail.username !== null && { auth: { user: mail.username, pass: mail.password ?? '' } }),
    connectionTimeout: mail.timeout,
    greetingTimeout: mail.timeout,
    socketTimeout: mail.timeout,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  transports.set(mail, made);
  return made;
}
