import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { SettingInput } from './kinds.ts';
import { suggestion } from './suggestion.ts';
import { ALL_SETTINGS, SETTINGS_TABLE } from './table.ts';

const MAX_FILE = 1024 * 1024;

/**
 * Reads a YAML settings file: a mapping of groups, each a mapping of settings. Errors are added to `faults`.
 * @param required whether the file was named, so that its absence is a fault
 */
export function readSettingsFile(path: string, required: boolean, faults: string[]): Map<string, { input: SettingInput; from: string }> {
  const given = new Map<string, { input: SettingInput; from: string }>();
  const groups = readMapping(path, required, faults);
  const names = new Set(ALL_SETTINGS.map(({ name }) => name));
  for (const [group, entries] of Object.entries(groups)) {
    if (!Object.hasOwn(SETTINGS_TABLE, group)) {
      faults.push(`${group} in ${path} is not a group of settings${suggestion(group, Object.keys(SETTINGS_TABLE))}`);
    } else if (!isMapping(entries)) {
      if (entries !== '') faults.push(`${group} in ${path} must be a mapping of settings`);
    } else {
      for (const [key, value] of Object.entries(entries)) {
        const name = `${group}.${key}`;
        const from = `${name} in ${path}`;
        if (!names.has(name)) faults.push(`${from} is not a setting${suggestion(name, names)}`);
        else if (typeof value === 'string' || isTextList(value)) given.set(name, { input: value, from });
        else faults.push(`${from} must be a single value or a list of them`);
      }
    }
  }
  return given;
}

function readMapping(path: string, required: boolean, faults: string[]): Record<string, unknown> {
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
  } catch (error) {
    const absent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (required) faults.push(`the settings file cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    else if (!absent) faults.push(unreadableFolder(path, error));
    return {};
  }
  if (content.length > MAX_FILE) {
    faults.push(`${path} is larger than ${MAX_FILE} bytes`);
    return {};
  }
  const { parse } = createRequire(import.meta.url)('yaml') as typeof import('yaml');
  try {
    // With the failsafe schema every scalar stays the text that was written: no number loses its zeros.
    const document: unknown = parse(content, { schema: 'failsafe', maxAliasCount: 0, prettyErrors: false });
    if (document === null || document === '') return {};
    if (isMapping(document)) return document;
    faults.push(`${path} must be a mapping of groups of settings`);
  } catch (error) {
    // The parser's message is not shown whole: it may quote a line with a secret.
    const position = error instanceof Error && 'pos' in error && Array.isArray(error.pos) ? lineOf(content, Number(error.pos[0])) : '';
    faults.push(`${path} is not valid YAML${position}`);
  }
  return {};
}

/** The file is the default one: the unreadable path is the data folder that would contain it. */
function unreadableFolder(path: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
  return `COPSE_DATA_DIR (server.dataDir): ${path} cannot be read${code}; give the data folder to the user that runs Copse, or name another`;
}

function lineOf(content: string, offset: number): string {
  return `, line ${content.slice(0, offset).split('\n').length}`;
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
