import type { Context } from '../context.ts';

/** A mail to one person. */
export interface Mail {
  to: string;
  /** Whose action it is about: the name of the sender, in front of the address of the settings. */
  sender?: string;
  /** Without the prefix that the settings give all subjects. */
  subject: string;
  text: string;
  html?: string;
  /** About the account itself, such as a password link: a part of the hourly limit is reserved for these. */
  isAccount?: boolean;
  /** Further headers, such as `In-Reply-To`. */
  headers?: Record<string, string>;
}

/** The encryption purpose of waiting mails: some contain links that open an account. */
export const MAIL_CONTEXT = 'waiting mail';

/** Sends a mail after the context's transaction, in the background and with retries; does nothing if the instance sends none. */
export async function queueMail(context: Context, mail: Mail): Promise<void> {
  if (!context.settings.mail.enabled) return;
  await context.jobs.add(context, 'mail.send', { sealed: context.secrets.encrypt(JSON.stringify(mail), MAIL_CONTEXT) });
}
