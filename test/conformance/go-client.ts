import { execFile, spawn } from 'node:child_process';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * `go-client.ts URL NAME:PASSWORD`: generates a client in Go from the description of a running server, compiles it, and sends a dozen
 * requests with it (`go-client/main.go`). Go and go-swagger have to be installed:
 * `go install github.com/go-swagger/go-swagger/cmd/swagger@v0.36.7`.
 */
const [url = '', admin = ''] = process.argv.slice(2);
const [name = '', ...password] = admin.split(':');
const folder = await mkdtemp(join(tmpdir(), 'copse-go-client-'));
const run = (command: string, ...args: string[]) => promisify(execFile)(command, args, { cwd: folder, maxBuffer: 1 << 28 });

/** Sends the requests; returns the exit code. */
function send(): Promise<number> {
  const child = spawn(join(folder, 'requests'), [new URL(url).host, name, password.join(':')], { stdio: 'inherit' });
  return new Promise((resolve, reject) => child.on('error', reject).on('close', (code) => resolve(code ?? 1)));
}

try {
  const description = await fetch(new URL('/swagger.v1.json', url));
  await writeFile(join(folder, 'swagger.json'), await description.text());
  await run('go', 'mod', 'init', 'example.org/copse');
  await run('swagger', 'generate', 'client', '--quiet', '--spec', 'swagger.json', '--name', 'copse');
  await copyFile(join(import.meta.dirname, 'go-client', 'main.go'), join(folder, 'main.go'));
  await run('go', 'mod', 'tidy');
  await run('go', 'build', '-o', 'requests', '.');
  process.exitCode = await send();
} finally {
  await rm(folder, { recursive: true, force: true });
}
