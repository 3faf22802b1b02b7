import { run } from 'node:test';
import { dot, spec } from 'node:test/reporters';

/** What a process of tests sends of a test that ended. */
export interface Result {
  readonly file: string | undefined;
  readonly passed: boolean;
  /** Milliseconds of a suite or test at the top of its file; 0 of those within, whose time is part of that. */
  readonly duration: number;
  readonly isSuite: boolean;
}

/*
 * `node group.ts FILE…`: runs test files in this process, reports to standard output, and sends the process that started it a `Result` for
 * each test, then `done`.
 */
const stream = run({ files: process.argv.slice(2), isolation: 'none' });
for (const type of ['test:pass', 'test:fail'] as const) {
  stream.on(type, ({ details, nesting, file }) => {
    const duration = nesting === 0 ? details.duration_ms : 0;
    const result: Result = { file, passed: type === 'test:pass', duration, isSuite: details.type === 'suite' };
    process.send?.(result);
  });
}
stream.on('end', () => process.send?.('done', () => process.disconnect?.()));
stream.compose(process.stdout.isTTY ? new spec() : dot).pipe(process.stdout, { end: false });
