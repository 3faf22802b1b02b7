import { runCommand } from './cli/run.ts';

process.exitCode = await runCommand(process.argv.slice(2));
