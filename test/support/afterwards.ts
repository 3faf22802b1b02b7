import { after } from 'node:test';
import { currentEndings } from './endings.ts';

// For a file that is run by itself. Registered while no test runs: what a test registers is for its own end.
after(() => currentEndings().all());

/** Ends something after all tests of the file, what began last first. */
export function afterwards(end: () => unknown): void {
  currentEndings().add(end);
}
