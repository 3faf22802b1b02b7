// On SQLite alone: it needs no database.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, describe, it } from 'node:test';

/*
 * The files in ops/ as the tools see them that read them. A tool that is neither in the path nor among the clients of COPSE_TEST_CLIENTS is
 * skipped by name.
 */

const OPS = join(import.meta.dirname, '../../ops');
const folders = [...(process.env.PATH ?? '').split(delimiter), join(process.env.COPSE_TEST_CLIENTS ?? '/nonexistent', 'bin'), '/usr/sbin'];
const find = (name: string) => folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
const needs = (name: string) => (find(name) ? false : `needs ${name}`);

/** Runs a tool; returns its output, with what it says of errors. */
function use(name: string, args: readonly string[], input = ''): string {
  const { status, stdout, stderr } = spawnSync(find(name) ?? name, args, { encoding: 'utf8', input });
  assert.equal(status, 0, stdout + stderr);
  return stdout + stderr;
}

/** The chart with these values, for a present Kubernetes. */
const template = (...values: string[]) => [
  'template',
  'copse',
  join(OPS, 'helm/copse'),
  '--kube-version',
  '1.31.0',
  ...values.flatMap((value) => ['--set', value]),
];
const NEEDED = ['rootUrl=https://code.example.com/', 'database.existingSecret=database'];

describe('the systemd unit', () => {
  const folder = mkdtempSync(join(tmpdir(), 'copse-unit-'));
  const unit = join(folder, 'copse.service');
  // The program is not installed here.
  writeFileSync(unit, readFileSync(join(OPS, 'systemd/copse.service'), 'utf8').replace('/opt/copse/bin/copse', process.execPath));
  after(() => rmSync(folder, { recursive: true }));

  it('is understood', { skip: needs('systemd-analyze') }, () => {
    assert.equal(use('systemd-analyze', ['verify', '--man=no', unit]), '');
  });

  it('leaves little to who gets in', { skip: needs('systemd-analyze') }, () => {
    use('systemd-analyze', ['security', '--offline=true', '--threshold=20', unit]);
  });
});

describe('the container', () => {
  it('has a Dockerfile without findings', { skip: needs('hadolint') }, () => {
    assert.equal(use('hadolint', ['--no-color', join(OPS, 'docker/Dockerfile')]), '');
  });

  it('has a proxy whose settings it takes', { skip: needs('haproxy') }, () => {
    use('haproxy', ['-c', '-f', join(OPS, 'docker/haproxy.cfg')]);
  });

  it('has secrets that are made once', () => {
    const folder = mkdtempSync(join(tmpdir(), 'copse-secrets-'));
    after(() => rmSync(folder, { recursive: true }));
    const script = join(folder, 'secrets.sh');
    writeFileSync(script, readFileSync(join(OPS, 'docker/secrets.sh')));
    execFileSync('sh', [script], { stdio: 'ignore' });
    const secret = (name: string) => readFileSync(join(folder, 'secrets', name), 'utf8');
    const before = secret('secret-key');
    assert.match(before, /^[0-9a-f]{64}\n$/);
    assert.equal(secret('database-url'), `postgres://copse:${secret('database-password').trim()}@postgres:5432/copse\n`);
    assert.equal(JSON.parse(secret('s3-identities.json')).identities[0].credentials[0].secretKey, secret('s3-secret-access-key').trim());
    execFileSync('sh', [script], { stdio: 'ignore' });
    assert.equal(secret('secret-key'), before);
  });
});

describe('the chart', { skip: needs('helm') }, () => {
  it('has no findings', () => {
    use('helm', ['lint', '--strict', join(OPS, 'helm/copse'), ...NEEDED.flatMap((value) => ['--set', value])]);
  });

  it('refuses values that cannot work, and names them', () => {
    const refusals: readonly (readonly [readonly string[], string])[] = [
      [[], 'rootUrl'],
      [['rootUrl=https://x/'], 'database.existingSecret'],
      [[...NEEDED, 'persistence.accessModes={ReadWriteOnce}'], 'persistence.accessModes'],
      [[...NEEDED, 'replica=3'], "additional properties 'replica' not allowed"],
      [[...NEEDED, 'settings.registration=false'], 'settings'],
    ];
    for (const [values, named] of refusals) {
      const { status, stderr } = spawnSync(find('helm') ?? 'helm', template(...values), { encoding: 'utf8' });
      assert.notEqual(status, 0, named);
      assert.ok(stderr.includes(named), stderr);
    }
  });

  it('makes what the values say', () => {
    const text = use('helm', template(...NEEDED, 'ssh.enabled=false', 'ingress.enabled=true', 'ingress.host=a.example', 'drainSeconds=30'));
    const kinds = [...text.matchAll(/^kind: (\w+)$/gm)].map(([, kind]) => kind);
    assert.deepEqual(kinds.sort(), ['Deployment', 'Ingress', 'PersistentVolumeClaim', 'PodDisruptionBudget', 'Service', 'ServiceAccount']);
    assert.match(text, /terminationGracePeriodSeconds: 110\n/);
    assert.match(text, /name: COPSE_SSH_PORT\n\s+value: "0"\n/);
    assert.match(text, /enableServiceLinks: false\n/);
    assert.match(text, /type: RollingUpdate\n/);
    assert.match(use('helm', template('rootUrl=https://x/', 'replicas=1')), /type: Recreate\n/);
  });
});
