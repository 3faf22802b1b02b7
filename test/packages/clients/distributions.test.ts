// On SQLite alone: the registry's own tests cover both databases
import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import type { Client } from '../../support/client.ts';
import { type TestServer, testServer } from '../../support/server.ts';
import { registry } from '../support/registry.ts';
import { type Credential, type Credentials, makeFolder, privateOwner, runProgram, withoutClient } from './program.ts';

/** Publishes a package as the documentation says, with curl's request; those who may not are refused. */
async function publish({ owner, refused }: Credentials, t: TestServer, path: string, content: Buffer): Promise<void> {
  for (const { name, password } of Object.values(refused)) {
    const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
    assert.equal((await registry('alice').put(t.anonymous, path, content, { authorization })).status, 401);
  }
  assert.equal((await registry('alice').put(owner, path, content)).status, 201);
}

/** The key of a repository, which is read without signing in. */
const keyOf = async (caller: Client, path: string) => (await caller.get(`//api/packages/alice/${path}`)).text;
/** Signs a user in by the URL. */
const withName = (url: string, { name, password }: Credential) => url.replace('://', `://${name}:${password}@`);
const only = async (pattern: string) => (await Array.fromAsync(glob(pattern)))[0] ?? '';
const REFUSED = /401|[Uu]nauthorized/;

it('apt installs from a signed repository, and is refused', { skip: withoutClient('apt-get', 'dpkg-deb') }, async () => {
  const t = await testServer();
  const accounts = await privateOwner(t, 'alice');
  const cwd = await makeFolder(t, 'apt', {
    'tool/DEBIAN/control': 'Package: copse-tool\nVersion: 1.0\nArchitecture: all\nMaintainer: Ann <ann@example.com>\nDescription: x\n',
    'tool/usr/share/tool.txt': 'tool',
  });
  await runProgram('dpkg-deb', ['--build', '--root-owner-group', 'tool', 'tool.deb'], { cwd });
  await publish(accounts, t, 'debian/pool/stable/main/upload', await readFile(join(cwd, 'tool.deb')));
  const apt = async (folder: string, who: Credential, key: string) => {
    const { host } = new URL(t.url);
    const root = await makeFolder(t, folder, {
      'sources.list': `deb [arch=amd64 signed-by=${t.folder}/${folder}/key.asc] http://${host}/api/packages/alice/debian stable main\n`,
      'key.asc': key,
      'auth.conf': `machine http://${host} login ${who.name} password ${who.password}\n`,
      'state/lists/partial/x': '',
      'state/status': '',
      'cache/archives/partial/x': '',
    });
    const options = [
      `Dir::Etc::sourcelist=${root}/sources.list`,
      'Dir::Etc::sourceparts=-',
      `Dir::Etc::netrc=${root}/auth.conf`,
      `Dir::State=${root}/state`,
      `Dir::State::status=${root}/state/status`,
      `Dir::Cache=${root}/cache`,
      'APT::Sandbox::User=',
      'APT::Update::Error-Mode=any',
      'APT::Architectures=amd64',
    ].flatMap((option) => ['-o', option]);
    const run = (...args: string[]) => runProgram('apt-get', [...options, ...args], { cwd: root });
    await run('update');
    await run('download', 'copse-tool');
    return await runProgram('dpkg-deb', ['-c', await only(`${root}/copse-tool*.deb`)], { cwd: root });
  };
  const key = await keyOf(accounts.owner, 'debian/repository.key');
  for (const [who, credential] of Object.entries(accounts.hidden))
    await assert.rejects(apt(`apt-${who.replace(/ /g, '-')}`, credential, key), REFUSED, who);
  await t.user('bob');
  const other = (await t.anonymous.get('//api/packages/bob/debian/repository.key')).text;
  await assert.rejects(apt('another-key', accounts.owner, other), /NO_PUBKEY|not signed|couldn't be verified/);
  assert.match(await apt('user', accounts.owner, key), /tool\.txt/);
});

it('dnf installs signed packages of a signed repository, and is refused', { skip: withoutClient('dnf', 'rpmbuild') }, async () => {
  const t = await testServer();
  const accounts = await privateOwner(t, 'alice');
  const cwd = await makeFolder(t, 'rpm', {
    'tool.spec':
      'Name: copse-tool\nVersion: 1.0\nRelease: 1\nSummary: x\nLicense: MIT\nBuildArch: noarch\n%description\nx\n%install\nmkdir -p %{buildroot}/opt\necho tool > %{buildroot}/opt/tool.txt\n%files\n/opt/tool.txt\n',
  });
  await runProgram('rpmbuild', ['-bb', '--define', `_topdir ${cwd}/build`, 'tool.spec'], { cwd });
  const built = await readFile(await only(`${cwd}/build/RPMS/noarch/*.rpm`));
  await publish(accounts, t, 'rpm/stable/upload?sign=true', built);
  await publish(accounts, t, 'rpm/unsigned/upload', built);
  const dnf = async (folder: string, group: string, who: Credential) => {
    const url = `${t.url}api/packages/alice/rpm`;
    const root = await makeFolder(t, folder, {
      'repos/alice.repo': [
        '[alice]',
        'name=alice',
        `baseurl=${url}/${group}`,
        `username=${who.name}`,
        `password=${who.password}`,
        'enabled=1',
        'gpgcheck=1',
        'repo_gpgcheck=1',
        `gpgkey=file://${t.folder}/${folder}/key.asc`,
      ].join('\n'),
      'key.asc': await keyOf(accounts.owner, 'rpm/repository.key'),
      'log/x': '',
      'dnf.conf': '[main]\nretries=1\n',
    });
    const options = [
      `--config=${root}/dnf.conf`,
      `--installroot=${root}/root`,
      `--setopt=reposdir=${root}/repos`,
      `--setopt=cachedir=${root}/cache`,
    ];
    await runProgram('dnf', [...options, `--setopt=logdir=${root}/log`, '--releasever=1', '--assumeyes', 'install', 'copse-tool'], {
      cwd: root,
    });
    return await readFile(join(root, 'root/opt/tool.txt'), 'utf8');
  };
  for (const [who, credential] of Object.entries(accounts.hidden))
    await assert.rejects(dnf(`dnf-${who.replace(/ /g, '-')}`, 'stable', credential), REFUSED, who);
  await assert.rejects(dnf('unsigned', 'unsigned', accounts.owner), /not signed|GPG check FAILED/i);
  assert.equal(await dnf('user', 'stable', accounts.owner), 'tool\n');
});

it('pacman installs signed packages of a signed repository, and is refused', {
  skip: withoutClient('pacman', 'pacman-key', 'gpg'),
}, async () => {
  const t = await testServer();
  const accounts = await privateOwner(t, 'alice');
  const cwd = await makeFolder(t, 'arch', {
    '.PKGINFO': 'pkgname = copse-tool\npkgver = 1.0-1\npkgdesc = x\narch = any\nsize = 5\nbuilddate = 1700000000\nlicense = MIT\n',
    'opt/tool.txt': 'tool\n',
  });
  await runProgram('tar', ['--zstd', '-cf', 'tool.pkg.tar.zst', '.PKGINFO', 'opt'], { cwd });
  await publish(accounts, t, 'arch/main', await readFile(join(cwd, 'tool.pkg.tar.zst')));
  const key = await keyOf(accounts.owner, 'arch/repository.key');
  const pacman = async (folder: string, who: Credential, isTrusted = true) => {
    const root = await makeFolder(t, folder, { 'key.asc': key, 'root/var/lib/pacman/x': '' });
    const paths = { root: `${root}/root`, dbpath: `${root}/root/var/lib/pacman`, cachedir: `${root}/cache`, gpgdir: `${root}/gnupg` };
    const server = withName(`${t.url}api/packages/alice/arch/main/$arch`, who);
    const lines = ['[options]', 'Architecture = x86_64', 'SigLevel = Required', `LogFile = ${root}/log`, '[main]', `Server = ${server}`];
    const { writeFile, mkdir } = await import('node:fs/promises');
    await writeFile(join(root, 'pacman.conf'), lines.join('\n'));
    await mkdir(paths.gpgdir, { mode: 0o700 });
    await mkdir(paths.cachedir);
    const gpg = ['--homedir', paths.gpgdir, '--batch'];
    if (isTrusted) {
      await runProgram('gpg', [...gpg, '--import', 'key.asc'], { cwd: root });
      const listed = await runProgram('gpg', [...gpg, '--with-colons', '--list-keys'], { cwd: root });
      await writeFile(join(root, 'trust'), `${/^fpr:+([0-9A-F]+)/m.exec(listed)?.[1]}:6:\n`);
      await runProgram('gpg', [...gpg, '--import-ownertrust', 'trust'], { cwd: root });
    }
    const options = Object.entries(paths).map(([name, path]) => `--${name}=${path}`);
    await runProgram('pacman', ['--config', `${root}/pacman.conf`, ...options, '--noconfirm', '--noscriptlet', '-Sy', 'main/copse-tool'], {
      cwd: root,
    });
    return await readFile(join(root, 'root/opt/tool.txt'), 'utf8');
  };
  for (const [who, credential] of Object.entries(accounts.hidden))
    await assert.rejects(pacman(`pacman-${who.replace(/ /g, '-')}`, credential), REFUSED, who);
  await assert.rejects(pacman('without-key', accounts.owner, false), /invalid or corrupted|unknown|signature|keyring/);
  assert.equal(await pacman('user', accounts.owner), 'tool\n');
});

it('apko builds an image of packages of a signed repository, and is refused', { skip: withoutClient('apko') }, async () => {
  const t = await testServer();
  const accounts = await privateOwner(t, 'alice');
  const cwd = await makeFolder(t, 'apk', {
    '.PKGINFO': 'pkgname = copse-tool\npkgver = 1.0-r0\npkgdesc = x\nurl = https://example.com\nsize = 5\narch = x86_64\nlicense = MIT\n',
    'opt/tool.txt': 'tool\n',
  });
  // Segments of a package are archives without their end, each compressed by itself.
  await runProgram(
    'sh',
    [
      '-c',
      'tar -c .PKGINFO | head -c -1024 | gzip -n > control; tar --format=pax --pax-option=APK-TOOLS.checksum.SHA1:=$(sha1sum < opt/tool.txt | cut -c-40) -c opt/tool.txt | gzip -n > data; cat control data > tool.apk',
    ],
    { cwd },
  );
  await publish(accounts, t, 'alpine/stable/tools', await readFile(join(cwd, 'tool.apk')));
  const response = await accounts.owner.get('//api/packages/alice/alpine/key');
  const keyName = /filename="?([^";]+)/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'key.rsa.pub';
  const apko = async (folder: string, who: Credential) => {
    const root = await makeFolder(t, folder, {
      [keyName]: response.text,
      'image.yaml': JSON.stringify({
        // Without a tag, apko takes `/alpine/` for the distribution, and asks that for keys.
        contents: {
          keyring: [keyName],
          repositories: [`@alice ${withName(`${t.url}api/packages/alice/alpine/stable/tools`, who)}`],
          packages: ['copse-tool@alice'],
        },
        archs: ['x86_64'],
      }),
    });
    await runProgram('apko', ['build', '--sbom=false', '--cache-dir', 'cache', 'image.yaml', 'tool:1', 'image.tar'], { cwd: root });
    return await runProgram('sh', ['-c', 'tar -xf image.tar && cat *.tar.gz | tar -tz --ignore-zeros'], { cwd: root });
  };
  for (const [who, credential] of Object.entries(accounts.hidden))
    await assert.rejects(apko(`apko-${who.replace(/ /g, '-')}`, credential), REFUSED, who);
  assert.match(await apko('user', accounts.owner), /opt\/tool\.txt/);
});
