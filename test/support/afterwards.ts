import { after } from 'node:test';
import { currentEndings } from './endings.ts';

const endings = currentEndings();
// Registered while no test runs: what a test registers is for its own end. A process that runs several files registers it for each of them.
after(() => endings.all());

/** Ends something after all tests of the file, what began last first. */
export function afterwards(end: () => unknown): void {
  endings.add(end);
}
