import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * `spec-check.ts URL NAME:PASSWORD`: runs the specification's check of its route tables against a running server.
 * Routes that the server does not describe are not built yet and do not count; every other failure does.
 */
const CHECK = new URL('../../../shared/spec/check.mjs', import.meta.url);
const [url = '', admin = ''] = process.argv.slice(2);

const described = (await (await fetch(new URL('/swagger.v1.json', url))).json()) as { paths: Record<string, Record<string, unknown>> };
/** `GET /repos/{}/{}/labels/{}`: names of parameters differ between the specification and the description. */
const shape = (method: string, path: string) =>
  `${method.toUpperCase()} ${path
    .replace(/^RP(?=\/|$)/, '/repos/{}/{}')
    .replace(/\{[^}]*\}|\*/g, '{}')
    .replace(/\/$/, '')}`;
const built = new Set(
  Object.entries(described.paths).flatMap(([path, methods]) => Object.keys(methods).map((method) => shape(method, path))),
);

const output = await run(process.execPath, [
  '--import',
  new URL('unbuilt-setup.ts', import.meta.url).href,
  fileURLToPath(CHECK),
  '--url',
  url,
  '--admin',
  admin,
]);
const failures = output.split('\n').filter((line) => line.startsWith('✗ '));
const counted = failures.filter((line) => {
  const [, method = '', path = ''] = /^✗ (\S+) (\S+) · /.exec(line) ?? [];
  return built.has(shape(method, path)) || built.has(shape(method, path.replace(/\{index\}\.(diff|patch)$/, '{index}.{diffType}')));
});
const passed = Number(/^(\d+) passed/m.exec(output)?.[1] ?? 0);
for (const line of counted) console.log(line);
console.log(`${failures.length - counted.length} checks belong to routes that are not built yet`);
console.log(`${passed} passed, ${counted.length} failed`);
process.exitCode = counted.length > 0 || passed === 0 ? 1 : 0;

function run(command: string, args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
    });
    child.on('error', reject);
    child.on('close', () => resolve(text));
  });
}
