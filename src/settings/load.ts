import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readSettingsFile } from './file.ts';
import type { SettingInput } from './kinds.ts';
import { isDerived } from './setting.ts';
import { suggestion } from './suggestion.ts';
import { ALL_SETTINGS, type SettingRow, type Settings } from './table.ts';

/** The sources of settings; the environment overrides the file, the file overrides the defaults. */
export interface SettingsSource {
  /** The environment variables; those that neither begin with `COPSE_` nor are in the table are ignored. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The settings file; by default `COPSE_SETTINGS`, else `copse.yaml` in the data folder if it exists. */
  readonly file?: string;
}

/** The settings cannot be used; the server must not start. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  /** One sentence each, which names the setting or variable; never a secret's value. */
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(`The settings cannot be used:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.faults = faults;
  }
}

/** Names the settings file. */
export const SETTINGS_FILE_VARIABLE = 'COPSE_SETTINGS';
const MAX_SECRET_FILE = 64 * 1024;

/** A value that was given, and where, for messages. */
interface GivenValue {
  readonly input: SettingInput;
  readonly from: string;
}

/**
 * Reads every setting from the environment, the settings file and the defaults.
 * @throws SettingsError that lists every fault: unknown names, malformed values, settings that contradict each other
 */
export function loadSettings(source: SettingsSource): Settings {
  const faults: string[] = [];
  const fromEnvironment = readEnvironment(source.environment, faults);
  const path = source.file ?? (source.environment[SETTINGS_FILE_VARIABLE] || undefined);
  const dataDir = fromEnvironment.get('server.dataDir')?.input;
  const fromFile = readSettingsFile(
    path ?? join(resolve(typeof dataDir === 'string' ? dataDir : './data'), 'copse.yaml'),
    path !== undefined,
    faults,
  );
  const settings = resolveValues(new Map([...fromFile, ...fromEnvironment]), faults);
  if (faults.length === 0) faults.push(...contradictions(settings));
  if (faults.length > 0) throw new SettingsError(faults);
  return settings;
}

function readEnvironment(environment: SettingsSource['environment'], faults: string[]): Map<string, GivenValue> {
  const given = new Map<string, GivenValue>();
  const known = new Set([SETTINGS_FILE_VARIABLE]);
  for (const { name, variable, setting } of ALL_SETTINGS) {
    known.add(variable);
    const value = environment[variable];
    if (value !== undefined) given.set(name, { input: value, from: variable });
    if (!setting.secret) continue;
    const fileVariable = `${variable}_FILE`;
    known.add(fileVariable);
    const file = environment[fileVariable];
    if (!file) continue;
    if (value !== undefined) faults.push(`${fileVariable} and ${variable} are both set; one of them is enough`);
    else readSecret(name, fileVariable, file, given, faults);
  }
  for (const variable of Object.keys(environment)) {
    if (variable.startsWith('COPSE_') && !known.has(variable)) faults.push(`${variable} is not a setting${suggestion(variable, known)}`);
  }
  return given;
}

function readSecret(name: string, variable: string, file: string, given: Map<string, GivenValue>, faults: string[]): void {
  try {
    const content = readFileSync(file, 'utf8');
    if (content.length > MAX_SECRET_FILE) faults.push(`${variable} names a file that is too large`);
    else given.set(name, { input: content.trim(), from: variable });
  } catch (error) {
    faults.push(`${variable} names a file that cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function resolveValues(given: ReadonlyMap<string, GivenValue>, faults: string[]): Settings {
  const rows = new Map(ALL_SETTINGS.map((row) => [row.name, row]));
  const values = new Map<string, unknown>();
  const failed = new Set<string>();
  const get = (name: string): unknown => {
    if (values.has(name)) return values.get(name);
    const row = rows.get(name);
    if (!row) throw new Error(`no setting is named ${name}`);
    const { input, from } = given.get(name) ?? { input: defaultInput(row, get), from: name };
    try {
      values.set(name, row.setting.kind.parse(input));
    } catch (error) {
      values.set(name, undefined);
      // A default derived from a malformed setting is malformed too; only the cause is reported.
      if (given.has(name) || failed.size === 0) faults.push(`${from} ${error instanceof Error ? error.message : String(error)}`);
      failed.add(name);
    }
    return values.get(name);
  };
  for (const name of given.keys()) get(name);
  const groups: Record<string, Record<string, unknown>> = {};
  for (const { name, groupName, key } of ALL_SETTINGS) {
    groups[groupName] ??= {};
    groups[groupName][key] = get(name);
  }
  for (const values of Object.values(groups)) Object.freeze(values);
  return Object.freeze(groups) as Settings;
}

function defaultInput(row: SettingRow, get: (name: string) => unknown): SettingInput {
  const fallback = row.setting.default;
  return isDerived(fallback) ? fallback.value(get) : fallback;
}

/** Errors in the combination of settings that are valid alone. */
export function contradictions(settings: Settings): string[] {
  const { server, database, admin, mail, api, users, registration, throttle, signing, passwords, storage, s3 } = settings;
  const rules: [boolean, string][] = [
    [(server.tlsCertificate === null) !== (server.tlsKey === null), 'server.tlsCertificate and server.tlsKey belong together'],
    [database.replicaUrl !== null && database.url === null, 'database.replicaUrl needs database.url'],
    [(admin.username === null) !== (admin.password === null), 'admin.username and admin.password belong together'],
    [mail.enabled && (mail.host === null || mail.from === null), 'mail.host and mail.from are needed when mail.enabled is true'],
    [registration.confirmEmail && !mail.enabled, 'registration.confirmEmail needs mail.enabled'],
    [
      registration.confirmEmail && registration.confirmManually,
      'registration.confirmEmail and registration.confirmManually exclude each other',
    ],
    [api.defaultPageSize > api.maxPageSize, 'api.defaultPageSize must not be larger than api.maxPageSize'],
    [!users.allowedVisibilities.includes(users.defaultVisibility), 'users.defaultVisibility must be one of users.allowedVisibilities'],
    [throttle.freePerAccount >= throttle.refusedPerAccount, 'throttle.freePerAccount must be less than throttle.refusedPerAccount'],
    [throttle.freePerAddress >= throttle.refusedPerAddress, 'throttle.freePerAddress must be less than throttle.refusedPerAddress'],
    [signing.passphrase !== null && signing.key === null, 'signing.passphrase needs signing.key'],
    [s3.bucket === null && Object.values(storage).some((value) => value === 's3'), 's3.bucket is needed by a storage of the type s3'],
    [(s3.accessKeyId === null) !== (s3.secretAccessKey === null), 's3.accessKeyId and s3.secretAccessKey belong together'],
    [passwords.complexity.includes('off') && passwords.complexity.length > 1, 'passwords.complexity cannot be off together with others'],
  ];
  return [...rules.filter(([broken]) => broken).map(([, message]) => message), ...volumeFaults(settings)];
}

/** Errors in the volumes of repositories: none may be within another. */
function volumeFaults({ repository: { path, volumes, closedVolumes } }: Settings): string[] {
  const all = [{ name: 'default', path }, ...volumes];
  const faults: string[] = [];
  for (const [index, { name, path }] of all.entries()) {
    const others = all.slice(0, index);
    if (others.some((other) => other.name === name)) faults.push(`repository.volumes names the volume ${name} twice`);
    const near = others.find((other) => `${path}/`.startsWith(`${other.path}/`) || `${other.path}/`.startsWith(`${path}/`));
    if (near) faults.push(`repository.volumes: the folders of ${near.name} and ${name} must not be the same, or one in the other`);
  }
  const unknown = closedVolumes.filter((name) => !all.some((volume) => volume.name === name));
  for (const name of unknown) faults.push(`repository.closedVolumes: there is no volume ${name}`);
  if (closedVolumes.length > 0 && unknown.length === 0 && all.every(({ name }) => closedVolumes.includes(name)))
    faults.push('repository.closedVolumes must leave a volume open');
  return faults;
}
