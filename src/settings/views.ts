import { ALL_SETTINGS, type Settings } from './table.ts';

/** The settings as they may be printed, by full name; a secret that is set is `'(secret)'`. */
export function printableSettings(settings: Settings): Record<string, unknown> {
  return Object.fromEntries(
    ALL_SETTINGS.map(({ name, groupName, key, setting }) => {
      const group = settings[groupName as keyof Settings] as Readonly<Record<string, unknown>>;
      const value = group[key];
      return [name, setting.secret && value !== null ? '(secret)' : value];
    }),
  );
}

/**
 * The settings once the server listens: if `server.port` was 0, with the port that the system has chosen,
 * also in a root URL that was derived from it.
 */
export function withListeningPort(settings: Settings, port: number): Settings {
  if (settings.server.port !== 0) return settings;
  const rootUrl = settings.server.rootUrl.replace(/^(https?:\/\/[^/]+):0\//, `$1:${port}/`);
  return Object.freeze({ ...settings, server: Object.freeze({ ...settings.server, port, rootUrl }) });
}
