import type { Settings } from '../../settings.ts';
import type { HostKey } from '../host-keys.ts';

/** What the configuration of sshd is made of. */
export interface SshdParts {
  readonly settings: Settings;
  readonly hostKeys: readonly HostKey[];
  /** The user of this process. */
  readonly user: string;
  /** How copse-ssh.pl is started, as one argument each. */
  readonly helper: readonly string[];
  /** The file with the keys of authorities; undefined without any. */
  readonly authorities: string | undefined;
}

/** OpenSSH's own choice without SHA-1 and 64-bit MACs, which it still takes. */
const WITHOUT_OUTDATED = {
  KexAlgorithms: '-*-sha1',
  MACs: '-hmac-sha1*,umac-64*,hmac-md5*',
} as const;

/**
 * The configuration of sshd (sshd_config(5)): keys and certificates sign in, each runs the one command that it is given, and nothing
 * else is served.
 */
export function sshdConfig({ settings: { ssh }, hostKeys, user, helper, authorities }: SshdParts): string {
  const algorithms = (name: string, wanted: readonly string[], fallback?: string) =>
    wanted.length > 0 ? [`${name} ${wanted.join(',')}`] : fallback === undefined ? [] : [`${name} ${fallback}`];
  const lines = [
    '# Made by Copse at each start.',
    ...hostKeys.map(({ path }) => `HostKey ${path}`),
    'PidFile none',
    `AllowUsers ${user}`,
    'AuthenticationMethods publickey',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'PermitRootLogin forced-commands-only',
    // OpenSSH 9.2 overlooks this command where it stands after that for keys.
    ...(authorities === undefined
      ? []
      : [
          `TrustedUserCAKeys ${authorities}`,
          `AuthorizedPrincipalsCommand ${helper.join(' ')} principals %k`,
          `AuthorizedPrincipalsCommandUser ${user}`,
          // Nobody is in it; but with it a certificate for the user of this process is never good by its name alone.
          'AuthorizedPrincipalsFile /dev/null',
        ]),
    'AuthorizedKeysFile none',
    `AuthorizedKeysCommand ${helper.join(' ')} keys %f`,
    `AuthorizedKeysCommandUser ${user}`,
    'AcceptEnv GIT_PROTOCOL',
    'PermitUserEnvironment no',
    'PermitUserRC no',
    'DisableForwarding yes',
    'PermitTTY no',
    'PrintMotd no',
    'Compression no',
    'UseDNS no',
    'ClientAliveInterval 0',
    `LoginGraceTime ${Math.ceil(ssh.loginTimeout / 1000)}`,
    `MaxAuthTries ${ssh.maxAuthAttempts}`,
    `MaxSessions ${ssh.sessionsPerConnection}`,
    ...algorithms('Ciphers', ssh.ciphers),
    ...algorithms('KexAlgorithms', ssh.keyExchanges, WITHOUT_OUTDATED.KexAlgorithms),
    ...algorithms('MACs', ssh.macs, WITHOUT_OUTDATED.MACs),
  ];
  return `${lines.join('\n')}\n`;
}
