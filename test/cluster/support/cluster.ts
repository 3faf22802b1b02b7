import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { freePorts } from '../../support/free-ports.ts';
import { type S3Server, startS3Server, withoutS3 } from '../../support/s3-server.ts';
import { environmentOf } from '../../support/server-process.ts';
import { Member } from './member.ts';
import { startPooler } from './pooler.ts';
import { type ClusterPostgres, startPostgres } from './postgres.ts';
import { type ProxyName, startProxy } from './proxy.ts';

const SETTINGS_FILE = join(import.meta.dirname, '../../conformance/settings.env');
/** The administrator of a cluster. */
export const ADMIN = { name: 'root', password: 'Passw0rd-conf' };

/** What a cluster is made of. */
export interface ClusterOptions {
  /** 3 when left out. */
  processes?: number;
  /** An empty PostgreSQL database; one of a server of the cluster's own when left out. */
  database?: string;
  proxy?: ProxyName;
  /** Whether the processes reach the database through PgBouncer in transaction mode; false when left out. */
  isPooled?: boolean;
  /** Where everything is; a temporary folder, which is removed in the end, when left out. */
  folder?: string;
  /** A folder for each process that shows the same shared files, as when a file system is mounted more than once. */
  dataDirs?: readonly string[];
  /** Further settings, as environment variables. */
  settings?: Readonly<Record<string, string>>;
}

/** Several equal processes on one database, one S3 server and one shared folder, behind a proxy: one service. */
export class Cluster {
  readonly folder: string;
  /** Of the service: what clients see. */
  readonly url: string;
  readonly members: readonly Member[];
  /** The repositories, as the first process has them. */
  readonly repositories: string;
  /** The administrator, through the proxy. */
  readonly root: Client;
  /** The database's server, where it is the cluster's own. */
  readonly postgres: ClusterPostgres | undefined;
  readonly s3: S3Server;
  readonly #endings: readonly Ending[];

  private constructor(parts: Parts, endings: readonly Ending[]) {
    this.folder = parts.folder;
    this.url = parts.url;
    this.members = parts.members;
    this.repositories = parts.repositories;
    this.postgres = parts.postgres;
    this.s3 = parts.s3;
    this.root = new Client(() => this.url, ADMIN);
    this.#endings = endings;
  }

  /** Starts all parts, the processes at once. Resolves when each of them takes requests. */
  static async start(options: ClusterOptions = {}): Promise<Cluster> {
    const missing = withoutS3();
    if (missing) throw new Error(missing);
    const endings: Ending[] = [];
    try {
      return new Cluster(await startParts(options, endings), endings);
    } catch (error) {
      await endAll(endings);
      throw error;
    }
  }

  /** Ends all parts and removes the folder, unless it was given. */
  close(): Promise<void> {
    return endAll(this.#endings);
  }
}

type Parts = Pick<Cluster, 'folder' | 'url' | 'members' | 'repositories' | 'postgres' | 's3'>;
type Ending = () => Promise<unknown>;

/** What began last ends first. */
async function endAll(endings: readonly Ending[]): Promise<void> {
  for (const end of endings.toReversed()) await end();
}

async function startParts(options: ClusterOptions, endings: Ending[]): Promise<Parts> {
  const { processes = 3, proxy = 'haproxy' } = options;
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'copse-cluster-')));
  await mkdir(folder, { recursive: true });
  // The database's server may run as another user.
  await chmod(folder, 0o711);
  if (!options.folder) endings.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const postgres = options.database ? undefined : await startPostgres(join(folder, 'postgres'));
  if (postgres) endings.push(() => postgres.stop());
  const databaseUrl = options.database ?? postgres?.url ?? '';
  const pooler = options.isPooled ? await startPooler(databaseUrl, folder) : undefined;
  if (pooler) endings.push(pooler.close);
  const s3 = await startS3Server();
  endings.push(() => s3.close());
  const [port = 0, ...ports] = await freePorts(processes + 1);
  const url = `http://127.0.0.1:${port}/`;
  const environment = {
    ...(await settingsOf(url, s3)),
    DATABASE_URL: pooler?.url ?? databaseUrl,
    ...(pooler && { DATABASE_DIRECT_URL: databaseUrl }),
    ...options.settings,
  };
  const dataDirOf = (index: number) => options.dataDirs?.[index % options.dataDirs.length] ?? join(folder, 'data');
  const members = ports.map(
    (own, index) => new Member(environmentOf(dataDirOf(index), environment), own, join(folder, `process-${index + 1}.log`)),
  );
  const { close } = await startProxy(proxy, { folder, port, servers: ports });
  endings.push(close, () => Promise.all(members.map((member) => member.end('SIGTERM'))));
  await Promise.all(members.map((member) => member.start()));
  // The proxy notices a moment later.
  await eventually(async () => (await fetch(`${url}api/readyz`)).status === 200, 'a process behind the proxy');
  return { folder, url, members, repositories: join(dataDirOf(0), 'repositories'), postgres, s3 };
}

/** Those of the conformance run, and where the parts are. */
async function settingsOf(url: string, { settings }: S3Server): Promise<Record<string, string>> {
  const lines = (await readFile(SETTINGS_FILE, 'utf8')).split('\n').filter((line) => /^\w+=/.test(line));
  return {
    ...Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)])),
    COPSE_ROOT_URL: url,
    COPSE_ADMIN_USERNAME: ADMIN.name,
    COPSE_ADMIN_PASSWORD: ADMIN.password,
    COPSE_STORAGE_TYPE: 's3',
    COPSE_S3_ENDPOINT: settings.endpoint,
    COPSE_S3_BUCKET: settings.bucket,
    COPSE_S3_ACCESS_KEY_ID: settings.accessKeyId,
    COPSE_S3_SECRET_ACCESS_KEY: settings.secretAccessKey,
  };
}
