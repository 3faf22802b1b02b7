import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * The licenses offered, by SPDX identifier, sorted by code point. Version 1.26 of the API names the GNU licenses
 * without `-only` and `-or-later`; the texts are the same.
 */
const KEYS: readonly string[] = [
  '0BSD',
  'AGPL-3.0',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BSD-3-Clause-Clear',
  'BSL-1.0',
  'CC-BY-4.0',
  'CC-BY-SA-4.0',
  'CC0-1.0',
  'EPL-1.0',
  'EPL-2.0',
  'EUPL-1.2',
  'GPL-2.0',
  'GPL-3.0',
  'ISC',
  'LGPL-2.1',
  'LGPL-3.0',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'MulanPSL-2.0',
  'OFL-1.1',
  'OSL-3.0',
  'UPL-1.0',
  'Unlicense',
  'WTFPL',
  'Zlib',
];

/**
 * The keys of all licenses.
 * @param preferred keys that come first, in this order and any case; unavailable ones are skipped
 */
export function listLicenses(preferred: readonly string[] = []): readonly string[] {
  const first = preferred.flatMap((name) => KEYS.find((key) => key.toLowerCase() === name.trim().toLowerCase()) ?? []);
  return [...new Set([...first, ...KEYS])];
}

/** The text of the license with exactly this SPDX key, with its placeholders, or undefined. */
export function getLicense(key: string): string | undefined {
  if (!KEYS.includes(key)) return undefined;
  const { licenseText } = require(`spdx-license-list/licenses/${key}.json`) as { licenseText: string };
  return licenseText;
}

/** The values of a license's placeholders. */
export interface LicenseValues {
  /** Who holds the copyright. */
  owner: string;
  /** The holder's address. */
  email: string;
  /** The name of the work. */
  project: string;
  /** The year of publication. */
  year: number;
}

/** The placeholders of the offered texts, in lower case. */
const PLACEHOLDERS: Readonly<Record<string, (values: LicenseValues) => string>> = {
  '<year>': ({ year }) => String(year),
  '[year]': ({ year }) => String(year),
  '[yyyy]': ({ year }) => String(year),
  '[xxxx]-[xxxx]': ({ year }) => String(year),
  '<owner>': ({ owner }) => owner,
  '<name of author>': ({ owner }) => owner,
  '<copyright holder>': ({ owner }) => owner,
  '<copyright holders>': ({ owner }) => owner,
  '[copyright holders]': ({ owner }) => owner,
  '[name of copyright owner]': ({ owner }) => owner,
  '[name of copyright holder]': ({ owner }) => owner,
  '[owner organization]': ({ owner }) => owner,
  '<program>': ({ project }) => project,
  '[software name]': ({ project }) => project,
  "<one line to give the program's name and a brief idea of what it does.>": ({ project }) => project,
  // Words without brackets also occur in the text with their plain meaning, so these are whole phrases.
  '(c) year by author email': ({ year, owner, email }) => `(C) ${year} by ${owner} ${email}`,
  // SPDX has this license with its first user's notice instead of placeholders.
  'copyright (c) 2004-2010 by internet systems consortium, inc. ("isc")\ncopyright (c) 1995-2003 by internet software consortium': ({
    year,
    owner,
  }) => `Copyright (c) ${year} ${owner}`,
};
const ANY_PLACEHOLDER = new RegExp(Object.keys(PLACEHOLDERS).map(RegExp.escape).join('|'), 'gi');

/** A license's text with all placeholders replaced in one pass, lines ended by `\n`. */
export function fillLicense(text: string, values: LicenseValues): string {
  const filled = text.replace(/\r\n/g, '\n').replace(ANY_PLACEHOLDER, (found) => PLACEHOLDERS[found.toLowerCase()]?.(values) ?? found);
  return filled.endsWith('\n') ? filled : `${filled}\n`;
}
