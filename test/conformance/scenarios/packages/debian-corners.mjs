// Corners of the Debian repository: several distributions and components, names, deletes in each way, what the indexes say afterwards.
import { ar, tgz } from './_lib.mjs';

const deb = (name, version, architecture, extra = '') => ar({
  'debian-binary': '2.0\n',
  'control.tar.gz': tgz({ './control': `Package: ${name}\nVersion: ${version}\nArchitecture: ${architecture}\nMaintainer: Ann <ann@example.com>\n${extra}Description: Does things\n` }),
  'data.tar.gz': tgz({}),
});

export default async function (t) {
  const owner = await t.user('owner');
  const base = `//api/packages/${owner.name}/debian`;
  const api = `/packages/${owner.name}`;
  const put = (raw, path = 'bookworm/main', caller = owner) => caller.put(`${base}/pool/${path}/upload`, undefined, { raw, type: 'application/octet-stream' });
  const index = (path) => t.anonymous.get(`${base}/dists/${path}/Packages`, { body: (json, { text }) => text.trim().split('\n\n').map((stanza) => stanza.split('\n').filter((line) => /^(Package|Version|Architecture|Filename):/.test(line)).join(' ')).sort() });
  const release = (path) => t.anonymous.get(`${base}/dists/${path}/Release`, { body: (json, { text }) => text.split('\n').filter((line) => /^(Suite|Codename|Components|Architectures|Origin|Label|Version|Description):/.test(line) || line.endsWith('Packages')).map((line) => line.replace(/^ [0-9a-f]+ +\d+ /, '').replace(/^(Origin|Label): .*/, '$1')).sort() });
  await t.anonymous.get(`${base}/repository.key`, { body: (json, { text }) => text.startsWith('-----BEGIN PGP PUBLIC KEY BLOCK-----') });
  for (const path of ['dists/x/Release', 'dists/x/InRelease', 'dists/x/Release.gpg', 'dists/x/Release.xz', 'dists/x/main/binary-amd64/Packages.bz2', 'dists/x/main/binary-amd64/Release', 'pool/x', 'dists/x', '']) await t.anonymous.get(`${base}/${path}`);

  // names, versions and architectures
  for (const [name, version, architecture] of [['lib+x.y-1', '1:2.0~rc1-1', 'amd64'], ['Tool', '1.0', 'amd64'], ['tool', '1.0', 'all'], ['tool', '1.0-1ubuntu2+b1', 'amd64'], ['tool', 'a1', 'amd64'], ['tool', '1 0', 'amd64'], ['-tool', '1.0', 'amd64'], ['tool', '1.0', 'linux-any'], ['1t', '1.0', 'amd64'], ['tool', '1.0:2', 'amd64'], ['tool', '', 'amd64'], ['', '1.0', 'amd64']]) await put(deb(name, version, architecture));
  await put(deb('tool', '2.0', 'amd64'), 'bookworm/non-free_x');
  await put(deb('tool', '2.0', 'amd64'), 'book.worm-updates/main');
  await put(deb('tool', '2.0', 'amd64'), 'bookworm/');
  await put(deb('tool', '2.0', 'amd64'), '%20/main');
  await put(deb('tool', '3.0', 'amd64', 'Section: utils\nPriority: optional\nInstalled-Size: 12\nMulti-Arch: foreign\nBuilt-Using: x (= 1)\nHomepage: not a url\n'));
  await owner.get(`${api}/debian/tool/3.0`);
  await index('bookworm/main/binary-amd64');
  await index('bookworm/main/binary-all');
  await index('bookworm/non-free_x/binary-amd64');
  await release('bookworm');
  await release('book.worm-updates');
  await t.anonymous.get(`${base}/pool/bookworm/main/lib+x.y-1_1:2.0~rc1-1_amd64.deb`, { body: 'sha256' });
  await t.anonymous.get(`${base}/pool/bookworm/main/lib%2Bx.y-1_1%3A2.0~rc1-1_amd64.deb`, { body: 'sha256' });
  await t.anonymous.get(`${base}/pool/bookworm/main/TOOL_1.0_ALL.deb`, { body: 'sha256' });
  await t.anonymous.head(`${base}/pool/bookworm/main/tool_1.0_all.deb`);
  await t.anonymous.get(`${base}/pool/bookworm/main/tool_1.0_all.deb`, { headers: { range: 'bytes=0-6' } });
  await t.anonymous.get(`${base}/pool/bookworm/main/tool_1.0_arm64.deb`);
  await t.anonymous.get(`${base}/pool/bookworm/main/tool`);
  await t.anonymous.head(`${base}/dists/bookworm/Release`, { body: 'ignore' });
  await t.anonymous.head(`${base}/dists/bookworm/main/binary-amd64/Packages`);
  await t.anonymous.get(`${base}/dists/bookworm/main/binary-amd64/by-hash/SHA1/${'0'.repeat(40)}`);
  await t.anonymous.get(`${base}/dists/bookworm/main/binary-amd64/by-hash/none/00`);
  await t.anonymous.get(`${base}/dists/bookworm/main/source/Sources`);
  const files = { body: (json) => json.map(({ name }) => name).sort() };
  await owner.get(`${api}/debian/tool/2.0/files`, files);
  await owner.get(`${api}?type=debian`, { body: (json) => json.map(({ name, version }) => `${name} ${version}`).sort() });

  // deletes
  for (const path of ['bookworm/main/tool/1.0/amd64', 'bookworm/main/none/1.0/amd64', 'none/main/tool/1.0/amd64', 'bookworm/none/tool/1.0/amd64', 'bookworm/main/tool/9/amd64', 'bookworm/main/tool/1.0/mips', 'bookworm/main/tool/1.0/all']) await owner.delete(`${base}/pool/${path}`);
  await owner.get(`${api}/debian/tool/1.0`);
  await owner.delete(`${base}/pool/bookworm/non-free_x/tool/2.0/amd64`);
  await index('bookworm/non-free_x/binary-amd64');
  await index('book.worm-updates/main/binary-amd64');
  await release('bookworm');
  await owner.get(`${api}/debian/tool/2.0/files`, files);
  await owner.delete(`${api}/debian/tool`);
  await put(deb('tool', '1.0', 'all'));
  await put(deb('tool', '1.0', 'all'));
  await index('bookworm/main/binary-all');
  for (const scopes of [['read:package'], ['write:package'], ['read:repository']]) await put(deb('tool', `7.${scopes.length}`, 'all'), 'tokens/main', await owner.token(scopes));
}
