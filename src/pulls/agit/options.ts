/** The options of `git push -o name=value` for a pull request. */
export interface ForOptions {
  readonly topic: string;
  readonly title: string;
  readonly description: string;
  /** The head may move to a commit that is not a descendant of it. */
  readonly force: boolean;
}

const BASE64 = '{base64}';

/** Parses the options of a push; of a repeated one the last counts. A value with several lines is sent as `{base64}…`. */
export function readForOptions(options: readonly string[]): ForOptions {
  const read = new Map<string, string>();
  for (const option of options) {
    const at = option.indexOf('=');
    read.set((at < 0 ? option : option.slice(0, at)).trim(), at < 0 ? 'true' : option.slice(at + 1));
  }
  return {
    topic: read.get('topic') ?? '',
    title: decode(read.get('title') ?? ''),
    description: decode(read.get('description') ?? ''),
    force: /^(1|t|true)$/i.test(read.get('force-push') ?? ''),
  };
}

function decode(value: string): string {
  if (!value.startsWith(BASE64)) return value;
  const encoded = value.slice(BASE64.length);
  const isBase64 = /^[A-Za-z0-9+/]*={0,2}$/.test(encoded) && encoded.length % 4 === 0;
  return isBase64 ? Buffer.from(encoded, 'base64').toString('utf8').replaceAll('\0', '') : value;
}
