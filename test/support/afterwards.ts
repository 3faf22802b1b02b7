import { after } from 'node:test';

const endings: (() => unknown)[] = [];

// Said at once, when no test runs yet: whatever is said within a test is for the end of that one.
after(async () => {
  for (const end of endings.reverse()) await end();
});

/** Ends something after all tests of the file, what began last first. */
export function afterwards(end: () => unknown): void {
  endings.push(end);
}
