// Corners of the npm registry: the order of versions, manifests of unusual shapes, names, tags, conditional and partial downloads, deletion and republication.
import { digest, refused, tgz } from './_lib.mjs';

function publication(name, version, manifest = {}, more = {}) {
  const data = tgz({ 'package/package.json': JSON.stringify({ name, version }) });
  const file = `${name}-${version}.tgz`;
  return {
    _id: name, name, 'dist-tags': { latest: version },
    versions: { [version]: { name, version, ...manifest, dist: { integrity: `sha512-${digest('sha512', data, 'base64')}`, shasum: digest('sha1', data) } } },
    _attachments: { [file]: { content_type: 'application/octet-stream', data: data.toString('base64'), length: data.length } },
    ...more,
  };
}

export default async function (t) {
  const owner = await t.user('owner');
  const base = `//api/packages/${owner.name}/npm`;
  const put = (path, document, options) => owner.put(`${base}/${path}`, document, options);
  const versions = { body: ({ versions: all, 'dist-tags': tags }) => ({ versions: Object.keys(all).sort(), tags }) };

  // the order of versions; the tags go as they are sent
  for (const version of ['1.9.0', '1.10.0', '2.0.0-rc.1', '1.10.0-beta', '0.0.1']) await put('order', publication('order', version));
  await t.anonymous.get(`${base}/order`, versions);
  await owner.get(`/packages/${owner.name}/npm/order/-/latest`, { body: ({ version }) => version });
  for (const version of ['v3.0.0', '3.0', '4', '3.0.0+build.1', '3.0.0+build.2', '01.0.0', '', ' 5.0.0', '1.2.3.4', '5.0.0-', '5.0.0-é']) await put('odd', publication('odd', version, {}, { 'dist-tags': {} }));
  await t.anonymous.get(`${base}/odd`, versions);

  // manifests of unusual shapes
  const shapes = {
    nulls: { description: null, author: null, license: null, homepage: null, keywords: null, dependencies: null, bin: null, repository: null, readme: null, bundleDependencies: null, peerDependenciesMeta: null },
    strings: { author: 'Ann <ann@example.com> (https://ann.example.com)', license: 'MIT' },
    lists: { author: { name: 'Ann' }, contributors: [{ name: 'Bob' }], maintainers: [{ name: 'Eve', email: 'eve@example.com' }], bundledDependencies: ['one'], keywords: ['a', 'b'], os: ['linux'], cpu: ['x64'], engines: { node: '>=18' } },
    flags: { private: false, hasInstallScript: true, funding: 'https://fund.example.com', scripts: { test: 'x' }, exports: { '.': './index.js' } },
    'wrong-license': { license: { type: 'MIT', url: 'https://example.com' } },
    'wrong-homepage': { homepage: 'no address' },
    'script-homepage': { homepage: 'javascript:alert(1)' },
    'bare-homepage': { homepage: 'tool.example.com' },
    'meta': { peerDependencies: { a: '*' }, peerDependenciesMeta: { a: { optional: true } } },
    'deprecated': { deprecated: 'Use another' },
    'not-deprecated': { deprecated: false },
    'directory': { repository: { type: 'git', url: 'git+https://git.example.com/a.git', directory: 'packages/a' } },
  };
  for (const [name, manifest] of Object.entries(shapes)) {
    await put(name, publication(name, '1.0.0', manifest), { body: 'ignore' });
    await t.anonymous.get(`${base}/${name}`);
  }
  // documents of unusual shapes
  await put('doc', publication('doc', '1.0.0', {}, { _attachments: {} }));
  await put('doc', publication('doc', '1.0.0', {}, { _attachments: null }));
  await put('doc', publication('doc', '1.0.0', {}, { _attachments: { x: { data: '!!' } } }), { body: 'ignore' });
  await put('doc', publication('doc', '1.0.0', {}, { 'dist-tags': null }));
  await put('doc', publication('doc', '1.0.1', {}, { 'dist-tags': { beta: '9.9.9', latest: '1.0.1' } }));
  await put('doc', publication('doc', '1.0.2', { name: 'another' }, { name: 'third', _id: 'fourth' }));
  await put('doc', publication('doc', '1.0.3', { dist: null }));
  await put('doc', {});
  for (const raw of ['[]', '"text"', '{', '']) await refused(t, `the document ${raw}`, owner.send('PUT', `${base}/doc`, { raw, type: 'application/json' }));
  await t.anonymous.get(`${base}/doc`, versions);
  await t.anonymous.get(`${base}/another`, versions);

  // names
  for (const name of ['UPPER', 'dot.ted', '_under', '.dot', '-dash', 'a_b', 'a~b', 'é', '@s/', '@/x', '@s/a/b', '@S/a', '@s/.a', '@s/a', '@_s/a', 'node_modules', 'x'.repeat(214), 'x'.repeat(215)]) {
    await put(encodeURIComponent(name), publication(name, '1.0.0'), { label: `name ${name}` });
  }
  await t.anonymous.get(`${base}/Order`, versions);
  await t.anonymous.get(`${base}/@S%2FA`, versions);

  // tags
  const tag = (name, value, options) => owner.put(`${base}/-/package/order/dist-tags/${name}`, value, options);
  for (const name of ['v1', 'v1.x', '1', 'x', 'next%20one', 'a.b', '%C3%A9', 'Latest']) await tag(name, '1.9.0');
  await tag('raw', undefined, { raw: '1.9.0' });
  await tag('null', null);
  await tag('object', { version: '1.9.0' });
  await tag('latest', '0.0.1');
  await owner.get(`${base}/-/package/order/dist-tags`);
  await owner.delete(`${base}/-/package/order/dist-tags/latest`);
  await owner.delete(`${base}/-/package/none/dist-tags/x`);
  await owner.put(`${base}/-/package/none/dist-tags/x`, '1.0.0');
  await owner.get(`${base}/-/package/none/dist-tags`);
  await owner.get(`${base}/-/package/order/dist-tags`);

  // downloads
  const file = `${base}/order/-/1.9.0/order-1.9.0.tgz`;
  await t.anonymous.head(file);
  await t.anonymous.get(file, { headers: { range: 'bytes=0-9' }, body: 'sha256' });
  await t.anonymous.get(file, { headers: { range: 'bytes=999999-' }, body: 'ignore' });
  await t.anonymous.head(`${base}/order`);
  await t.anonymous.get(`${base}/order/-/1.9.0/ORDER-1.9.0.TGZ`, { body: 'sha256' });
  await t.anonymous.get(`${base}/order/-/1.9/order-1.9.0.tgz`);
  await t.anonymous.get(`${base}/order/1.9.0`);
  await t.anonymous.get(`${base}/order/latest`);
  await t.anonymous.get(`${base}/-/ping`);
  await t.anonymous.get(`${base}/-/whoami`);
  await t.anonymous.post(`${base}/-/npm/v1/security/audits`, {});
  await t.anonymous.get(`${base}/`);

  // search
  const found = { body: ({ total, objects }) => ({ total, names: objects.map(({ package: { scope, name } }) => `${scope} ${name}`).sort() }) };
  for (const query of ['text=ORDER', 'text=@s', 'text=s/a', 'text=or%20der', 'size=0', 'size=-1', 'size=x', 'from=-1', 'from=999', 'text=order&size=1000']) {
    await t.anonymous.get(`${base}/-/v1/search?${query}`, query.startsWith('text') ? found : { body: ({ total, objects }) => ({ total, length: objects.length }) });
  }

  // deletion and republication
  await owner.delete(`${base}/order/-/1.9.0/other.tgz/-rev/0`);
  await t.anonymous.get(`${base}/order`, versions);
  await put('order', publication('order', '1.9.0'));
  await owner.delete(`/packages/${owner.name}/npm/order/1.10.0`);
  await owner.delete(`${base}/order/-/7.0.0/order-7.0.0.tgz/-rev/0`);
  await t.anonymous.get(`${base}/order`, versions);
  await owner.delete(`${base}/@s%2fa/-/1.0.0/a-1.0.0.tgz/-rev/0`);
  await t.anonymous.get(`${base}/@s%2fa`);
  await owner.get(`${base}/-/package/@s%2fa/dist-tags`);
  await owner.get(`/packages/${owner.name}/npm/@s%2fa`);
  await owner.delete(`${base}/@s%2fa/-rev/0`);
  await put('@s%2fa', publication('@s/a', '1.0.0'));
  await t.anonymous.get(`${base}/@s%2fa`, versions);
}
