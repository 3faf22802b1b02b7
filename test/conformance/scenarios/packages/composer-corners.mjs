// Corners of the Composer registry: versions, names and manifests of unusual shapes, searches, partial downloads, republication.
import { refused, tgz, zip } from './_lib.mjs';

export default async function (t) {
  const owner = await t.user('owner');
  const base = `//api/packages/${owner.name}/composer`;
  const api = `/packages/${owner.name}/composer`;
  const put = (manifest, options = {}, query = '') => owner.put(`${base}${query}`, undefined, { raw: zip({ 'composer.json': JSON.stringify(manifest) }), label: `put ${manifest?.name} ${manifest?.version}${query}`, ...options });
  const listed = { body: ({ packages }) => Object.values(packages)[0].map(({ version }) => version).sort() };
  for (const version of ['1.9.0', '1.10.0', '2.0.0-RC1', 'v3.0.0', '3.0.0', '1.0', '1.0.0.0', '4', 'dev-main', '1.x-dev', '5.0.0+build', '', '1.0-beta2', '2024.01.01', '1.0.0-p1', '1.2.3.4.5']) await put({ name: 'acme/order', version });
  await t.anonymous.get(`${base}/p2/acme/order.json`, listed);
  await owner.get(`${api}/acme%2Forder/-/latest`, { body: ({ version }) => version });
  await put({ name: 'acme/order' }, {}, '?version=6.0.0');
  await put({ name: 'acme/order', version: '6.1.0' }, {}, '?version=7.0.0');
  await put({ name: 'acme/order' }, {}, '?version=six');
  for (const name of ['Acme/Upper', 'acme/a_b', 'acme/a--b', 'acme/a---b', 'acme/a.b', 'a/b/c', 'acme/', '/x', 'acme', 'ac me/x', 'acme/é', 'acme/-a', 'acme/1', '', null]) await put({ name, version: '1.0.0' }, { body: 'ignore' });
  const shapes = {
    s1: { description: null, keywords: null, license: null, authors: null, require: null, autoload: null, homepage: null, type: null },
    s2: { license: ['MIT', 'Apache-2.0'], keywords: [], authors: [], require: {}, support: { issues: 'https://issues.example.com' }, scripts: { a: 'b' }, 'minimum-stability': 'dev', config: { a: 1 } },
    s3: { homepage: 'no address' }, s4: { homepage: 'javascript:alert(1)' }, s5: { type: 'symfony-bundle', bin: ['one'], autoload: { files: ['a.php'], classmap: ['src/'] }, 'autoload-dev': { 'psr-4': { 'T\\': 'tests' } } },
    s6: { authors: [{ name: 'Ann', role: 'Dev', homepage: 'https://a.example.com' }] }, s7: { replace: { 'acme/x': 'self.version' }, conflict: { 'acme/y': '<1' }, suggest: { 'acme/z': 'words' }, extra: { 'branch-alias': { 'dev-main': '1.x-dev' } } },
    s9: { abandoned: true, time: '2024-01-01', 'non-feature-branches': ['a'], _comment: 'words' },
  };
  for (const [name, fields] of Object.entries(shapes)) {
    await put({ name: `acme/${name}`, version: '1.0.0', ...fields }, { body: 'ignore' });
    await t.anonymous.get(`${base}/p2/acme/${name}.json`);
  }
  await owner.put(base, undefined, { raw: zip({ 'composer.json': JSON.stringify({ name: 'acme/readme', version: '1.0.0' }), 'README.md': '# Words' }) });
  await owner.get(`${api}/acme%2Freadme/1.0.0`, { body: ({ name, version }) => ({ name, version }) });
  await owner.put(base, undefined, { raw: zip({ 'acme-x/composer.json': JSON.stringify({ name: 'acme/nested', version: '1.0.0' }) }) });
  await owner.put(base, undefined, { raw: tgz({ 'composer.json': JSON.stringify({ name: 'acme/tar', version: '1.0.0' }) }) });
  await t.anonymous.get(`${base}/p2/acme/tar.json`);
  for (const text of ['{', '[]', 'null', '']) await refused(t, `composer.json ${text}`, owner.send('PUT', base, { raw: zip({ 'composer.json': text }) }));
  await refused(t, 'an empty body', owner.send('PUT', base, { raw: '' }));
  const found = { body: ({ total, results, next }) => ({ total, names: results.map(({ name }) => name).sort(), next }) };
  const count = { body: ({ total, results, next }) => ({ total, length: results.length, next }) };
  for (const query of ['q=ORDER', 'q=acme/o', 'q=or%20der', 'type=symfony-bundle', 'type=Library', 'q=s5&type=library']) await t.anonymous.get(`${base}/search.json?${query}`, found);
  for (const query of ['', 'per_page=0', 'per_page=-1', 'per_page=x', 'per_page=1000', 'page=0', 'page=x', 'page=99', 'page=2&per_page=3', 'per_page=2&q=s']) await t.anonymous.get(`${base}/search.json?${query}`, count);
  await t.anonymous.get(`${base}/list.json?filter=acme/s*`, { body: ({ packageNames }) => packageNames.sort() });
  for (const path of ['p2/ACME/Order.json', 'p2/acme/order', 'p2/acme/order~dev.json', 'p2/acme.json', 'p2/acme/none~dev.json', 'p/acme/order.json', 'packages', '', 'files/acme/order/1.9.0/acme-order.1.9.0.zip', 'files/ACME%2Forder/1.9.0/acme-order.1.9.0.zip', 'files/acme%2Forder/1.9/acme-order.1.9.0.zip']) await t.anonymous.get(`${base}/${path}`, { body: 'size' });
  const file = `${base}/files/acme%2Forder/1.9.0/acme-order.1.9.0.zip`;
  await t.anonymous.head(file);
  await t.anonymous.get(file, { headers: { range: 'bytes=0-3' } });
  await t.anonymous.head(`${base}/packages.json`);
  await owner.delete(`${api}/acme%2Forder/1.9.0`);
  await put({ name: 'acme/order', version: '1.9.0' });
  await owner.delete(`${api}/acme%2Ftar/1.0.0`);
  await t.anonymous.get(`${base}/p2/acme/tar.json`);
  await owner.get(`${api}/acme%2Ftar`);
}
