// Corners of the Conan registry: channels, revisions, the older protocol, search, deletes and publishing again.
import { tgz } from './_lib.mjs';

const recipe = (name, version) => `class Recipe(ConanFile):\n    name = "${name}"\n    version = "${version}"\n    license = "MIT"\n    url = "no url"\n    description = "Says hello"\n`;
const info = '[settings]\n    os=Linux\n[requires]\n    zlib/1.3\n[options]\n    shared=True\n';

export default async function (t) {
  const owner = await t.user('owner');
  const base = `//api/packages/${owner.name}/conan`;
  const api = `/packages/${owner.name}`;
  const { text } = await owner.send('GET', `${base}/v2/users/authenticate`);
  const client = t.anonymous.with({ authorization: `Bearer ${text}` });
  const put = (path, raw) => client.put(`${base}/${path}`, undefined, { raw });
  const file = (reference, revision, name = 'conanfile.py') => `v2/conans/${reference}/revisions/${revision}/files/${name}`;
  const built = (reference, revision, id, packageRevision, name = 'conaninfo.txt') => `v2/conans/${reference}/revisions/${revision}/packages/${id}/revisions/${packageRevision}/files/${name}`;
  // references
  for (const reference of ['hello/1.0/_/_', 'hello/1.0/user/stable', 'hello/1.0/user/testing', 'hello/1.0/user/_', 'hello/1.0/_/x', 'Hello/2.0/_/_', 'h/1.0/_/_', 'hello+x.y-z/1.0+b/_/_', 'hello/a b/_/_', '-hello/1.0/_/_', 'hello/v1/_/_', 'hello/1.0/a.b+c/d-e']) await put(file(encodeURI(reference), 'rev1'), recipe('hello', '1.0'));
  for (const name of ['conanmanifest.txt', 'conan_export.tgz', 'conan_sources.tgz', 'conaninfo.txt', 'conan_package.tgz', 'other.txt']) await put(file('hello/1.0/_/_', 'rev1', name), 'x');
  await put(file('hello/1.0/_/_', '0'), recipe('hello', '1.0'));
  await put(file('hello/1.0/_/_', 'ABC_def'), recipe('hello', '1.0'));
  await put(built('hello/1.0/_/_', 'rev1', 'pkg1', 'r1'), info);
  await put(built('hello/1.0/_/_', 'rev1', 'pkg1', 'r1'), info);
  await put(built('hello/1.0/_/_', 'none', 'pkg1', 'r1'), info);
  await put(built('hello/1.0/_/_', 'rev1', 'pkg1', 'r1', 'conan_package.tgz'), tgz({}));
  await put(built('none/1.0/_/_', 'rev1', 'pkg1', 'r1'), info);
  const revisions = { body: ({ revisions: list }) => list.map(({ revision }) => revision).sort() };
  for (const reference of ['hello/1.0/_/_', 'hello/1.0/user/stable', 'HELLO/1.0/_/_', 'hello/3.0/_/_', 'hello/1.0/user/none']) await client.get(`${base}/v2/conans/${reference}/revisions`, revisions);
  await client.get(`${base}/v2/conans/hello/1.0/_/_/revisions/rev1/files`);
  await client.get(`${base}/v2/conans/hello/1.0/_/_/revisions/none/files`);
  await client.get(`${base}/v2/conans/hello/1.0/_/_/revisions/rev1/packages/pkg1/revisions`, revisions);
  await client.get(`${base}/v2/conans/hello/1.0/_/_/revisions/rev1/packages/none/revisions`, revisions);
  await client.get(`${base}/v2/conans/hello/1.0/_/_/revisions/rev1/packages/none/latest`);
  await client.get(`${base}/v2/conans/hello/1.0/_/_/revisions/rev1/packages/pkg1/revisions/r1/files`);
  await client.get(`${base}/v2/conans/hello/1.0/_/_/revisions/rev1/packages/pkg1/revisions/none/files`);
  await client.head(`${base}/${file('hello/1.0/_/_', 'rev1')}`);
  await client.get(`${base}/${file('hello/1.0/_/_', 'rev1')}`, { body: 'sha256' });
  await client.get(`${base}/${file('hello/1.0/_/_', 'rev1', 'conan_sources.tgz')}`);
  await client.get(`${base}/${file('hello/1.0/_/_', 'rev1', 'missing.txt')}`);
  await client.get(`${base}/${built('hello/1.0/_/_', 'rev1', 'pkg1', 'r1')}`);
  // search
  for (const q of ['', '*', 'h*', 'HELLO*', 'hello/*', '*/1.0', 'hello/1.0@*', 'hello/1.0@user/stable', 'hello/1.0@user/*', '%', 'hell_']) await client.get(`${base}/v2/conans/search?q=${encodeURIComponent(q)}`, { body: ({ results }) => results.sort() });
  await client.get(`${base}/v2/conans/search`, { body: ({ results }) => results?.length });
  await client.get(`${base}/v1/conans/search?q=hello`, { body: ({ results }) => results.sort() });
  for (const path of ['v2/conans/hello/1.0/_/_/search', 'v2/conans/hello/1.0/_/_/revisions/rev1/search', 'v2/conans/hello/1.0/_/_/revisions/none/search', 'v2/conans/none/1.0/_/_/search', 'v1/conans/hello/1.0/_/_/search', 'v1/conans/hello/1.0/_/_', 'v1/conans/hello/1.0/_/_/digest', 'v1/conans/hello/1.0/_/_/packages/pkg1', 'v1/conans/hello/1.0/_/_/packages/none/digest', 'v1/ping', 'v1/users/check_credentials', 'v3/ping']) await client.get(`${base}/${path}`);
  await t.anonymous.get(`${base}/v1/users/check_credentials`, { body: 'ignore' });
  await client.post(`${base}/v1/conans/old/1.0/_/_/upload_urls`, { 'conanfile.py': 10, 'conanmanifest.txt': 3, 'x.txt': 1 });
  await client.post(`${base}/v1/conans/old/1.0/_/_/packages/p/upload_urls`, { 'conaninfo.txt': 10, 'conanmanifest.txt': 3 });
  await owner.get(`${api}/conan/hello/1.0`);
  await owner.get(`${api}?type=conan`, { body: (json) => json.map(({ name, version }) => `${name} ${version}`).sort() });
  // deletes
  await client.delete(`${base}/v2/conans/hello/1.0/_/_/revisions/none`);
  await client.delete(`${base}/v2/conans/hello/1.0/user/none`);
  await client.delete(`${base}/v2/conans/hello/1.0/user/stable/revisions/rev1`);
  await client.get(`${base}/v2/conans/hello/1.0/user/stable/latest`);
  await client.delete(`${base}/v2/conans/hello/1.0/_/_/revisions/rev1/packages/none`);
  await client.delete(`${base}/v2/conans/hello/1.0/_/_/revisions/rev1/packages/pkg1/revisions/none`);
  await client.delete(`${base}/v2/conans/hello/1.0/_/_/revisions/rev1/packages/pkg1/revisions/r1`);
  await client.get(`${base}/v2/conans/hello/1.0/_/_/revisions/rev1/packages/pkg1/latest`);
  await client.post(`${base}/v1/conans/hello/1.0/_/_/packages/delete`, { package_ids: [] });
  await client.post(`${base}/v1/conans/none/1.0/_/_/packages/delete`, { package_ids: ['x'] });
  await client.delete(`${base}/v1/conans/hello/1.0/_/_`);
  await client.get(`${base}/v2/conans/hello/1.0/_/_/latest`);
  await client.get(`${base}/v2/conans/hello/1.0/user/testing/latest`, { body: ({ revision }) => revision });
  await owner.delete(`${api}/conan/hello`);
  await client.get(`${base}/v2/conans/hello/1.0/user/testing/latest`);
  await put(file('hello/1.0/_/_', 'rev1'), recipe('hello', '1.0'));
  await client.get(`${base}/v2/conans/hello/1.0/_/_/latest`, { body: ({ revision }) => revision });
}
