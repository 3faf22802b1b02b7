import { boolean, choice, duration, headerName, integer, list, optional, path, size, text } from '../kinds.ts';
import { group, setting } from '../setting.ts';

export const api = group('API', 'Limits and defaults of the responses of `/api/v1`.', {
  docsEnabled: setting(boolean(), 'true', 'Serve the interactive description of the API.'),
  maxPageSize: setting(integer(1, 1000), '50', 'Most items of one page.'),
  defaultPageSize: setting(integer(1, 1000), '30', 'Default number of items of one page.'),
  treesPageSize: setting(integer(1, 100_000), '1000', 'Maximum number of entries of one page of a Git tree.'),
  maxBlobSize: setting(size({ min: 1, max: 2 ** 30 }), '10MiB', 'Largest blob that is returned with its content.'),
  maxResponseSize: setting(size({ min: 1, max: 2 ** 30 }), '100MiB', 'Total size of blobs in one response.'),
});

export const ui = group('Web interface', 'Page sizes and themes; the API shows the theme and the reactions.', {
  defaultTheme: setting(text({ pattern: /^[\w-]+$/, name: 'the name of a theme' }), 'copse-auto', 'Default theme.'),
  reactions: setting(
    list(text({ pattern: /^[\w+-]+$/, name: 'the name of a reaction', maxLength: 50 })),
    '+1, -1, laugh, hooray, confused, heart, rocket, eyes',
    'Allowed reactions.',
  ),
  customEmojis: setting(
    list(text({ pattern: /^[\w+-]+$/, name: 'the name of an emoji', maxLength: 50 })),
    'git, gitea, codeberg, gitlab, github, gogs',
    'Custom emoji names besides those of Unicode.',
  ),
  feedCommits: setting(integer(0, 1000), '5', 'Commits shown with one push in an activity.'),
  onlyRelevantRepositories: setting(
    boolean(),
    'false',
    'Exploring shows only relevant repositories at first: neither forks nor empty ones, nor those without a topic, an image and a description.',
  ),
  robotsFile: setting(
    optional(path()),
    '',
    'File that is served as `/robots.txt`, at most 64 KiB of it; without one, crawlers are directed to the site map, and away from pages that are generated for each URL.',
  ),
});

export const markup = group('Markup', 'Rendering of Markdown and other texts.', {
  maxSize: setting(size({ min: 1024, max: 2 ** 26 }), '5MiB', 'Largest text that is rendered.'),
  math: setting(boolean(), 'true', 'Render formulas between dollar signs.'),
  hardLineBreaksInComments: setting(boolean(), 'true', 'A line break in a comment is shown as one.'),
  extraUrlSchemes: setting(
    list(text({ pattern: /^[a-z][a-z0-9+.-]*$/i, name: 'a scheme' })),
    '',
    'Schemes allowed in links, besides http, https and mailto.',
  ),
  highlightMaxSize: setting(size({ max: 2 ** 26 }), '1MiB', 'Largest file or block of code whose syntax is highlighted.'),
});

export const codeSearch = group('Code search', 'Search in the files of default branches, with an index of them in the storage.', {
  enabled: setting(boolean(), 'true', 'Index code and let it be searched.'),
  maxFileSize: setting(size({ min: 1024, max: 2 ** 24 }), '1MiB', 'Larger files are not indexed.'),
  maxRepositorySize: setting(
    size({ min: 2 ** 20, max: 2 ** 31 }),
    '256MiB',
    'Maximum size of the indexed text of one repository; later files in the order of paths are left out.',
  ),
  memory: setting(size({ min: 2 ** 20, max: 2 ** 36 }), '128MiB', 'Memory for cached indexes, in each process.'),
  timeout: setting(
    duration({ min: '100ms', max: '60s' }),
    '2s',
    'Time limit of one search; then it returns what it has found, marked as incomplete.',
  ),
  timePerCaller: setting(duration({ min: '1s', max: '60s' }), '20s', 'How long the searches of one caller may take together in a minute.'),
});

export const webhooks = group('Webhooks', 'Delivery of events to other servers.', {
  enabled: setting(boolean(), 'true', 'Allow webhooks and deliver them.'),
  timeout: setting(duration({ min: '100ms', max: '5m' }), '5s', 'How long one delivery may take.'),
  maxAttempts: setting(integer(1, 100), '5', 'Times a delivery is tried.'),
  concurrent: setting(integer(1, 1000), '10', 'Concurrent deliveries.'),
  verifyCertificates: setting(boolean(), 'true', 'Refuse receivers whose certificate is not valid.'),
  maxWaiting: setting(
    size({ min: 2 ** 20, max: 2 ** 40 }),
    '64MiB',
    'Limit of what waits for one webhook; those of one repository or owner may have four times as much together. A delivery beyond it fails at once, and is listed as failed.',
  ),
  maxWaitingTime: setting(duration({ min: '1m' }), '7d', 'How long a delivery waits for a slow receiver before it fails.'),
  keepDeliveries: setting(duration(), '7d', 'How long past deliveries are stored.'),
});

export const federation = group('Federation', 'Actors and activities of other instances (ActivityPub), and NodeInfo.', {
  enabled: setting(boolean(), 'false', 'Take part in federation.'),
  shareUserStatistics: setting(boolean(), 'true', 'Show the number of users in NodeInfo.'),
  maxSize: setting(size({ min: 1024, max: 2 ** 28 }), '4MiB', 'Largest request and response of another instance.'),
  concurrentFetches: setting(
    integer(1, 10_000),
    '16',
    'Actors of other instances fetched at the same time to verify signatures of activities.',
  ),
  fetchesPerCaller: setting(integer(1, 10_000), '2', 'Of these, those of one caller.'),
  algorithms: setting(
    list(choice('rsa-sha256', 'rsa-sha512', 'ed25519'), { minItems: 1 }),
    'rsa-sha256, rsa-sha512, ed25519',
    'Signature algorithms that are accepted.',
  ),
  digestAlgorithm: setting(choice('SHA-256', 'SHA-512'), 'SHA-256', 'Digest of the bodies that are sent.'),
  getHeaders: setting(list(signedHeader(), { minItems: 1 }), '(request-target), Date', 'Signed parts of a request without a body.'),
  postHeaders: setting(list(signedHeader(), { minItems: 1 }), '(request-target), Date, Digest', 'Signed parts of a request with a body.'),
});

function signedHeader() {
  return text({
    pattern: /^(\((request-target|created|expires)\)|[A-Za-z][A-Za-z0-9-]*)$/,
    name: 'the name of a header or (request-target)',
    maxLength: 100,
  });
}

export const jobs = group('Background work', 'Durable jobs and scheduled tasks.', {
  concurrent: setting(integer(1, 1000), '4', 'Concurrent jobs of one process.'),
  nightly: setting(cron(), '@midnight', 'When the daily tasks run, in the time zone of the server.'),
  mirrorUpdates: setting(cron(), '@every 10m', 'When due mirrors are updated.'),
  maintenance: setting(cron(), '0 3 * * 0', 'When repositories are packed.'),
  activityLifetime: setting(duration(), '0s', 'How long activities are stored; 0 for ever.'),
  noticeLifetime: setting(duration({ min: '1h' }), '365d', 'How long notices for administrators are stored; at most 10,000.'),
  deletedBranchLifetime: setting(
    duration({ min: '1h', max: '3650d' }),
    '7d',
    'How long deleted branches can be restored, as long as `git.unreachableExpiry` leaves their commits.',
  ),
});

function cron() {
  const field = String.raw`(?:\*|[0-9A-Za-z]+(?:-[0-9A-Za-z]+)?)(?:\/\d+)?(?:,(?:\*|[0-9A-Za-z]+(?:-[0-9A-Za-z]+)?)(?:\/\d+)?)*`;
  const parts = { m: '1|2|3|4|5|6|10|12|15|20|30|60', h: '1|2|3|4|6|8|12|24' };
  const nickname = `@(?:yearly|annually|monthly|weekly|daily|midnight|hourly|every (?:(?:${parts.m})m|(?:${parts.h})h))`;
  const pattern = new RegExp(`^(?:${nickname}|${field}(?: ${field}){4})$`);
  return text({ pattern, name: 'a cron expression of five fields, @midnight, @every 10m or the like', maxLength: 100 });
}

export const security = group('Security', 'Keys and headers.', {
  secretKey: setting(
    optional(text({ pattern: /^([0-9a-f]{64}|[A-Za-z0-9+/_-]{43}=?)$/i, name: '32 bytes in hexadecimal or base64' })),
    '',
    'Key that encrypts secrets in the database and signs tokens; without it the one in the data folder, created at the first start. Several processes need the same.',
    { secret: true },
  ),
  frameOptions: setting(choice('SAMEORIGIN', 'DENY', 'unset'), 'SAMEORIGIN', '`X-Frame-Options` of pages.'),
  requestIdResponseHeader: setting(headerName(), 'X-Request-Id', 'Header of every response with the id of its request.'),
});
