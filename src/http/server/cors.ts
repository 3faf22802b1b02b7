import type { Settings } from '../../settings.ts';

/** Headers that clients may always send, whatever the settings add. */
const ALWAYS_ALLOWED = ['Authorization', 'X-SERVICE-OTP', 'X-Gitea-OTP'];

/** The headers of a preflight response when the settings say nothing else. */
const DEFAULTS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST, GET, OPTIONS, PUT, DELETE',
  'access-control-allow-headers': 'Accept, Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization',
};

/** The cross-origin headers of an ordinary response; none unless enabled. */
export function corsHeaders(cors: Settings['cors'], origin: string | undefined): Record<string, string> {
  if (!cors.enabled || origin === undefined) return {};
  const allowed = allowedOrigin(cors, origin);
  if (allowed === undefined) return { vary: 'Origin' };
  return {
    'access-control-allow-origin': allowed,
    ...(cors.allowCredentials && { 'access-control-allow-credentials': 'true' }),
    vary: 'Origin',
  };
}

/** The response to an OPTIONS request. */
export function preflightHeaders(cors: Settings['cors'], origin: string | undefined): Record<string, string> {
  if (!cors.enabled) return DEFAULTS;
  if (origin === undefined || allowedOrigin(cors, origin) === undefined) return { vary: 'Origin' };
  return {
    ...corsHeaders(cors, origin),
    'access-control-allow-methods': cors.allowedMethods.join(', '),
    'access-control-allow-headers': [...ALWAYS_ALLOWED, ...cors.allowedHeaders].join(', '),
    'access-control-max-age': String(Math.floor(cors.maxAge / 1000)),
  };
}

/** `*` is not allowed together with credentials (Fetch standard), so the origin itself is returned then. */
function allowedOrigin(cors: Settings['cors'], origin: string): string | undefined {
  for (const pattern of cors.allowedOrigins) {
    if (pattern === '*') return cors.allowCredentials ? origin : '*';
    const expression = new RegExp(`^${RegExp.escape(pattern).replaceAll('\\*', '[^/]*')}$`, 'i');
    if (expression.test(origin)) return origin;
  }
  return undefined;
}
