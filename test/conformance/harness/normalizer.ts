/** Values that differ between two correct servers: only their JSON type is compared. */
const TYPE_ONLY = new Set([
  ...['theme', 'default_theme', 'avatar_url', 'size', 'repo_size', 'lfs_size', 'last_login', 'fingerprint', 'uuid', 'nonce'],
  ...['sha1', 'hashed_token', 'token_last_eight', 'client_id', 'client_secret'],
]);
/** Lists without an order of their own: the units of a team, the events of a webhook. */
const UNORDERED = new Set(['units', 'events']);
/** Path segments that are followed by an id of the instance. */
const ID_SEGMENTS = [
  ...[
    'comments',
    'labels',
    'releases',
    'keys',
    'gpg_keys',
    'hooks',
    'runs',
    'jobs',
    'artifacts',
    'attachments',
    'assets',
    'user-id',
    'teams',
  ],
  ...['reviews', 'threads', 'repositories', 'times', 'tag_protections', 'milestones', 'runners', 'oauth2', 'versions', 'blobs-id'],
  ...['packages-id', 'tasks', 'tokens', 'review-id'],
].join('|');

/** Patterns of text that differs between two servers or two runs, and what stands for it; they apply in order. */
const REPLACEMENTS: readonly [RegExp, string][] = [
  [/([?&]sig=)[\w-]+/g, '$1{sig}'],
  [/([?&]expires=)[^&\s"]+/g, '$1{expires}'],
  [/([?&](?:taskID|artifactID)=)\d+/g, '$1{id}'],
  [/(\bfilename="?[^";]*?)-\d+\.log/g, '$1-{id}.log'],
  [/\b(Successful in|Failing after) \d[\dhms ]*/g, '$1 {duration}'],
  [/\b(?!0001-|1970-01-01T00:00:00)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g, '{time}'],
  [/\b\w{3}, \d{1,2} \w{3} \d{4} \d\d:\d\d:\d\d ([+-]\d{4}|GMT)/g, '{date}'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '{uuid}'],
  [/\b(?!0{40}\b)[0-9a-f]{40}\b/g, '{sha}'],
  [/\b(?!0{64}\b)[0-9a-f]{64}\b/g, '{sha256}'],
  [/#(issuecomment|issue|ref-commit|pullrequestreview|issues)-\d+/g, '#$1-{id}'],
  [/\b\d+\+(?=[^\s"@]+@noreply\.)/g, '{id}+'],
  [/\b((?:uid|id|[a-z_]+_id):? )(?!0\b)\d+\b/g, '$1{id}'],
  [/\b(this thread )\d+/g, '$1{id}'],
  [new RegExp(`/(${ID_SEGMENTS})/\\d+\\b(?!\\.\\d)`, 'g'), '/$1/{id}'],
];
/** Those of {@link REPLACEMENTS} whose matches a scenario may have named. */
const NAMEABLE = new Set(['{time}', '{sha}', '{sha256}']);

/** Replaces what legitimately differs between two servers or two runs: ids, times, object ids, the base URL. */
export class Normalizer {
  /** Object ids and timestamps that the scenario named: recorded under that name. */
  readonly names = new Map<string, string>();
  /** Further [text, replacement] pairs, such as the URLs of receivers. */
  readonly aliases: [string, string][] = [];
  readonly #fixed: readonly [string, string][];

  /** @param base the URL of the server, without a slash at its end */
  constructor(base: string, run: string) {
    this.#fixed = [
      [base, '{base}'],
      [new URL(base).host, '{host}'],
      [run, '{run}'],
    ];
  }

  /** @param key the JSON key that the text is the value of */
  string(text: string, key = ''): string {
    if (key === 'ssh_url') return `{ssh}${this.string(text.replace(/^.*?([^/:]+\/[^/]+\.git)$/, '$1'))}`;
    let result = key === 'message' ? text.replace(/^\[\]: .*/s, '[]: {what is wrong with the JSON}') : text;
    for (const [from, to] of [...this.aliases, ...this.#fixed]) result = result.replaceAll(from, to);
    for (const [pattern, replacement] of REPLACEMENTS) {
      result = NAMEABLE.has(replacement)
        ? result.replace(pattern, (match) => this.names.get(match) ?? replacement)
        : result.replace(pattern, replacement);
    }
    return result;
  }

  /** A JSON value with everything in it normalized; undefined becomes null. */
  value(value: unknown, key = ''): unknown {
    if (value === null || value === undefined) return null;
    if (Array.isArray(value)) return (UNORDERED.has(key) ? value.toSorted() : value).map((item) => this.value(item, key));
    if (typeof value === 'object') {
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [this.string(name), this.value(item, name)]));
    }
    if (TYPE_ONLY.has(key)) return value === '' ? '' : `{${typeof value}}`;
    if (typeof value === 'string') return this.string(value, key);
    if (typeof value === 'number' && value !== 0 && (key === 'id' || /(_id|_ids|ID)$/.test(key))) return '{id}';
    return value;
  }
}
