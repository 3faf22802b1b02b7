import { oldNode } from './cli/old-node.ts';

const old = oldNode(process.versions.node);
if (old) {
  process.stderr.write(`copse: ${old}\n`);
  process.exitCode = 1;
} else {
  // Loaded only now: an old Node does not even understand some of it.
  await import('./module-resolution.ts');
  const [{ runCommand }, { promptSecret }] = await Promise.all([import('./cli/run.ts'), import('./cli/prompt.ts')]);
  process.exitCode = await runCommand(process.argv.slice(2), {
    environment: process.env,
    secret: promptSecret,
    out: (text) => process.stdout.write(text),
    error: (text) => process.stderr.write(text),
  });
}
