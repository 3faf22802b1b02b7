// Publications of unusual versions, texts and types: Swift versions of four numbers, Base64 in pubspecs, fields of wrong types of crates, updates of RPM.
import { rpm } from './_archives.mjs';
import { tgz, zip } from './_lib.mjs';

const length = (n) => { const bytes = Buffer.alloc(4); bytes.writeUInt32LE(n); return bytes; };

export default async function (t) {
  const owner = await t.user('owner');
  const base = `//api/packages/${owner.name}`;
  const status = async (label, answer) => t.record(label, { status: (await answer).status });

  // Swift
  const accept = 'application/vnd.swift.registry.v1+json';
  const source = zip({ 'Package.swift': '// swift-tools-version:5.9\n' });
  const release = (version) => owner.put(`${base}/swift/sea/Wave/${version}`, undefined, { headers: { accept }, form: { 'source-archive': { content: source, filename: 's.zip' } } });
  for (const version of ['1.2.3.4', '1.2.3', '1.2.3.5', 'v2.0.0.0', '3', '3.1-beta.1']) await release(version);
  await owner.get(`${base}/swift/sea/Wave`, { headers: { accept }, body: ({ releases }) => Object.keys(releases).sort() });

  // Pub
  const pub = `${base}/pub/api/packages`;
  const pubspec = (text) => ({ form: { file: { content: tgz({ 'pubspec.yaml': text }), filename: 'x.tar.gz' } } });
  await owner.post(`${pub}/versions/new/upload`, undefined, pubspec('name: coded\nversion: 1.0.0\nx: !!binary aGVsbG8=\ny: !!binary |\n  aGVs\n  bG8=\nz: !custom text\n'));
  await owner.get(`${pub}/coded/1.0.0`, { body: ({ pubspec }) => pubspec });

  // Cargo
  const crate = (fields) => {
    const json = Buffer.from(JSON.stringify({ name: 'crate', vers: '1.0.0', ...fields }));
    return owner.send('PUT', `${base}/cargo/api/v1/crates/new`, { raw: Buffer.concat([length(json.length), json, length(1), Buffer.from('x')]) });
  };
  for (const fields of [
    { keywords: ['a', 5] }, { authors: [{}] }, { features: { a: 'b' } }, { features: { a: [5] } }, { features: [] }, { deps: {} }, { deps: ['a'] }, { deps: [5] },
    { deps: [{ name: 5 }] }, { deps: [{ name: 'a', optional: 'x' }] }, { deps: [{ name: 'a', default_features: 1 }] }, { deps: [{ name: 'a', features: [5] }] }, { deps: [{ name: 'a', target: 5 }] },
  ]) await status(`a crate with ${JSON.stringify(fields)}`, crate(fields));
  await owner.get(`${base}/cargo/cr/at/crate`, { body: 'ignore' });
  await status('a crate with fields of null', crate({ keywords: null, authors: null, features: { a: null }, deps: [{ name: 'a', version_req: '*', features: [], optional: null, default_features: null, target: null, kind: null, registry: null }] }));

  // RPM
  await owner.put(`${base}/rpm/upload`, undefined, { raw: rpm({ name: 'hello', version: '1', release: '1', summary: 's', description: 'd', buildTime: 1710000000, buildHost: 'b', size: 1, license: 'MIT', url: 'https://hello.example.org', arch: 'noarch' }) });
  for (const updates of [[{ id: 5 }], ['x'], [5], [[]], {}, 'x']) {
    await status(`updates ${JSON.stringify(updates)}`, owner.send('POST', `${base}/rpm/package/hello/1-1/errata`, { raw: JSON.stringify(updates), type: 'application/json' }));
  }
  await status('updates of nothing', owner.send('POST', `${base}/rpm/package/hello/1-1/errata`, { raw: '[null]', type: 'application/json' }));
}
