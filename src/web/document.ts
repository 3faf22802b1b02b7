import { createHash } from 'node:crypto';
import type { Context } from '../context.ts';
import { type HttpResponse, raw } from '../http/responses.ts';
import { Html, html } from './html.ts';

/** A page of its own: a heading, and what is under it. */
export interface Document {
  title: string;
  body: Html;
  status?: number;
  headers?: Record<string, string>;
  /** Beside the instance itself: where its forms may lead, as a source of a content security policy. */
  formTarget?: string;
}

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 34rem; margin: 3rem auto; padding: 0 1rem; }
label { display: block; margin: 1rem 0 .25rem; }
label.choice { display: flex; gap: .5rem; align-items: center; }
input:not([type=checkbox]) { box-sizing: border-box; width: 100%; padding: .5rem; font: inherit; }
button { margin: 1rem .5rem 1rem 0; padding: .5rem 1rem; font: inherit; cursor: pointer; }
.notice { padding: .5rem 1rem; border-left: .25rem solid #2a7; background: #2a72; }
.fault { padding: .5rem 1rem; border-left: .25rem solid #c33; background: #c332; }
code { overflow-wrap: anywhere; }
li form { display: inline; }
`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** A whole page. It runs no script, loads nothing but its icon, cannot be framed by other sites and sends them no referrer. */
export function documentResponse(
  { settings }: Pick<Context, 'settings'>,
  { title, body, status, headers, formTarget }: Document,
): HttpResponse {
  const { frameOptions } = settings.security;
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    "img-src 'self'",
    `form-action 'self'${formTarget ? ` ${formTarget}` : ''}`,
    "base-uri 'none'",
    `frame-ancestors ${frameOptions === 'SAMEORIGIN' ? "'self'" : frameOptions === 'DENY' ? "'none'" : '*'}`,
  ];
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}${title !== settings.instance.name && ` - ${settings.instance.name}`}</title>
<link rel="icon" href="${new URL(settings.server.rootUrl).pathname}favicon.ico">
<style>${new Html(STYLE)}</style>
</head>
<body>
<h1>${title}</h1>
${body}
</body>
</html>
`;
  return raw(page.text, 'text/html; charset=utf-8', {
    status: status ?? 200,
    headers: {
      'content-security-policy': policy.join('; '),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      ...(frameOptions !== 'unset' && { 'x-frame-options': frameOptions }),
      ...headers,
    },
  });
}
