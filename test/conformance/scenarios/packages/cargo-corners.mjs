// Corners of the Cargo registry: the order of versions, names, metadata of unusual shapes, paging of the search, partial downloads, republication.
import { tgz } from './_lib.mjs';

const length = (n) => { const bytes = Buffer.alloc(4); bytes.writeUInt32LE(n); return bytes; };
function publication(meta, crate) {
  const json = Buffer.from(typeof meta === 'string' ? meta : JSON.stringify(meta));
  return Buffer.concat([length(json.length), json, length(crate.length), crate]);
}

export default async function (t) {
  const owner = await t.user('owner');
  const base = `//api/packages/${owner.name}/cargo`;
  const api = `${base}/api/v1/crates`;
  const crate = tgz({ 'x/Cargo.toml': '[package]\n' });
  const put = (meta, options) => owner.put(`${api}/new`, undefined, { raw: publication(meta, crate), type: 'application/octet-stream', ...options });
  const lines = { body: (json, { text }) => text.split('\n').filter(Boolean).map((line) => JSON.parse(line)).sort((a, b) => (a.vers < b.vers ? -1 : 1)) };
  const vers = { body: (json, { text }) => text.split('\n').filter(Boolean).map((line) => JSON.parse(line).vers) };
  for (const version of ['1.9.0', '1.10.0', '2.0.0-rc.1', '0.1.0', '1.10.0-beta', '1.10.1+build', '1.10.1', 'v4.0.0', '5', '5.1', '', '01.2.3']) await put({ name: 'order', vers: version });
  await t.anonymous.get(`${base}/or/de/order`, vers);
  await t.anonymous.get(`${api}?q=order`, { body: ({ crates }) => crates.map(({ name, max_version }) => `${name} ${max_version}`) });

  // names
  for (const name of ['Upper', 'a', 'a-b', 'a_b', '-a', '_a', 'a.b', 'é', '', 'x'.repeat(64), 'x'.repeat(65), 'nul']) await put({ name, vers: '1.0.0' });
  for (const path of ['up/pe/upper', 'up/pe/Upper', 'Up/pe/Upper', '1/a', '3/a/a-b', '3/a/a_b', 'xx/yy/upper', 'a', 'upper', '1/b', '1/A']) await t.anonymous.get(`${base}/${path}`, lines);
  await t.anonymous.head(`${base}/1/a`);

  // metadata of unusual shapes
  const shapes = {
    s1: { description: null, documentation: null, homepage: null, readme: null, license: null, license_file: null, repository: null, links: null, keywords: null, categories: null, authors: null, deps: null, features: null, badges: null },
    s2: { documentation: 'no address', homepage: 'no address', repository: 'javascript:alert(1)' },
    s3: { documentation: 'https://docs.example.com', homepage: 'https://home.example.com', repository: 'https://git.example.com/x', readme: '# x', readme_file: 'README.md', license_file: 'LICENSE', categories: ['a'], keywords: ['k'], rust_version: '1.70', badges: { a: {} } },
    s4: { deps: [{ name: 'd', version_req: '*', features: [] }] },
    s5: { deps: {} }, s6: { features: [] }, s8: { description: 5 }, s9: { links: 'z', features: { a: ['b', 'dep:c'] } },
    s10: { deps: [{ name: 'd', version_req: '^1', features: [], target: 'x', kind: 'build', registry: null, optional: true, default_features: true, explicit_name_in_toml: 'e' }] },
    s12: { authors: 'Ann' },
  };
  for (const [name, meta] of Object.entries(shapes)) {
    await put({ name, vers: '1.0.0', ...meta }, { body: 'ignore' });
    await t.anonymous.get(name.length === 2 ? `${base}/2/${name}` : `${base}/3/s/${name}`, lines);
    await t.anonymous.get(`${api}?q=${name}`, { body: ({ crates }) => crates.find((one) => one.name === name) });
  }
  await put('{', { body: 'ignore' });
  await put('null', { body: 'ignore' });
  await put('[]', { body: 'ignore' });
  await owner.put(`${api}/new`, undefined, { raw: '', body: 'ignore' });
  await owner.put(`${api}/new`, undefined, { raw: Buffer.concat([length(2 ** 31), Buffer.from('{}')]), body: 'ignore' });
  await owner.put(`${api}/new`, undefined, { raw: Buffer.concat([publication({ name: 'long', vers: '1.0.0' }, crate), Buffer.from('more')]), body: 'ignore' });
  await t.anonymous.get(`${api}/long/1.0.0/download`, { body: 'sha256' });
  await owner.put(`${api}/new`, undefined, { raw: publication({ name: 'empty', vers: '1.0.0' }, Buffer.alloc(0)), body: 'ignore' });

  // search
  const count = { body: ({ crates, meta }) => ({ total: meta.total, length: crates.length }) };
  for (const query of ['per_page=0', 'per_page=-1', 'per_page=x', 'per_page=1000', 'page=0', 'page=-1', 'page=x', 'page=99', 'page=2&per_page=3', 'q=ORDER', 'q=a%20b']) await t.anonymous.get(`${api}?${query}`, count);

  // downloads, yanks, owners
  await t.anonymous.get(`${api}/order/1.9.0/download`, { headers: { range: 'bytes=0-9' }, body: 'sha256' });
  await t.anonymous.head(`${api}/order/1.9.0/download`);
  await t.anonymous.get(`${api}/ORDER/1.9.0/download`, { body: 'sha256' });
  await t.anonymous.get(`${api}/order/1.9/download`);
  await t.anonymous.get(`${api}/none/owners`);
  await t.anonymous.put(`${api}/order/owners`, { users: ['x'] });
  await owner.delete(`${api}/order/owners`, { users: ['x'] });
  await t.anonymous.get(`${api}/order`);
  await t.anonymous.get(`${api}/order/1.9.0`);
  await t.anonymous.get(`${base}/me`);
  await owner.delete(`${api}/order/1.9.0/yank`);
  await owner.delete(`${api}/order/1.9.0/yank`);
  await owner.put(`${api}/ORDER/1.9.0/unyank`);
  await owner.put(`${api}/order/1.9.0/unyank`);
  await owner.put(`${api}/none/1.0.0/unyank`);
  const reading = await owner.token(['read:package']);
  await reading.delete(`${api}/order/1.9.0/yank`);
  await owner.delete(`/packages/${owner.name}/cargo/order/1.9.0`);
  await put({ name: 'order', vers: '1.9.0' });
  await put({ name: 'ORDER', vers: '1.9.0' });
  await put({ name: 'Order', vers: '9.0.0' });
  await t.anonymous.get(`${base}/or/de/order`, vers);
  await owner.delete(`/packages/${owner.name}/cargo/a/1.0.0`);
  await t.anonymous.get(`${base}/1/a`);
  await owner.get(`/packages/${owner.name}/cargo/a`);
}
