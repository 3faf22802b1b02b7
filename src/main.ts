import { askSecret } from './cli/ask.ts';
import { runCommand } from './cli/run.ts';

process.exitCode = await runCommand(process.argv.slice(2), {
  environment: process.env,
  secret: askSecret,
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
});
