import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endWithProcess } from '../../support/end-with-process.ts';

const OPS = join(import.meta.dirname, '../../../ops');

/** The proxies that there are configurations for. */
export type ProxyName = 'haproxy' | 'nginx';

/** A running proxy. */
export interface Proxy {
  close(): Promise<void>;
}

interface Options {
  /** Where it writes its configuration and log. */
  folder: string;
  port: number;
  /** Ports of the processes. */
  servers: readonly number[];
}

const COMMANDS: Readonly<Record<ProxyName, (file: string) => string[]>> = {
  haproxy: (file) => ['haproxy', '-db', '-f', file],
  nginx: (file) => ['nginx', '-c', file, '-g', 'daemon off; user root;'],
};

/** Starts a proxy with the configuration in `ops/`, in which only addresses are replaced. */
export async function startProxy(name: ProxyName, { folder, port, servers }: Options): Promise<Proxy> {
  const text = await readFile(join(OPS, name, name === 'nginx' ? 'nginx.conf' : 'haproxy.cfg'), 'utf8');
  const file = join(folder, `${name}.conf`);
  await writeFile(file, (name === 'nginx' ? nginxConfig : haproxyConfig)(text, { folder, port, servers }));
  const [command = '', ...args] = COMMANDS[name](file);
  const logFile = join(folder, `${name}.log`);
  const log = openSync(logFile, 'a');
  const child = endWithProcess(spawn(command, args, { stdio: ['ignore', log, log] }));
  await once(child, 'spawn');
  await listening(child, port, logFile);
  return {
    close: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function haproxyConfig(text: string, { port, servers }: Options): string {
  const lines = servers.map((server, index) => `    server copse${index + 1} 127.0.0.1:${server}`);
  return text.replace(/^ {4}bind .*/m, `    bind 127.0.0.1:${port}`).replace(/^( {4}server .*\n)+/m, `${lines.join('\n')}\n`);
}

function nginxConfig(text: string, { folder, port, servers }: Options): string {
  const lines = servers.map((server) => `        server 127.0.0.1:${server} max_fails=1 fail_timeout=2s;`);
  const files = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `    ${kind}_temp_path ${join(folder, kind)};`);
  return `pid ${join(folder, 'nginx.pid')};\nerror_log stderr;\n${text
    .replace(/listen 80;/, `listen 127.0.0.1:${port};`)
    .replace(/^( {8}server .*;\n)+/m, `${lines.join('\n')}\n`)
    .replace('http {\n', `http {\n    access_log off;\n${files.join('\n')}\n`)}`;
}

async function listening(child: ChildProcess, port: number, logFile: string): Promise<void> {
  for (;;) {
    const isThere = await fetch(`http://127.0.0.1:${port}/`).then(
      (response) => response.arrayBuffer().then(() => true),
      () => false,
    );
    if (isThere) return;
    if (child.exitCode !== null) throw new Error(`the proxy ended with ${child.exitCode}: ${await readFile(logFile, 'utf8')}`);
    await sleep(50);
  }
}
