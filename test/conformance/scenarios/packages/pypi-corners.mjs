// Corners of the Python registry: versions and names of unusual shapes, fields, types of files, partial downloads, republication.
import { digest, tgz } from './_lib.mjs';

export default async function (t) {
  const owner = await t.user('owner');
  const base = `//api/packages/${owner.name}/pypi`;
  const api = `/packages/${owner.name}/pypi`;
  const sdist = tgz({ 'x/PKG-INFO': 'Name: x\n' });
  const upload = (name, version, fields = {}, filename = `${name}-${version}.tar.gz`) => owner.post(`${base}/`, undefined, { form: { name, version, sha256_digest: digest('sha256', sdist), ...fields, content: { content: sdist, filename } } });
  const links = (json, { text }) => [...text.matchAll(/<a ([^>]*)>([^<]*)<\/a>/g)].map(([, attributes, label]) => ({ attributes, label })).sort((a, b) => (a.label < b.label ? -1 : 1));
  for (const version of ['1.9', '1.10', '2.0rc1', '2.0.dev1', '1!0.1', '1.0.post2', '1.0-1', 'v1.2', '1.0+local.1', '1.0+ubuntu-1', '1.0a1', '1.0alpha1', '1.0.0-beta', '1.0_1', '1.0RC1', '', ' 1', '1.0.*', '1..0', '2024.01.01']) await upload('order', version);
  await owner.get(`${api}/order`, { body: (json) => json.map(({ version }) => version).sort() });
  await owner.get(`${api}/order/-/latest`, { body: ({ version }) => version });
  await t.anonymous.get(`${base}/simple/order`, { body: links });
  for (const name of ['Dot.ted', 'a--b', 'a_-.b', 'A', '1', '_a', 'a_', 'a b', 'é', 'x/y', '', 'UPPER_case.name']) await upload(name, '1.0', {}, 'file-1.0.tar.gz');
  for (const name of ['dot-ted', 'Dot.Ted', 'dot_ted', 'a-b', 'a--b', 'A', '1', 'upper-case-name', '']) await t.anonymous.get(`${base}/simple/${name}`, { body: links });
  await t.anonymous.head(`${base}/simple/a-b`);
  await t.anonymous.get(`${base}/simple/a-b`, { headers: { accept: 'application/vnd.pypi.simple.v1+json' }, body: 'ignore' });
  // fields
  const fields = {
    f1: { requires_python: '>=3.8,<4', home_page: 'https://home.example.com', summary: '', license: 'MIT', author_email: 'a@example.com' },
    f2: { project_urls: 'Homepage,https://one.example.com' },
    f3: { project_urls: 'no address' },
    f4: { home_page: 'no address' },
    f5: { project_urls: 'Home-Page, javascript:alert(1)' },
    f6: { requires_python: '<script>&"' },
    f7: { long_description: 'Long', description: '# Md', description_content_type: 'text/markdown', keywords: 'a,b', platform: 'any', maintainer: 'Eve', classifiers: 'A :: B' },
    f8: { sha256_digest: '' },
    f9: { sha256_digest: digest('sha256', sdist).toUpperCase() },
    f10: { md5_digest: 'wrong', blake2_256_digest: 'wrong' },
    f11: { ':action': 'submit' },
    f12: { protocol_version: '9', metadata_version: '9.9', filetype: 'bdist_wheel', pyversion: 'py3' },
  };
  for (const [name, more] of Object.entries(fields)) {
    await upload(name, '1.0', more);
    await t.anonymous.get(`${base}/simple/${name}`, { body: links });
    await owner.get(`${api}/${name}/1.0`);
  }
  for (const filename of ['plain.txt', 'UPPER.WHL', 'a b.whl', 'a/b.whl', 'x+y.whl', '.whl', 'order-1.9.tar.gz']) await upload('files', '1.0', {}, filename);
  await t.anonymous.get(`${base}/simple/files`, { body: links });
  await owner.get(`${api}/files/1.0/files`, { body: (json) => json.map(({ name }) => name).sort() });
  await owner.post(`${base}/`, undefined, { form: { name: 'x', version: '1', content: 'text' }, body: 'ignore' });
  await owner.post(`${base}/`, undefined, { raw: 'name=x&version=1', type: 'application/x-www-form-urlencoded', body: 'ignore' });
  await owner.post(`${base}/`, {}, { body: 'ignore' });
  await owner.post(base, undefined, { raw: 'x', body: 'ignore' });
  await owner.get(`${base}/`);
  await owner.get(`${base}/simple`);
  await owner.get(`${base}/simple/`);
  // downloads
  const file = `${base}/files/order/1.9/order-1.9.tar.gz`;
  await t.anonymous.head(file);
  await t.anonymous.get(file, { headers: { range: 'bytes=2-5' }, body: 'sha256' });
  await t.anonymous.get(`${base}/files/Order/1.9/order-1.9.tar.gz`, { body: 'sha256' });
  await t.anonymous.get(`${base}/files/order/1.9/ORDER-1.9.tar.gz`, { body: 'sha256' });
  await t.anonymous.get(`${base}/files/order/1.9.0/order-1.9.tar.gz`);
  // republication
  await owner.delete(`${api}/order/1.9`);
  await upload('order', '1.9');
  await upload('ORDER', '1.9');
  await upload('Order', '1.99');
  await owner.get(`${api}/order/1.99`, { body: ({ name }) => name });
  await owner.delete(`${api}/a/1.0`);
  await t.anonymous.get(`${base}/simple/a`);
  await owner.get(`${api}/a`);
}
