import { isIP } from 'node:net';
import {
  absoluteUrl,
  baseUrl,
  boolean,
  choice,
  duration,
  headerName,
  host,
  hostPattern,
  integer,
  list,
  network,
  optional,
  path,
  port,
  size,
  text,
} from '../kinds.ts';
import { group, setting } from '../setting.ts';

/** The host of the root URL as users write it; an IP address is not a valid name for mail and SSH. */
function domainOf(rootUrl: unknown): string {
  const host = URL.parse(String(rootUrl))?.hostname ?? '';
  return host === '' || isIP(host.replace(/^\[|\]$/g, '')) !== 0 ? 'localhost' : host;
}

/** `http://HOST:PORT/`; clients cannot use an address for all interfaces. */
function defaultRootUrl(get: (name: string) => unknown): string {
  const scheme = get('server.tlsCertificate') === null ? 'http' : 'https';
  const host = String(get('server.host'));
  const shown = host === '0.0.0.0' || host === '::' ? 'localhost' : isIP(host) === 6 ? `[${host}]` : host;
  return `${scheme}://${shown}:${String(get('server.port'))}/`;
}

export const server = group(
  'Server',
  'Where the server listens, the URL that clients use, and where it stores its data.',
  {
    host: setting(host(), '127.0.0.1', 'IP address or host name to listen on; `0.0.0.0` or `::` for every interface.'),
    port: setting(port(), '3000', 'TCP port to listen on; 0 for a free one.'),
    rootUrl: setting(
      baseUrl(),
      { from: '`http://HOST:PORT/`', value: defaultRootUrl },
      'URL of the server for clients; every link in responses, mails and webhooks begins with it.',
    ),
    domain: setting(
      text({ pattern: /^[a-z0-9.-]+$/i, name: 'a host name' }),
      { from: 'the host of `server.rootUrl`, `localhost` where that is an IP address', value: (get) => domainOf(get('server.rootUrl')) },
      'Host name in SSH URLs and in substitutes for hidden e-mail addresses.',
    ),
    cacheMemory: setting(
      size({ max: 2 ** 37 }),
      '128MiB',
      'Memory for all caches of one process together: `git.objectCache`, `codeSearch.memory`, rendered texts, contents of packages, results of SQLite.',
    ),
    dataDir: setting(path(), './data', 'Folder of all data: repositories, database, uploads, keys.'),
    tlsCertificate: setting(
      optional(path()),
      '',
      'PEM file with the certificate chain; with `server.tlsKey` the server serves HTTPS itself.',
    ),
    tlsKey: setting(optional(path()), '', 'PEM file with the private key of the certificate.'),
    trustedProxies: setting(
      list(network()),
      '127.0.0.0/8, ::1/128',
      'Proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` headers are trusted, and that may sign users in if reverse-proxy sign-in is enabled.',
    ),
    requestTimeout: setting(duration({ max: '1d' }), '1h', 'How long receiving one request may take, including pushes and uploads.'),
    headersTimeout: setting(duration({ min: '1s', max: '1h' }), '60s', 'How long receiving the headers of a request may take.'),
    keepAliveTimeout: setting(duration({ max: '1h' }), '75s', 'How long an idle connection stays open.'),
    idleTimeout: setting(
      duration({ min: '100ms', max: '1h' }),
      '30s',
      'How long a client may neither send the rest of its request nor read its response; then its connection is closed.',
    ),
    minimumRate: setting(
      integer(0, 1_000_000),
      '1024',
      'Bytes per second that it has to send or read, on average over `server.idleTimeout`; a client that is slower counts as idle.',
    ),
    drainTimeout: setting(
      duration({ max: '1h' }),
      '2s',
      'How long open connections are served after SIGTERM, with `Connection: close` in each response, before idle ones are closed.',
    ),
    shutdownTimeout: setting(
      duration({ max: '1h' }),
      '60s',
      'How long running requests may take to finish after SIGTERM. Jobs have some seconds; unfinished ones run again after the next start.',
    ),
  },
  { prefix: '' },
);

export const instance = group('Instance', 'What the instance shows about itself.', {
  name: setting(text({ maxLength: 100 }), 'Copse', 'Name shown in pages, mails and federation.'),
  description: setting(optional(text({ maxLength: 500 })), '', 'One sentence about the instance, for the front page and federation.'),
  apiVersion: setting(
    text({ pattern: /^\d+\.\d+\.\d+[0-9A-Za-z.+-]*$/, name: 'a version such as 1.26.3' }),
    '1.26.3',
    'Version that `/api/v1/version` returns; clients choose features by it.',
  ),
  diskWarning: setting(size(), '1GiB', 'With less space on a disk of the data, `/api/healthz` reports `warn`.'),
  diskMinimum: setting(size(), '64MiB', 'With less space on a disk of the data, `/api/healthz` reports `fail`, with status 503.'),
  metricsEnabled: setting(boolean(), 'true', 'Serve `/metrics` in Prometheus format.'),
  metricsToken: setting(optional(text()), '', 'Bearer token that `/metrics` requires; without one only loopback addresses may read it.', {
    secret: true,
  }),
});

export const database = group('Database', 'The embedded SQLite database in the data folder, or PostgreSQL.', {
  url: setting(
    optional(absoluteUrl('postgres', 'postgresql')),
    '',
    'PostgreSQL to use, such as `postgres://user:password@host/name`; without it the embedded SQLite in the data folder.',
    { variable: 'DATABASE_URL', secret: true },
  ),
  directUrl: setting(
    optional(absoluteUrl('postgres', 'postgresql')),
    '',
    'The same database without a pooler such as PgBouncer, if `database.url` goes through one: for wake-ups between processes, and for changes of tables.',
    { variable: 'DATABASE_DIRECT_URL', secret: true },
  ),
  replicaUrl: setting(
    optional(absoluteUrl('postgres', 'postgresql')),
    '',
    'One read replica of that PostgreSQL (streaming replication), which serves GET requests if it has everything that was committed before.',
    { variable: 'DATABASE_REPLICA_URL', secret: true },
  ),
  replicaWait: setting(
    duration({ max: '5s' }),
    '20ms',
    'How long a request waits until the replica has everything that was committed before it; then the primary is used.',
  ),
  maxConnections: setting(integer(1, 1000), '10', 'Connections of one process to PostgreSQL.'),
  connectTimeout: setting(duration({ min: '1s', max: '10m' }), '10s', 'How long connecting to PostgreSQL may take.'),
  statementTimeout: setting(
    duration({ max: '1h' }),
    '60s',
    'How long one statement may run on PostgreSQL; 0 for no limit. With `database.directUrl` it is set in PostgreSQL instead, for the role.',
  ),
  busyTimeout: setting(duration({ max: '10m' }), '5s', 'How long a SQLite statement waits for another process to finish writing.'),
});

export const log = group('Logging', 'One JSON object in each line of standard output.', {
  level: setting(choice('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'), 'info', 'Least severe level that is written.'),
  format: setting(choice('json', 'text'), 'json', '`text` is for human eyes.'),
  requests: setting(boolean(), 'true', 'Write one line for each request.'),
  requestIdHeader: setting(
    optional(headerName()),
    'X-Request-Id',
    'Header in which a trusted proxy (`server.trustedProxies`) sends the id of a request; without it the server generates one.',
  ),
  access: setting(
    choice('off', 'common', 'json'),
    'off',
    'Access log: one line for each request and SSH session, in the Common Log Format or as JSON; see [monitoring](monitoring.md#access-log).',
  ),
  accessFile: setting(optional(path()), '', 'File of the access log, which is reopened after it was renamed; without one standard output.'),
});

export const audit = group('Audit log', 'Actions that concern access and administration; see [monitoring](monitoring.md).', {
  retention: setting(duration({ min: '1d' }), '365d', 'How long entries are kept.'),
  toLog: setting(boolean(), 'false', 'Write each entry to the log too, for programs that collect logs.'),
});

export const limits = group(
  'Limits',
  'Limits of one request, of one caller, and of all callers together. A caller is a user, or the IP address (for IPv6 a /64 network) of an anonymous client. A request beyond a limit waits for `limits.queueTimeout`.',
  {
    jsonBody: setting(size({ min: 1024, max: 2 ** 30 }), '16MiB', 'Largest JSON, form or text body.'),
    contentsBody: setting(
      size({ min: 1024, max: 2 ** 30 }),
      '128MiB',
      'Largest JSON body with file contents (contents, wiki, blobs); it is held in memory.',
    ),
    pushBody: setting(size({ min: 1024 }), '4GiB', 'Largest pack of one push.'),
    uploadsPerRequest: setting(integer(1, 1000), '20', 'Files in one multipart form.'),
    queryLength: setting(integer(256, 65_536), '8192', 'Maximum length of a path and query.'),
    queueTimeout: setting(
      duration({ min: '1s', max: '1h' }),
      '60s',
      'How long a request waits while too many of its kind are running; then the response is 503.',
    ),
    concurrentUploads: setting(integer(1, 10_000), '50', 'Pushes and uploaded files received at the same time.'),
    uploadsPerCaller: setting(integer(1, 10_000), '10', 'Of these, those of one caller.'),
    concurrentFetches: setting(integer(1, 10_000), '50', 'Fetches and clones served at the same time.'),
    fetchesPerCaller: setting(integer(1, 10_000), '10', 'Of these, those of one caller.'),
    concurrentDownloads: setting(integer(1, 100_000), '200', 'Files, attachments and archives sent at the same time.'),
    downloadsPerCaller: setting(integer(1, 100_000), '20', 'Of these, those of one caller.'),
    concurrentArchives: setting(integer(1, 1000), '4', 'Archives made at one time, and as many of packages read that were sent.'),
    archivesPerCaller: setting(integer(1, 1000), '2', 'Of these, those of one caller.'),
    concurrentRenders: setting(integer(1, 1000), '8', 'Texts rendered at the same time on request.'),
    rendersPerCaller: setting(integer(1, 1000), '2', 'Of these, those of one caller.'),
    concurrentSearches: setting(integer(1, 1000), '16', 'Searches for repositories, issues, users and topics at the same time.'),
    searchesPerCaller: setting(integer(1, 1000), '4', 'Of these, those of one caller.'),
    concurrentUpstreamFetches: setting(integer(1, 10_000), '64', 'Files and documents fetched from upstream registries at the same time.'),
    upstreamFetchesPerCaller: setting(integer(1, 10_000), '16', 'Of these, those of one caller.'),
    bodyMemory: setting(size({ min: 2 ** 20 }), '512MiB', 'Bytes of JSON, form and text bodies in memory at the same time.'),
    bodyMemoryPerCaller: setting(size({ min: 2 ** 20 }), '256MiB', 'Of these, those of one caller.'),
    responseMemory: setting(size({ min: 2 ** 20 }), '512MiB', 'Characters of long responses in memory at the same time.'),
    responseMemoryPerCaller: setting(size({ min: 2 ** 20 }), '128MiB', 'Of these, those of one caller.'),
  },
);

export const cors = group('Cross-origin requests', 'Which other sites may call the API from a browser.', {
  enabled: setting(boolean(), 'false', 'Serve cross-origin requests by these rules.'),
  allowedOrigins: setting(
    list(text()),
    '*',
    'Origins that may call, such as `https://example.com` or `https://*.example.com`; `*` for all.',
  ),
  allowedMethods: setting(
    list(choice('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS')),
    'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
    'Methods that may be called.',
  ),
  allowedHeaders: setting(
    list(headerName()),
    'Content-Type, User-Agent',
    'Headers that may be sent, besides `Authorization` and the one-time code header.',
  ),
  allowCredentials: setting(boolean(), 'false', 'Allow cookies and sign-in with cross-origin requests.'),
  maxAge: setting(duration(), '10m', 'How long a browser may remember these rules.'),
});

export const outgoing = group(
  'Outgoing requests',
  'Webhooks, migration, mirrors, federation and package proxies all go through one client.',
  {
    allowedHosts: setting(
      list(hostPattern()),
      'external',
      'Hosts that requests may be sent to: `loopback`, `private` (private networks), `external` (everything public), `*` (all), IP addresses, networks, host names with `*`.',
    ),
    blockedHosts: setting(list(hostPattern()), '', 'Hosts that are refused, even if they are allowed.'),
    proxyUrl: setting(optional(absoluteUrl('http', 'https')), '', 'Proxy for outgoing HTTP requests.', { secret: true }),
    proxyHosts: setting(list(hostPattern()), '*', 'Hosts that the proxy is used for.'),
    connectTimeout: setting(duration({ min: '100ms', max: '5m' }), '10s', 'How long connecting may take.'),
    timeout: setting(duration({ min: '1s', max: '1h' }), '60s', 'How long one request may take, unless another setting applies.'),
    maxResponse: setting(size({ min: 1024 }), '32MiB', 'Largest response that is read, unless another setting applies.'),
    maxRedirects: setting(integer(0, 20), '5', 'Redirects that are followed; each target is checked again.'),
  },
);
