import { detectLicenses } from './licenses.ts';

/** Compares a text with all licenses, in a worker. */
export function run(text: string): Promise<string[]> {
  return detectLicenses(text);
}
