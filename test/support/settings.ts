import { contradictions, loadSettings, type Settings } from '../../src/settings.ts';

/** Some groups, and of each some settings. */
export type SettingsOverrides = { readonly [Group in keyof Settings]?: Partial<Settings[Group]> };

/**
 * The default settings with some replaced, for tests. Nothing is read from the environment. Paths and addresses that follow
 * from `server` follow the overrides too; a test that writes anything gives a `server.dataDir` of its own.
 * @throws Error when the settings contradict each other
 */
export function testSettings(overrides: SettingsOverrides = {}): Settings {
  const { server } = overrides;
  const environment: Record<string, string> = {
    COPSE_SETTINGS: '/dev/null',
    COPSE_DATA_DIR: server?.dataDir ?? '/nonexistent/copse',
    COPSE_SSH_PORT: '0',
  };
  if (server?.host !== undefined) environment.COPSE_HOST = server.host;
  if (server?.port !== undefined) environment.COPSE_PORT = String(server.port);
  if (server?.tlsCertificate) environment.COPSE_TLS_CERTIFICATE = server.tlsCertificate;
  if (server?.tlsKey) environment.COPSE_TLS_KEY = server.tlsKey;
  if (server?.rootUrl !== undefined) environment.COPSE_ROOT_URL = server.rootUrl;
  const defaults = loadSettings({ environment });
  // Cheap hashes: tests sign in often, and none of them measures how hard a password is to guess.
  const cheap = { ...defaults.passwords, hashMemory: 8192, hashIterations: 1 };
  // Clients of tests keep their connections, and nobody else waits for them.
  // Few tests search in code: the others are spared the work of indexing what they push.
  const codeSearch = { ...defaults.codeSearch, enabled: false };
  const settings = { ...defaults, passwords: cheap, codeSearch, server: { ...defaults.server, drainTimeout: 0 } };
  const merged = Object.fromEntries(
    Object.entries(settings).map(([group, values]) => [group, Object.freeze({ ...values, ...overrides[group as keyof Settings] })]),
  ) as unknown as Settings;
  const faults = contradictions(merged);
  if (faults.length > 0) throw new Error(faults.join('; '));
  return Object.freeze(merged);
}
