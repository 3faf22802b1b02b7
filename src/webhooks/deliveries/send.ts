import type { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import type { Webhook, WebhookDelivery } from '../../database/tables/webhooks.ts';
import { openOutgoing } from '../../http/outgoing/outgoing.ts';
import { SecretsError } from '../../secrets.ts';
import { unseal } from '../hooks/secrets.ts';
import { buildRequest } from './build-request.ts';
import type { DeliveredEvent } from './events.ts';
import { deliveryHeaders, type HeaderFacts } from './headers.ts';

/** How an attempt ended. */
export interface Outcome {
  isDelivered: boolean;
  /** The receiver did not get it: it may be sent again. A delivery that the receiver refused may not. */
  mayRetry: boolean;
  status: number | null;
  response: string;
  /** Of the response, a line for each. */
  headers?: string;
}

/** Size limit of a response in bytes. */
const MAX_ANSWER = 4096;
/** The receiver is unavailable, or asks to retry later. */
const RETRY_STATUSES = [429, 502, 503, 504];
const RETRY_ERRORS = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_SOCKET',
];

/** Tries to bring a delivery to its receiver. Failures of all kinds are outcomes. */
export async function send(context: Context, hook: Webhook, delivery: WebhookDelivery, signal: AbortSignal): Promise<Outcome> {
  if (!hook.is_active) return failed('the webhook has been switched off');
  const { settings } = context;
  try {
    const { url, method, headers, body } = await requestOf(context, hook, delivery);
    const response = await openOutgoing(settings, url, {
      method,
      headers,
      body,
      timeout: settings.webhooks.timeout,
      signal,
      verifyCertificates: settings.webhooks.verifyCertificates,
    });
    const isDelivered = response.status >= 200 && response.status < 300;
    const mayRetry = RETRY_STATUSES.includes(response.status);
    const answer = { response: await beginningOf(response.body), headers: headerLines(response.headers) };
    return { isDelivered, mayRetry, status: response.status, ...answer };
  } catch (error) {
    if (error instanceof SecretsError) return failed('its secret was encrypted with another key of the instance');
    const { code, message } = error as NodeJS.ErrnoException;
    return { ...failed(message.slice(0, MAX_ANSWER)), mayRetry: RETRY_ERRORS.includes(code ?? '') };
  }
}

/** It was not delivered, and is not tried again. */
export function failed(response: string): Outcome {
  return { isDelivered: false, mayRetry: false, status: null, response };
}

/**
 * The request of a delivery as it is sent.
 * @throws SecretsError when the instance has another key now
 */
export async function requestOf(context: Context, hook: Webhook, delivery: Pick<WebhookDelivery, 'event' | 'payload' | 'uuid'>) {
  const secret = unseal(context.secrets, hook, 'secret');
  const authorization = unseal(context.secrets, hook, 'authorization');
  const event = delivery.event as DeliveredEvent;
  const made = buildRequest(hook, { event, payload: delivery.payload, secret });
  const facts = { uuid: delivery.uuid, event, target: await targetOf(context, hook), secret, body: made.signed ?? '' };
  const { url, credentials } = withoutCredentials(made.url);
  return {
    ...made,
    url,
    headers: {
      ...credentials,
      'Content-Type': made.type,
      ...(made.signed !== undefined && deliveryHeaders(facts)),
      'User-Agent': 'Copse',
      ...(authorization !== '' && { Authorization: authorization }),
    },
  };
}

/** A name and a password in a URL are its credentials. */
function withoutCredentials(address: string): { url: string; credentials: Record<string, string> } {
  const url = new URL(address);
  const { username, password } = url;
  if (username === '' && password === '') return { url: address, credentials: {} };
  Object.assign(url, { username: '', password: '' });
  const pair = [username, password].map((part) => decodeURIComponent(part)).join(':');
  return { url: url.href, credentials: { Authorization: `Basic ${Buffer.from(pair).toString('base64')}` } };
}

async function targetOf({ db }: Context, hook: Webhook): Promise<HeaderFacts['target']> {
  if (hook.repository_id !== null) return 'repository';
  if (hook.owner_id === null) return hook.is_system ? 'system' : 'default';
  const owner = await db.selectFrom('users').select('type').where('id', '=', hook.owner_id).executeTakeFirst();
  return owner?.type === 'organization' ? 'organization' : 'user';
}

function headerLines(headers: Record<string, string | string[] | undefined>): string {
  const lines = Object.entries(headers).flatMap(([name, value]) => [value ?? []].flat().map((one) => `${name}: ${one}`));
  return lines.join('\n').slice(0, MAX_ANSWER).replaceAll('\0', '');
}

/** The stored part of the response; the rest is not read. */
async function beginningOf(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= MAX_ANSWER) break;
    }
  } catch {
    // The status has come; it counts even if the rest of the response fails.
  }
  return Buffer.concat(chunks).subarray(0, MAX_ANSWER).toString('utf8').replaceAll('\0', '');
}
