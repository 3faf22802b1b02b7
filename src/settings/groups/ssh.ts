import { choice, duration, host, integer, list, longText, optional, path, sshPort, text } from '../kinds.ts';
import { group, setting } from '../setting.ts';

/** The port of `auto`: as close to 22 as a port without privileges can be. */
export const AUTOMATIC_PORT = 2222;

/** The name of an algorithm of SSH, as in RFC 4250, section 4.6.1. */
function algorithm() {
  return text({ pattern: /^[a-z0-9@.-]+$/i, name: 'the name of an algorithm', maxLength: 64 });
}

function publicPort(port: unknown): string {
  if (port === 'auto') return String(AUTOMATIC_PORT);
  return Number(port) > 0 ? String(port) : '22';
}

export const ssh = group('SSH', 'Git over SSH, served by Copse itself or through the sshd of OpenSSH.', {
  server: setting(
    choice('auto', 'embedded', 'openssh'),
    'auto',
    '`embedded` needs nothing else. `openssh` runs `ssh.program` for each connection, which brings post-quantum key exchange, keys in tokens and certificates. `auto` takes `openssh` where it can run, which takes a `ssh.user` that is the account of this process.',
  ),
  host: setting(
    host(),
    { from: '`server.host`', value: (get) => String(get('server.host')) },
    'IP address or host name that the SSH server listens on; `0.0.0.0` or `::` for every interface.',
  ),
  port: setting(
    sshPort(),
    'auto',
    'TCP port of the SSH server; 0 or empty for none, `free` for one that is free, `auto` for 2222, without SSH if another program uses it.',
  ),
  publicHost: setting(
    text(),
    { from: '`server.domain`', value: (get) => String(get('server.domain')) },
    'Host name in SSH URLs of repositories.',
  ),
  publicPort: setting(
    integer(1, 65_535),
    { from: '`ssh.port`, else 22', value: (get) => publicPort(get('ssh.port')) },
    'Port in SSH URLs of repositories, if it differs from the one listened on because of forwarding.',
  ),
  user: setting(
    text({ pattern: /^[\w.-]+$/, name: 'a user name', maxLength: 64 }),
    'git',
    'User name in SSH URLs of repositories, and the only one that may connect.',
  ),
  hostKeys: setting(
    path(),
    { from: '`ssh-host-keys` in the data folder', value: (get) => `${String(get('server.dataDir'))}/ssh-host-keys` },
    'Folder of the server’s private host keys, in the format of OpenSSH; they are generated if it does not exist.',
  ),
  program: setting(path(), '/usr/sbin/sshd', 'The sshd that `ssh.server` runs.'),
  socket: setting(
    optional(path()),
    '',
    'Unix socket for queries of an sshd of the system, as docs/ssh.md describes; only the user of this process may have access to its folder.',
  ),
  minimumRsaBits: setting(integer(1024, 16_384), '3071', 'Shortest RSA key that users may add.'),
  loginTimeout: setting(duration({ min: '1s', max: '10m' }), '30s', 'How long signing in may take.'),
  idleTimeout: setting(
    duration({ min: '100ms', max: '1d' }),
    '15m',
    'How long a connection may be idle. While git sends or receives objects, `server.idleTimeout` applies.',
  ),
  maxAuthAttempts: setting(integer(1, 100), '6', 'Keys that a client may offer on one connection.'),
  maxConnections: setting(integer(1, 100_000), '1000', 'Connections at one time.'),
  connectionsPerAddress: setting(integer(1, 100_000), '250', 'Of these, those of one IP address (for IPv6 a /64 network).'),
  sessionsPerConnection: setting(integer(1, 1000), '10', 'Concurrent commands on one connection.'),
  ciphers: setting(list(algorithm()), '', 'Ciphers that are offered; empty for those of the SSH server that are not outdated.'),
  keyExchanges: setting(list(algorithm()), '', 'Key exchanges that are offered; empty for those of the SSH server that are not outdated.'),
  macs: setting(
    list(algorithm()),
    '',
    'Message authentication codes that are offered; empty for those of the SSH server that are not outdated.',
  ),
  trustedUserCaKeys: setting(
    optional(longText('public keys, one on each line')),
    '',
    'Public keys of authorities, one on each line, whose certificates sign users in; only `openssh` supports them.',
  ),
  certificatePrincipals: setting(
    choice('username', 'email'),
    'username',
    'The meaning of principals of certificates: names of users, or confirmed e-mail addresses.',
  ),
});
