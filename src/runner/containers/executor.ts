import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Executor, ImageRequest } from '../job/executor.ts';
import type { ProcessRequest } from '../job/process.ts';
import { RunnerProblem } from '../problem.ts';
import { callEngine, type Engine, runEngine } from './engine.ts';
import { type ContainersRequest, type JobContainers, startContainers } from './job-containers.ts';

const KILL_MS = 7500;
const CLEANUP_MS = 60_000;
const IDENTIFIER = /^[A-Za-z_]\w*$/;

/**
 * Starts the containers of a job and runs its programs in them. The folders of the job have the same paths there as on the host.
 * @throws RunnerProblem
 */
export async function containerExecutor(request: ContainersRequest): Promise<Executor> {
  const base = `copse-${basename(request.folders.root)}-${randomUUID().slice(0, 8)}`;
  try {
    const containers = await startContainers(request, base);
    const path = await callEngine(request.engine, { args: ['exec', base, 'printenv', 'PATH'], signal: request.signal() });
    return new ContainerExecutor(request, containers, path);
  } catch (error) {
    await removeContainers(request.engine, base);
    throw error;
  }
}

class ContainerExecutor implements Executor {
  readonly node = process.execPath;
  readonly path: string;
  readonly facts: JobContainers['facts'];
  readonly #request: ContainersRequest;
  readonly #containers: JobContainers;

  constructor(request: ContainersRequest, containers: JobContainers, path: string) {
    this.#request = request;
    this.#containers = containers;
    this.path = path;
    this.facts = containers.facts;
  }

  async run({ argv, cwd, env, signal, onLine }: ProcessRequest): Promise<number> {
    const { engine } = this.#request;
    const { name } = this.#containers;
    const launcher = await this.#writeLauncher(env, argv);
    const kill = (word: string) =>
      runEngine(engine, { args: ['exec', name, 'sh', '-c', `kill -${word} -1`], signal: timeout() }).catch(() => 0);
    let killer: NodeJS.Timeout | undefined;
    const stop = () => {
      void kill('INT');
      killer = setTimeout(() => void kill('KILL'), KILL_MS);
    };
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await runEngine(engine, { args: ['exec', '--workdir', cwd, name, ...launcher.argv], signal, onLine });
    } finally {
      signal.removeEventListener('abort', stop);
      clearTimeout(killer);
      if (signal.aborted) await kill('KILL');
      await rm(launcher.file, { force: true });
    }
  }

  /** The environment goes through a file: the arguments of a program can be seen by others. */
  async #writeLauncher(env: Readonly<Record<string, string>>, argv: ProcessRequest['argv']): Promise<{ file: string; argv: string[] }> {
    const file = join(this.#request.folders.files, `launch_${randomUUID()}`);
    if (argv[0] === this.node) {
      const text = `process.exitCode = require('node:child_process').spawnSync(process.execPath, process.argv.slice(2), { stdio: 'inherit', env: ${JSON.stringify(env)} }).status ?? 1;\n`;
      await writeFile(`${file}.cjs`, text, { mode: 0o600 });
      return { file: `${file}.cjs`, argv: [this.node, `${file}.cjs`, ...argv.slice(1)] };
    }
    const lines = Object.entries(env).flatMap(([name, value]) =>
      IDENTIFIER.test(name) ? [`export ${name}='${value.replaceAll("'", `'\\''`)}'`] : [],
    );
    await writeFile(file, `${lines.join('\n')}\nexec "$@"\n`, { mode: 0o600 });
    return { file, argv: ['sh', file, ...argv] };
  }

  async runImage({ image, entrypoint, args, env, cwd, signal, onLine }: ImageRequest): Promise<number> {
    const { engine, folders } = this.#request;
    const name = `${this.#containers.name}-${randomUUID().slice(0, 8)}`;
    const built = typeof image === 'string' ? checkedImage(image) : await this.#build(image, `${name}:latest`, signal, onLine);
    const file = `${folders.root}.env-${randomUUID()}`;
    const lines = Object.entries(env).filter(([key, value]) => !/[\r\n]/.test(value) && key !== 'PATH');
    await writeFile(file, `${lines.map(([key, value]) => `${key}=${value}`).join('\n')}\n`, { mode: 0o600 });
    const mounts = [folders.root, folders.files].map((folder) => `--volume=${folder}:${folder}`);
    const options = ['--rm', '--name', name, '--network', this.#containers.network, ...mounts, `--workdir=${cwd}`, `--env-file=${file}`];
    try {
      return await runEngine(engine, {
        args: ['run', ...options, ...(entrypoint === '' ? [] : [`--entrypoint=${entrypoint}`]), built, ...args],
        signal,
        onLine,
      });
    } finally {
      await rm(file, { force: true });
      if (signal.aborted) await runEngine(engine, { args: ['rm', '--force', name], signal: timeout() });
    }
  }

  async #build(
    { folder, file }: { folder: string; file: string },
    tag: string,
    signal: AbortSignal,
    onLine: (line: string) => void,
  ): Promise<string> {
    const path = join(folder, file);
    if (!path.startsWith(folder)) throw new RunnerProblem('runs.image leads out of the action');
    const code = await runEngine(this.#request.engine, { args: ['build', `--tag=${tag}`, `--file=${path}`, folder], signal, onLine });
    if (code !== 0) throw new RunnerProblem('the image of the action cannot be built');
    return tag;
  }

  async has(program: string): Promise<boolean> {
    const args = ['exec', this.#containers.name, 'sh', '-c', 'command -v "$1"', 'sh', program];
    return (await runEngine(this.#request.engine, { args, signal: timeout() })) === 0;
  }

  async close(): Promise<void> {
    const { engine, folders } = this.#request;
    // Programs in containers often run as root, and nobody else could delete their files.
    const owner = `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`;
    const args = ['exec', '--user', '0', this.#containers.name, 'chown', '-R', owner, folders.root, folders.files];
    await runEngine(engine, { args, signal: timeout() }).catch(() => 0);
    await removeContainers(engine, this.#containers.name);
  }
}

/** Removes the containers of a job and their network. */
async function removeContainers(engine: Engine, base: string): Promise<void> {
  const list = await callEngine(engine, { args: ['ps', '--all', '--quiet', '--filter', `name=${base}`], signal: timeout() }).catch(
    () => '',
  );
  const ids = list.split('\n').filter((id) => /^\w+$/.test(id));
  if (ids.length > 0) await runEngine(engine, { args: ['rm', '--force', '--volumes', ...ids], signal: timeout() }).catch(() => 0);
  await runEngine(engine, { args: ['network', 'rm', base], signal: timeout() }).catch(() => 0);
}

function checkedImage(image: string): string {
  if (!/^[A-Za-z0-9][\w./:@-]{0,254}$/.test(image)) throw new RunnerProblem(`${JSON.stringify(image)} is not the name of an image`);
  return image;
}

function timeout(): AbortSignal {
  return AbortSignal.timeout(CLEANUP_MS);
}
