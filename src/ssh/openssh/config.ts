import type { Settings } from '../../settings.ts';
import type { HostKey } from '../host-keys.ts';

/** The inputs of sshd's configuration. */
export interface SshdParts {
  readonly settings: Settings;
  readonly hostKeys: readonly HostKey[];
  /** The user of this process. */
  readonly user: string;
  /** The program and arguments that start copse-ssh.pl. */
  readonly helper: readonly string[];
  /** The path of the file with the public keys of authorities; undefined without any. */
  readonly authorities: string | undefined;
}

/** OpenSSH's defaults, without SHA-1 and the 64-bit MACs that they still have. */
const WITHOUT_OUTDATED = {
  KexAlgorithms: '-*-sha1',
  MACs: '-hmac-sha1*,umac-64*,hmac-md5*',
} as const;

/**
 * The configuration of sshd (sshd_config(5)): only keys and certificates sign in, and each runs only the command that copse-ssh.pl
 * returns for it.
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
    // OpenSSH 9.2 ignores AuthorizedPrincipalsCommand after AuthorizedKeysCommand.
    ...(authorities === undefined
      ? []
      : [
          `TrustedUserCAKeys ${authorities}`,
          `AuthorizedPrincipalsCommand ${helper.join(' ')} principals %k`,
          `AuthorizedPrincipalsCommandUser ${user}`,
          // Empty: otherwise a certificate with the user of this process as principal would be accepted for the name alone.
          'AuthorizedPrincipalsFile /dev/null',
        ]),
    'AuthorizedKeysFile none',
    `AuthorizedKeysCommand ${helper.join(' ')} keys %f`,
    `AuthorizedKeysCommandUser ${user}`,
    'AcceptEnv GIT_PROTOCOL',
    'PermitUserEnvironment no',
    'PermitUserRC no',
    // Started by sshd, bash runs ~/.bashrc before every command, unless it is told that another shell has.
    'SetEnv SHLVL=1',
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
