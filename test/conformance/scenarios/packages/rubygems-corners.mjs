// Corners of the RubyGems registry: versions, platforms, names and specifications of unusual shapes, indexes, yanks, republication.
import { gzip, refused, tar } from './_lib.mjs';

const spec = (name, version, fields = '') => `--- !ruby/object:Gem::Specification\nname: ${name}\nversion: !ruby/object:Gem::Version\n  version: ${version}\n${fields}`;
const gem = (text) => tar({ 'metadata.gz': gzip(Buffer.from(text)), 'data.tar.gz': gzip(tar({ 'lib/x.rb': '' })) });
const dependency = (name, type, requirements) => `- !ruby/object:Gem::Dependency\n  name: ${name}\n  requirement: !ruby/object:Gem::Requirement\n    requirements:\n${requirements.map(([operator, version]) => `    - - "${operator}"\n      - !ruby/object:Gem::Version\n        version: '${version}'\n`).join('')}  type: :${type}\n`;

export default async function (t) {
  const owner = await t.user('owner');
  const base = `//api/packages/${owner.name}/rubygems`;
  const api = `/packages/${owner.name}/rubygems`;
  const push = (text, label, options = {}) => owner.post(`${base}/api/v1/gems`, undefined, { raw: gem(text), label: `push ${label}`, ...options });
  const rows = { body: (json, { text }) => text.split('\n').map((line) => line.replace(/[0-9a-f]{32,64}$/, '{digest}')).sort() };
  for (const version of ['1.9.0', '1.10.0', '1.0', '1', '1.0.0-beta', '1.0.0.0.1', 'v1', "''", 'a.1', '1..2', '1_0', '01.2']) await push(spec('order', version, 'platform: ruby\n'), `order ${version}`);
  for (const platform of ['java', 'x86_64-linux', 'arm64-darwin-22']) await push(spec('order', '5.0.0', `platform: ${platform}\n`), `order ${platform}`);
  await t.anonymous.get(`${base}/info/order`, rows);
  await owner.get(`${api}/order`, { body: (json) => json.map(({ version }) => version).sort() });
  await owner.get(`${api}/order/5.0.0/files`, { body: (json) => json.map(({ name }) => name).sort() });
  await owner.get(`${api}/order/-/latest`, { body: ({ version }) => version });
  for (const name of ['Upper', 'a-b', 'a_b', 'a.b', '-a', '_a', '.a', '1', "''", 'ORDER']) await push(spec(name, '1.0.0', 'platform: ruby\n'), `name ${name}`);
  const shapes = {
    s1: '', s2: 'platform:\nauthors:\nsummary:\ndescription:\nlicenses: []\nhomepage:\n', s3: 'platform: ruby\nhomepage: no address\n', s4: 'platform: ruby\nhomepage: javascript:alert(1)\n',
    s5: 'platform: ruby\nrequired_ruby_version: !ruby/object:Gem::Requirement\n  requirements:\n  - - ">="\n    - !ruby/object:Gem::Version\n      version: \'2.7\'\n  - - "<"\n    - !ruby/object:Gem::Version\n      version: \'4\'\nrequired_rubygems_version: !ruby/object:Gem::Requirement\n  requirements:\n  - - ">"\n    - !ruby/object:Gem::Version\n      version: 1.3.1\n',
    s6: `platform: ruby\ndependencies:\n${dependency('a', 'runtime', [['~>', '1.0'], ['>=', '1.0.1']])}${dependency('b', 'runtime', [['>=', '0']])}${dependency('c', 'development', [['=', '2']])}`,
    s7: 'platform: ruby\ndependencies: []\nmetadata:\n  source_code_uri: https://git.example.com\ncert_chain: []\nexecutables:\n- x\n',
  };
  for (const [name, fields] of Object.entries(shapes)) {
    await push(spec(name, '1.0.0', fields), name, { body: 'ignore' });
    await t.anonymous.get(`${base}/info/${name}`, rows);
  }
  await t.anonymous.get(`${base}/versions`, rows);
  for (const text of ['', 'name: x\n', '{', '[]']) await refused(t, `the specification ${text}`, owner.send('POST', `${base}/api/v1/gems`, { raw: gem(text) }));
  await refused(t, 'an empty body', owner.send('POST', `${base}/api/v1/gems`, { raw: '' }));
  for (const path of ['info/Order', 'info/ORDER', 'names', 'api/v1/gems', 'api/v1/gems/order.json', 'api/v1/dependencies?gems=order', 'api/v1/versions/order.json', 'quick/Marshal.4.8/order.gemspec.rz', 'quick/Marshal.4.8/none-1.gemspec.rz', 'specs.4.8', 'latest_specs.4.8', '', 'gems/order-1.9.gem', 'gems/ORDER-1.9.0.gem', 'gems/order-5.0.0.gem', 'gems/order-5.0.0-java.gem', 'gems/order-1.9.0']) await t.anonymous.get(`${base}/${path}`, { body: 'size' });
  const file = `${base}/gems/order-1.9.0.gem`;
  for (const path of ['gems/order-1.9.0.gem', 'versions', 'info/order', 'specs.4.8.gz']) await t.anonymous.head(`${base}/${path}`);
  await t.anonymous.get(file, { headers: { range: 'bytes=0-3' } });
  const yank = (fields) => owner.delete(`${base}/api/v1/gems/yank`, undefined, { form: fields });
  await yank({ gem_name: 'order', version: '5.0.0', platform: 'java' });
  await t.anonymous.get(`${base}/gems/order-5.0.0-x86_64-linux.gem`, { body: 'size' });
  await yank({ gem_name: 'ORDER', version: '1.9.0' });
  await yank({ gem_name: 'none', version: '1.0.0' });
  await push(spec('order', '1.9.0', 'platform: ruby\n'), 'again');
  await push(spec('order', '1.9.0', 'platform: ruby\n'), 'twice');
  await owner.delete(`${api}/1/1.0.0`);
  await t.anonymous.get(`${base}/info/1`);
  await owner.get(`${api}/1`);
}
