import { createTransport, type Transporter } from 'nodemailer';
import type { Context } from '../context.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Settings } from '../settings.ts';
import { MAIL_CONTEXT, type Mail } from './mail.ts';

const HOUR = 3_600_000;
const transports = new WeakMap<Settings['mail'], Transporter>();
const sentTimes = new WeakMap<Settings['mail'], number[]>();

/** Too many mails were sent in the last hour; the job is tried again later. */
class MailLimitError extends Error {
  override readonly name = 'MailLimitError';
}

/**
 * Hands a mail to the SMTP server of the settings. The addresses and the subject cannot add headers: nodemailer folds them.
 * @throws Error when the server cannot be reached or refuses it, so that it is tried again
 */
export async function sendMail({ sealed }: Jobs['mail.send'], { settings, secrets }: Context): Promise<void> {
  const { mail } = settings;
  if (!mail.enabled || mail.from === null) return;
  countMail(mail);
  const { to, subject, text, html, headers } = JSON.parse(secrets.decrypt(sealed, MAIL_CONTEXT).toString('utf8')) as Mail;
  const prefix = mail.subjectPrefix ? `${mail.subjectPrefix} ` : '';
  await transportOf(mail).sendMail({
    from: mail.from,
    to: { name: '', address: to },
    subject: oneLine(prefix + subject),
    text,
    ...(html !== undefined && { html }),
    headers: { 'Auto-Submitted': 'auto-generated', ...headers },
    // What is written is text: it names no file and no address to be read.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

function oneLine(text: string): string {
  return text.replace(/[\x00-\x1f\x7f]+/g, ' ').trim();
}

function countMail(mail: Settings['mail']): void {
  if (mail.maxPerHour < 0) return;
  const recent = (sentTimes.get(mail) ?? []).filter((time) => time > Date.now() - HOUR);
  if (recent.length >= mail.maxPerHour) throw new MailLimitError(`more than ${mail.maxPerHour} mails in an hour`);
  sentTimes.set(mail, [...recent, Date.now()]);
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
