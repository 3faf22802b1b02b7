import { after, mock, run } from 'node:test';
import { dot, spec } from 'node:test/reporters';
import { inspect } from 'node:util';
import { newEndings } from '../support/endings.ts';
import { forgetTestModules } from './fresh-modules.ts';

/** What a process of tests sends of a test that ended, and of its file when nothing of it is left. */
export type Message =
  | { readonly type: 'test'; readonly isSuite: boolean; readonly failure?: string }
  | { readonly type: 'end'; readonly hasFailed: boolean };

/** Far longer than the servers of a file take to stop, also on a machine that has much else to do. */
const END_MS = 60_000;

/*
 * `fork`ed by `test-process.ts`: waits for the path of a test file, runs it, reports to standard output, and waits for the next. So the program
 * is loaded and compiled once for many files. A file has ended when nothing of it keeps the process: servers, timers and children are gone.
 */
process.once('message', runFile);
// Outside of a test nothing else says what went wrong.
process.on('unhandledRejection', (reason) => {
  console.log(`\nrejected without being handled: ${inspect(reason)}`);
  process.exitCode = 1;
});

function runFile(path: unknown): void {
  forgetTestModules();
  const endings = newEndings();
  const stream = run({ files: [String(path)], isolation: 'none' });
  let deadline: NodeJS.Timeout | undefined;
  after(async () => {
    deadline = setTimeout(() => giveUp(String(path)), END_MS).unref();
    await endings.all();
  });
  stream.on('test:pass', ({ details }) => send({ type: 'test', isSuite: details.type === 'suite' }));
  stream.on('test:fail', ({ name, details }) => {
    const failure = `${name}: ${inspect(details.error.cause ?? details.error)}`;
    send({ type: 'test', isSuite: details.type === 'suite', failure });
  });
  stream.on('end', async () => {
    clearTimeout(deadline);
    // What ends it may wait for something that keeps no process.
    deadline = setTimeout(() => giveUp(String(path)), END_MS);
    await endings.all().catch(() => {});
    clearTimeout(deadline);
    // The next file is not to live with a clock that this one has stopped.
    mock.reset();
    // Set by errors outside of the tests.
    const hasFailed = Boolean(process.exitCode);
    process.exitCode = 0;
    process.once('message', runFile);
    send({ type: 'end', hasFailed });
  });
  stream.compose(process.stdout.isTTY ? new spec() : dot).pipe(process.stdout, { end: false });
}

/** Ends the process, since its next file would never begin. */
function giveUp(path: string): void {
  console.log(`\n${path} leaves something open: ${process.getActiveResourcesInfo().join(', ')}`);
  process.exit(1);
}

function send(message: Message): void {
  process.send?.(message);
}
