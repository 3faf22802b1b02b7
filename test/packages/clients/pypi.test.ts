// On SQLite alone: the registry's own tests cover both databases
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { testServer } from '../../support/server.ts';
import { zip } from '../support/archives.ts';
import { type Credential, makeFolder, privateOwner, runProgram, withoutClient } from './program.ts';

/** A wheel of one module (https://packaging.python.org/en/latest/specifications/binary-distribution-format/). */
function wheel(version: string): Buffer {
  const about = `left_pad-${version}.dist-info`;
  return zip({
    'left_pad.py': `version = "${version}"\n`,
    [`${about}/METADATA`]: `Metadata-Version: 2.1\nName: left-pad\nVersion: ${version}\nSummary: pads\nRequires-Python: >=3.8\n`,
    [`${about}/WHEEL`]: 'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
    [`${about}/RECORD`]: `left_pad.py,,\n${about}/METADATA,,\n${about}/WHEEL,,\n${about}/RECORD,,\n`,
  });
}

it('twine and uv publish, pip and uv install, and are refused', { skip: withoutClient('twine', 'uv', 'client-python') }, async () => {
  const t = await testServer();
  const { owner, refused, hidden } = await privateOwner(t, 'alice');
  const files = Object.fromEntries(['1.0', '1.1'].map((version) => [`left_pad-${version}-py3-none-any.whl`, wheel(version)]));
  const cwd = await makeFolder(t, 'python', files);
  const [first = '', second = ''] = Object.keys(files);
  const url = `${t.url}api/packages/alice/pypi`;
  const index = ({ name, password }: Credential) => `${url.replace('://', `://${name}:${password}@`)}/simple`;
  const twine = ({ name, password }: Credential) =>
    runProgram(
      'twine',
      ['upload', '--non-interactive', '--disable-progress-bar', '--repository-url', url, '-u', name, '-p', password, first],
      { cwd },
    );
  const uvPublish = ({ name, password }: Credential) =>
    runProgram('uv', ['publish', '--publish-url', url, '--username', name, '--password', password, second], { cwd });
  const pip = (who: Credential, target: string) =>
    runProgram(
      'client-python',
      ['-m', 'pip', 'install', '--isolated', '--no-input', '--no-cache-dir', '--target', target, '--index-url', index(who), 'left.pad'],
      {
        cwd,
        env: { PIP_CONFIG_FILE: '/dev/null' },
      },
    );
  const uv = (who: Credential, target: string) =>
    runProgram('uv', ['pip', 'install', '--no-cache', '--no-config', '--target', target, '--index-url', index(who), 'left_pad'], { cwd });
  for (const [who, credential] of Object.entries(refused)) {
    await assert.rejects(twine(credential), /401/, `twine: ${who}`);
    await assert.rejects(uvPublish(credential), /401/, `uv: ${who}`);
  }
  await twine(owner);
  await uvPublish(owner);
  await assert.rejects(twine(owner), /409/);
  for (const [who, credential] of Object.entries(hidden)) {
    await assert.rejects(pip(credential, 'none'), /401|No matching distribution/, `pip: ${who}`);
    await assert.rejects(uv(credential, 'none'), /401|not found/, `uv: ${who}`);
  }
  for (const [target, install] of Object.entries({ pip, uv })) {
    await install(owner, target);
    const version = await runProgram('client-python', ['-c', 'import left_pad; print(left_pad.version)'], {
      cwd,
      env: { PYTHONPATH: `${cwd}/${target}` },
    });
    assert.equal(version.trim(), '1.1');
  }
});
