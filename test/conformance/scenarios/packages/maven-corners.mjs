// Corners of the Maven repository: paths, POMs of unusual shapes, names, checksums, partial downloads, republication.
import { digest, refused } from './_lib.mjs';

const pom = (version, extra = '', group = '<groupId>org.example</groupId>') => `<project>${group}<artifactId>lib</artifactId><version>${version}</version>${extra}</project>`;
const tags = (json, { text: xml }) => [...xml.matchAll(/<(groupId|artifactId|latest|release|version)>([^<]*)/g)].map(([, tag, value]) => `${tag} ${value}`);

export default async function (t) {
  const owner = await t.user('owner');
  const base = `//api/packages/${owner.name}/maven`;
  const api = `/packages/${owner.name}/maven`;
  const put = (path, raw, options) => owner.put(`${base}/${path}`, undefined, { raw, ...options });
  // paths
  for (const path of ['a', 'a/b', 'a/b/c', 'a/b/c/d', 'a/b/c/d/e.jar', 'a/b/1/', 'a//1/x.jar', 'g/a/1:0/a.jar', 'g/a/1%200/a.jar', 'g/a/1.0/a%20b.jar', 'g/a/%C3%A9/a.jar', 'G/A/1.0/A-1.0.JAR', 'g/a/1.0/.hidden', 'g/a/1.0/maven-metadata.xml.sha1', 'g/maven-metadata.xml', 'g/a/1.0/x.asc', 'g/a/1.0/x.MD5', 'g/a/1.0/x.sha1.sha1']) await put(path, 'content');
  for (const path of ['a', 'a/b', 'a/b/c', 'a/b/c/d', 'g/a/1.0/A-1.0.jar', 'G/A/1.0/A-1.0.JAR', 'g/a/1.0/', 'g/a/1.0', 'g/a/maven-metadata.xml', 'g/A/maven-metadata.xml', 'g/a/1.0/maven-metadata.xml', 'g/a/1.0/x.asc', 'g/a/1.0/x.sha1', 'g/a/1.0/x.asc.sha1', '']) await t.anonymous.get(`${base}/${path}`, path.endsWith('metadata.xml') ? { body: (json, answer) => tags(json, answer).filter((line) => line.startsWith('version')).sort() } : {});
  await owner.get(`${api}?type=maven`, { body: (json) => json.map(({ name, version }) => `${name} ${version}`).sort() });
  // POMs of unusual shapes
  const poms = {
    1: pom('1'), 2: pom('2', '', '<parent><groupId>org.parent</groupId><artifactId>p</artifactId><version>9</version></parent>'), 3: pom('3', '', ''), 4: '<project/>', 5: '<other/>', 6: '',
    7: pom('7', '<url>no address</url><name> Spaces </name><description>\n  Lines\n</description>'), 8: pom('8', '<licenses/><dependencies><dependency><groupId>a</groupId></dependency></dependencies>'),
    9: pom('another'), 10: `<?xml version="1.0" encoding="ISO-8859-1"?>${pom('10')}`, 11: `<!DOCTYPE x [<!ENTITY y "z">]>${pom('11', '<name>&y;</name>')}`, 12: `\ufeff${pom('12')}`,
  };
  for (const [version, text] of Object.entries(poms)) {
    await put(`org/example/lib/${version}/lib-${version}.pom`, text, { body: 'ignore' });
    await owner.get(`${api}/org.example:lib/${version}`);
  }
  await t.anonymous.get(`${base}/org/example/lib/maven-metadata.xml`, { body: (json, answer) => tags(json, answer).sort().filter((line) => line.startsWith('version')) });
  // checksums
  const jar = 'jar';
  const at = 'org/example/lib/1/lib-1.jar';
  await put(at, jar);
  for (const kind of ['md5', 'sha1', 'sha256', 'sha512']) {
    await put(`${at}.${kind}`, digest(kind, jar));
    await put(`${at}.${kind}`, `${digest(kind, jar)}\n`);
    await put(`${at}.${kind}`, `${digest(kind, jar)}  lib-1.jar`);
    await put(`${at}.${kind}`, digest(kind, jar).toUpperCase());
    await t.anonymous.head(`${base}/${at}.${kind}`);
  }
  await put(`${at}.sha1`, '');
  // downloads
  await t.anonymous.head(`${base}/${at}`);
  await t.anonymous.get(`${base}/${at}`, { headers: { range: 'bytes=1-' } });
  await t.anonymous.get(`${base}/${at}`, { headers: { range: 'bytes=9-' }, body: 'ignore' });
  await t.anonymous.head(`${base}/org/example/lib/maven-metadata.xml`, { body: 'ignore' });
  await owner.delete(`${base}/${at}`);
  await owner.post(`${base}/${at}`);
  await put(at, 'other');
  await owner.delete(`${api}/org.example:lib/1`);
  await put(at, 'other');
  await t.anonymous.get(`${base}/${at}`);
  await owner.get(`${api}/org.example%3Alib/-/latest`, { body: ({ version }) => version });
  await owner.delete(`${api}/g:a`);
  await t.anonymous.get(`${base}/g/a/maven-metadata.xml`);
  // snapshots
  for (const file of ['s-1-20240101.010101-1.pom', 's-1-20240101.010101-1.jar', 's-1-20240102.010101-2.jar', 's-1-SNAPSHOT.jar']) await put(`o/s/1-SNAPSHOT/${file}`, file.endsWith('pom') ? pom('1-SNAPSHOT') : file);
  await t.anonymous.get(`${base}/o/s/1-SNAPSHOT/maven-metadata.xml`);
  await t.anonymous.get(`${base}/o/s/1-SNAPSHOT/s-1-SNAPSHOT.jar`);
  await t.anonymous.get(`${base}/o/s/1-snapshot/s-1-20240101.010101-1.jar`);
  await t.anonymous.get(`${base}/o/s/maven-metadata.xml`, { body: tags });
  await owner.get(`${api}/o:s/1-SNAPSHOT/files`, { body: (json) => json.map(({ name }) => name).sort() });
  await refused(t, 'a reader', (await owner.token(['read:package'])).send('PUT', `${base}/o/s/2/s-2.jar`, { raw: 'x' }));
}
