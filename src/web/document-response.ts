import type { Context } from '../context.ts';
import { type HttpResponse, raw } from '../http/responses.ts';
import type { Settings } from '../settings.ts';
import type { Document } from './document.ts';
import { frame } from './frame.ts';
import { pageBody } from './page-body.ts';
import type { View } from './view.ts';

/** A whole page. It runs the instance's own scripts alone, cannot be framed by other sites and sends them no referrer. */
export async function documentResponse({ settings }: Pick<Context, 'settings'>, document: Document, view: View): Promise<HttpResponse> {
  const { frameOptions } = settings.security;
  const { before, after } = frame(settings, view, document);
  const { body } = document;
  const content = Symbol.asyncIterator in body ? await pageBody(before, body, after) : before + body.text + after;
  return raw(content, 'text/html; charset=utf-8', {
    status: document.status ?? 200,
    headers: {
      'content-security-policy': policyOf(settings, view, document),
      'cache-control': 'no-store',
      // Not `no-referrer`: browsers then hide the origin of forms too, and those with files are known by that alone (`visitor.ts`).
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      ...(frameOptions !== 'unset' && { 'x-frame-options': frameOptions }),
      ...document.headers,
    },
  });
}

function policyOf({ security: { frameOptions } }: Settings, { nonce }: View, { formTarget, showsObject }: Document): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    // Texts of people may show images from anywhere.
    'img-src * data:',
    "media-src 'self'",
    "connect-src 'self'",
    ...(showsObject ? ["object-src 'self'", "frame-src 'self'"] : []),
    `form-action 'self'${formTarget ? ` ${formTarget}` : ''}`,
    "base-uri 'none'",
    `frame-ancestors ${frameOptions === 'SAMEORIGIN' ? "'self'" : frameOptions === 'DENY' ? "'none'" : '*'}`,
  ].join('; ');
}
