import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JobFolders } from '../job/folders.ts';
import { type Plain, plainAt } from '../plain.ts';
import { RunnerProblem } from '../problem.ts';
import { type ContainerDefinition, readContainer } from './definition.ts';
import { callEngine, type Engine, type EngineCall } from './engine.ts';

/** The containers of a job to be. */
export interface ContainersRequest {
  readonly engine: Engine;
  /** Where the job names none. */
  readonly image: string;
  /** The job; its expressions about containers were evaluated. */
  readonly definition: Plain;
  readonly folders: JobFolders;
  readonly signal: () => AbortSignal;
}

/** The containers and networks of a job. */
export interface JobContainers {
  /** The name of the container that its steps run in. */
  readonly name: string;
  readonly network: string;
  /** The context `job`. */
  readonly facts: Plain;
}

/** Milliseconds until a service has to be healthy. */
const HEALTHY_MS = 5 * 60_000;
const HEALTH_PAUSE_MS = 1000;

/**
 * Starts the services of a job and the container of its steps.
 * @throws RunnerProblem
 */
export async function startContainers(request: ContainersRequest, base: string): Promise<JobContainers> {
  const { engine, definition, folders, image, signal } = request;
  const call = (args: readonly string[], more: Partial<EngineCall> = {}) => callEngine(engine, { args, signal: signal(), ...more });
  await call(['network', 'create', base]);
  const services: Record<string, Plain> = {};
  for (const [key, value] of Object.entries(plainAt(definition, 'services'))) {
    const service = readContainer(value, `services.${key}`);
    const name = `${base}-${Object.keys(services).length}`;
    const env = await logIn(request, service);
    const args = ['run', '--detach', '--name', name, '--network', base, '--network-alias', key, ...sharedArgs(service)];
    await call([...args, ...service.ports.map((port) => `--publish=${port}`), service.image], { env });
    services[key] = { id: name, network: base, ports: await portsOf(call, name) };
  }
  for (const { id } of Object.values(services)) await waitUntilHealthy(call, String(id), signal());
  const own = readContainer(definition.container || image, 'container');
  const env = await logIn(request, own);
  const mounts = [folders.root, folders.files].map((folder) => `--volume=${folder}:${folder}`);
  const node = `--volume=${process.execPath}:${process.execPath}:ro`;
  const args = [
    'run',
    '--detach',
    '--name',
    base,
    '--network',
    base,
    ...mounts,
    node,
    ...sharedArgs(own),
    `--workdir=${folders.workspace}`,
  ];
  await call([...args, '--entrypoint=tail', own.image, '-f', '/dev/null'], { env });
  return { name: base, network: base, facts: { container: { id: base, network: base }, services } };
}

function sharedArgs({ env, volumes, options }: ContainerDefinition): string[] {
  const variables = Object.entries(env).map(([name, value]) => `--env=${name}=${value}`);
  return [...variables, ...volumes.map((volume) => `--volume=${volume}`), ...options];
}

/** Signs in at the registry of an image; returns where the engine finds that. */
async function logIn(
  { engine, folders, signal }: ContainersRequest,
  { image, credentials }: ContainerDefinition,
): Promise<Record<string, string>> {
  if (!credentials) return {};
  const [host = ''] = image.split('/');
  const registry = image.includes('/') && /[.:]|^localhost$/.test(host) ? host : 'docker.io';
  await mkdir(folders.engine, { recursive: true, mode: 0o700 });
  const env = { DOCKER_CONFIG: folders.engine, REGISTRY_AUTH_FILE: join(folders.engine, 'auth.json') };
  if (credentials.username.startsWith('-')) throw new RunnerProblem('credentials.username must not begin with "-"');
  const args = ['login', `--username=${credentials.username}`, '--password-stdin', registry];
  await callEngine(engine, { args, signal: signal(), input: credentials.password, env });
  return env;
}

type Call = (args: readonly string[]) => Promise<string>;

/** The ports of the host, by those of the container. */
async function portsOf(call: Call, name: string): Promise<Record<string, string>> {
  const lines = (await call(['port', name])).split('\n');
  const pairs = lines.flatMap((line) => {
    const match = /^(\d+)\/\w+ -> .*:(\d+)$/.exec(line.trim());
    return match ? [[match[1], match[2]]] : [];
  });
  return Object.fromEntries(pairs);
}

async function waitUntilHealthy(call: Call, name: string, signal: AbortSignal): Promise<void> {
  const end = performance.now() + HEALTHY_MS;
  while (performance.now() < end) {
    const state = await call(['inspect', '--format', '{{if .State.Health}}{{.State.Health.Status}}{{else}}none{{end}}', name]);
    if (state === 'none' || state === 'healthy') return;
    if (state === 'unhealthy') break;
    await sleep(HEALTH_PAUSE_MS, undefined, { signal });
  }
  throw new RunnerProblem(`the service ${name} is not healthy`);
}
