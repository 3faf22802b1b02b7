// Corners of the NuGet registry: versions and names of unusual shapes, searches and paging, the older feed, republication.
import { refused, zip } from './_lib.mjs';

const nuspec = (id, version, extra = '', base = '<authors>Ann</authors><description>Does things</description>') => `<?xml version="1.0"?><package><metadata><id>${id}</id><version>${version}</version>${base}${extra}</metadata></package>`;

export default async function (t) {
  const owner = await t.user('owner');
  const base = `//api/packages/${owner.name}/nuget`;
  const api = `/packages/${owner.name}/nuget`;
  const push = (id, version, extra, plain) => owner.put(`${base}/`, undefined, { raw: zip({ 'x.nuspec': nuspec(id, version, extra, plain) }), label: `push ${id} ${version}` });
  const versions = { body: (json) => json.versions };
  for (const version of ['1.9.0', '1.10.0', '2.0.0-rc.1', '2.0.0-RC.2', '1.0', '1.0.0.0', '1.0.0.5', '1', '1.2.3.4.5', '01.2.3', '3.0.0+build', '3.0.0', 'v5.0.0', '', '7.0.0-', '1.0.0-beta.2', '1.0.0-beta.10']) await push('Order', version);
  await t.anonymous.get(`${base}/package/order/index.json`, { body: (json) => json.versions.sort() });
  await t.anonymous.get(`${base}/registration/order/index.json`, { body: ({ count, items }) => ({ count, items: items.map(({ count: inner, lower, upper, items: leaves }) => ({ inner, lower, upper, leaves: leaves.map(({ catalogEntry }) => catalogEntry.version).sort() })) }) });
  await owner.get(`${api}/order`, { body: (json) => json.map(({ name, version }) => `${name} ${version}`).sort() });
  await owner.get(`${api}/order/-/latest`, { body: ({ version }) => version });
  for (const id of ['Under_score', 'Dash-ed', 'a', '1', '.a', 'a.', 'a..b', '_a', 'é', 'a b', 'a/b', '', 'x'.repeat(100), 'x'.repeat(101), 'ORDER']) await push(id, '1.0.0');
  await owner.get(api.replace('/nuget', '?type=nuget'), { body: (json) => [...new Set(json.map(({ name }) => name))].sort() });
  // metadata of unusual shapes
  await push('NoAuthors', '1.0.0', '', '');
  await push('Links', '1.0.0', '<projectUrl>no address</projectUrl><licenseUrl>javascript:alert(1)</licenseUrl><iconUrl></iconUrl><repository url="no address"/><license type="expression">MIT</license><readme>README.md</readme><packageTypes><packageType name="DotnetTool"/></packageTypes>');
  await push('Deps', '1.0.0', '<dependencies><dependency id="Flat" version="1.0"/><group targetFramework="net6.0"/><group targetFramework="net8.0"><dependency id="B" version="[1.0,2.0)"/><dependency id="C"/><dependency version="1"/></group></dependencies>');
  await push('Symbols', '1.0.0', '<packageTypes><packageType name="SymbolsPackage"/></packageTypes>');
  await push('Min', '1.0.0', '<requireLicenseAcceptance>true</requireLicenseAcceptance><minClientVersion>5.0</minClientVersion><owners>Eve</owners><developmentDependency>true</developmentDependency><tags>a, b</tags>');
  for (const name of ['noauthors', 'links', 'deps', 'min']) {
    await t.anonymous.get(`${base}/registration/${name}/index.json`);
    await t.anonymous.get(`${base}/registration/${name}/1.0.0.json`);
    await t.anonymous.get(`${base}/query?q=${name}`);
    await t.anonymous.get(`${base}/Packages(Id='${name}',Version='1.0.0')`, { body: (json, { text }) => [...text.matchAll(/<(d:\w+)\b([^>]*)>([^<]*)</g)].map(([, tag, attributes, value]) => `${tag}${attributes.replace(/m:type/, 'type')} ${value}`).filter((line) => !/Created|Updated|Published|PackageSize|Dependencies/.test(line)) });
  }
  await refused(t, 'two specifications', owner.send('PUT', `${base}/`, { raw: zip({ 'x.nuspec': '<x', 'y.nuspec': nuspec('Y', '1.0.0') }) }));
  for (const files of [{ 'sub/x.nuspec': nuspec('Sub', '1.0.0') }, { 'X.NUSPEC': nuspec('Upper', '1.0.0') }, {}]) await owner.put(`${base}/`, undefined, { raw: zip(files) });
  // searches
  const hits = { body: ({ totalHits, data }) => ({ totalHits, ids: data.map(({ id }) => id) }) };
  const count = { body: ({ totalHits, data }) => ({ totalHits, length: data.length }) };
  for (const query of ['q=ORDER', 'q=ord%20er', 'q=under_', 'q=order&prerelease=true', 'q=order&semVerLevel=2.0.0']) await t.anonymous.get(`${base}/query?${query}`, hits);
  for (const query of ['take=0', 'take=-1', 'take=x', 'take=1000', 'skip=-1', 'skip=x', 'skip=999', 'skip=1&take=2']) await t.anonymous.get(`${base}/query?${query}`, count);
  const entries = { body: (json, { text }) => ({ entries: text.split('<entry').length - 1, count: text.match(/<m:count[^>]*>(\d+)/)?.[1], next: /rel="next"/.test(text) }) };
  for (const query of ["Search()?searchTerm='order'", "Search()?searchTerm='order'&$top=2", "Search()?searchTerm='order'&$skip=2&$top=2", "Search()?searchTerm='order'&$top=x", "FindPackagesById()?id='ORDER'", "FindPackagesById()?id='none'", "FindPackagesById()?id=order", "FindPackagesById()", "Packages()?$filter=tolower(Id)%20eq%20'order'", "Packages()", "Packages()?$filter=nonsense", "Packages()?$top=3", "Search()"]) await t.anonymous.get(`${base}/${query}`, entries);
  for (const query of ["Search()/$count", "Search()/$count?searchTerm='order'", "Packages()/$count?$filter=Id%20eq%20'order'", "FindPackagesById()/$count?id='none'", "Packages/$count"]) await t.anonymous.get(`${base}/${query}`);
  for (const query of ["Packages(Id='none',Version='1.0.0')", "Packages(Id='order',Version='9.0.0')", "Packages(Id='order')", "Packages(Id='order',Version='1.9')", 'none', 'v3/index.json', 'registration', 'package/order', 'registration/order/1.9.0', 'registration/order/1.9']) await t.anonymous.get(`${base}/${query}`, { body: 'size' });
  // downloads
  const file = `${base}/package/order/1.9.0/order.1.9.0.nupkg`;
  await t.anonymous.head(file);
  await t.anonymous.get(file, { headers: { range: 'bytes=0-1' } });
  await t.anonymous.get(`${base}/package/ORDER/1.9.0/Order.1.9.0.nupkg`, { body: 'sha256' });
  await t.anonymous.get(`${base}/package/order/1.9/order.1.9.0.nupkg`);
  await t.anonymous.get(`${base}/package/order/1.9.0/Order.nuspec`, { body: 'size' });
  // republication
  await owner.delete(`${base}/ORDER/1.9.0`);
  await push('ORDER', '1.9.0');
  await push('order', '1.9.0.0');
  await owner.delete(`${base}/order/1.9`);
  await owner.delete(`${base}/none/1.0.0`);
  await owner.post(`${base}/order/1.9.0`);
  await owner.delete(`${base}/a/1.0.0`);
  await t.anonymous.get(`${base}/package/a/index.json`);
  await t.anonymous.get(`${base}/registration/a/index.json`);
  await owner.get(`${api}/a`);
}
