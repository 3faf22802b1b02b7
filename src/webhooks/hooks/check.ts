import { textMatcher } from '../../code/protections/patterns.ts';
import type { SlackOptions } from '../../database/tables/webhooks.ts';
import { badRequest, unprocessable } from '../../http/errors.ts';
import { InvalidPatternError } from '../../text/pattern.ts';

/** The part of a request that configures the delivery of a hook. */
export type HookConfig = Record<string, string | undefined>;

/** Length limit of one value of the configuration in characters. */
const MAX_LENGTH = 4096;
/** https://api.slack.com/methods/conversations.rename#naming, with or without a `#`. */
const SLACK_CHANNEL = /^#?[a-z0-9_-]{1,80}$/;

/** @throws HttpError 422 for a value that is longer than any that has a use */
export function checkLengths(config: HookConfig): void {
  for (const [name, value] of Object.entries(config)) {
    if (name.length > 100 || (value?.length ?? 0) > MAX_LENGTH) throw unprocessable(`Config option is too long: ${name.slice(0, 100)}`);
  }
}

/** @throws HttpError 422 for an invalid HTTP URL; blanks are allowed after the host */
export function checkUrl(url: string): string {
  const isHttp = /^https?:\/\/[^/?#\s]+(?:[/?#]|$)/i.test(url) && !/[\x00-\x1f\x7f]/.test(url) && URL.canParse(url);
  const hasBrokenEscape = /^[^?]*%(?![0-9a-f]{2})/i.test(url);
  if (!isHttp || hasBrokenEscape) throw unprocessable('Invalid url');
  return url;
}

/** @throws HttpError 422 */
export function checkContentType(type: string): 'json' | 'form' {
  if (type !== 'json' && type !== 'form') throw unprocessable('Invalid content type');
  return type;
}

/** @throws HttpError 422 for an invalid header value */
export function checkAuthorization(header: string): string {
  if (/[^\t\x20-\x7e\x80-\xff]/.test(header)) throw unprocessable('Invalid authorization header');
  return header;
}

/** @throws HttpError 422 for a pattern that cannot be read */
export function checkBranchFilter(pattern: string): string {
  try {
    textMatcher(pattern);
  } catch (error) {
    if (error instanceof InvalidPatternError) throw unprocessable(`[BranchFilter]: ${error.message}`);
    throw error;
  }
  return pattern;
}

/** @throws HttpError 422 without a channel, 400 for a name that no channel has */
export function newSlackOptions(config: HookConfig): SlackOptions {
  if (config.channel === undefined) throw unprocessable('Missing config option: channel');
  if (!SLACK_CHANNEL.test(config.channel.trim())) throw badRequest('Invalid slack channel name');
  return slackOptions(config);
}

/** Missing fields become empty. A channel may also be the name of a person (`@name`), which only Slack can check. */
export function slackOptions(config: HookConfig): SlackOptions {
  return {
    channel: config.channel?.trim() ?? '',
    username: config.username ?? '',
    icon_url: config.icon_url ?? '',
    color: config.color ?? '',
  };
}
