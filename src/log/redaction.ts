/** What stands where a secret stood. */
export const REDACTED = '[redacted]';

/** Names of fields whose value is a secret, after taking out `-` and `_`. */
const SECRET_FIELD =
  /(?:password|passphrase|passwd|secret|secretkey|token|authorization|cookie|otp|apikey|accesskey|secretaccesskey|privatekey|signature)$/i;
/** Query parameters whose value is a secret. */
const SECRET_PARAMETER =
  /^(?:token|access_token|refresh_token|id_token|client_secret|code|code_verifier|password|secret|sig|signature|x-amz-signature)$/i;
const MAX_DEPTH = 6;

/** Whether a field of this name holds a secret. */
export function isSecretField(name: string): boolean {
  return SECRET_FIELD.test(name.replace(/[-_]/g, ''));
}

/** The same value without the contents of secret fields, at any depth; objects with a class of their own are left to their serializer. */
export function withoutSecretFields(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return depth >= MAX_DEPTH ? '[deep]' : value.map((item) => withoutSecretFields(item, depth + 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  if (depth >= MAX_DEPTH) return '[deep]';
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key, isSecretField(key) && field ? REDACTED : withoutSecretFields(field, depth + 1)]),
  );
}

/** Addresses whose path has a secret, also where another address leads back to them: invitations, and the token that `npm logout` deletes. */
const SECRET_PATH = /((?:\/|%2f)(?:org(?:\/|%2f)invite|-\/user\/token)(?:\/|%2f))[^/?&#\s"]+/gi;

/** A path without the secrets that are a part of some. */
export function loggablePath(path: string): string {
  return path.replace(SECRET_PATH, `$1${REDACTED}`);
}

/** A path and query as it may be logged: without the values of parameters that sign in. */
export function loggableUrl(given: string): string {
  const url = loggablePath(given);
  const start = url.indexOf('?');
  if (start < 0) return url;
  const parameters = url.slice(start + 1).split('&');
  return `${url.slice(0, start + 1)}${parameters.map(loggableParameter).join('&')}`;
}

function loggableParameter(parameter: string): string {
  const [name = '', value] = parameter.split(/=(.*)/s);
  return value && SECRET_PARAMETER.test(decoded(name)) ? `${name}=${REDACTED}` : parameter;
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return name;
  }
}

/** Takes secrets out of running text, such as messages of errors: credentials in addresses, query tokens, `Authorization` values. */
export function withoutSecretsInText(text: string): string {
  return text
    .replace(/(:\/\/)[^\s/?#"'@\\]+@/g, `$1${REDACTED}@`)
    .replace(
      /([?&](?:token|access_token|refresh_token|id_token|client_secret|code|code_verifier|password|secret|sig|signature|x-amz-signature)=)[^&#\s"'\\]+/gi,
      `$1${REDACTED}`,
    )
    .replace(/\b(authorization:\s*(?:\w+\s+)?)[^\s"',\\]+/gi, `$1${REDACTED}`)
    .replace(/\b((?:basic|bearer)\s+)(?=[\w+/=.~-]*[\d+/=.-])[\w+/=.~-]{8,}/gi, `$1${REDACTED}`);
}
