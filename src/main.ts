import { text } from 'node:stream/consumers';
import { runCommand } from './cli/run.ts';

process.exitCode = await runCommand(process.argv.slice(2), {
  environment: process.env,
  input: () => text(process.stdin),
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
});
