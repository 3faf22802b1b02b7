// Corners of the chart repository: versions, names and charts of unusual shapes, partial downloads, republication.
import { refused, tgz } from './_lib.mjs';

const chart = (yaml, at = 'x/Chart.yaml', more = {}) => tgz({ [at]: yaml, ...more });
export default async function (t) {
  const owner = await t.user('owner');
  const base = `//api/packages/${owner.name}/helm`;
  const api = `/packages/${owner.name}/helm`;
  const push = (yaml, label, options = {}) => owner.post(`${base}/api/charts`, undefined, { raw: typeof yaml === 'string' ? chart(yaml) : yaml, label: `push ${label}`, ...options });
  const lines = (json, { text }) => text.split('\n').map((line) => line.trim().replace(/^- /, '').replace(/["']/g, '')).filter((line) => /^((apiVersion|name|version|type|appVersion|description|home|repository|contextPath|email|kubeVersion|deprecated|icon|alias|condition):|http)/.test(line)).sort();
  await t.anonymous.get(`${base}/index.yaml`, { body: lines });
  for (const version of ['1.9.0', '1.10.0', '2.0.0-rc.1', '1.0', 'v3.0.0', '4.0.0+build.1', '4.0.0', '"5"', '6', '01.2.3', '7.0.0-', '1.2.3.4']) await push(`apiVersion: v2\nname: order\nversion: ${version}\n`, `order ${version}`);
  await owner.get(`${api}/order`, { body: (json) => json.map(({ version }) => version).sort() });
  await owner.get(`${api}/order/-/latest`, { body: ({ version }) => version });
  for (const name of ['Upper', 'a_b', 'a.b', '-a', 'a-', '1', '""', '~', '5']) await push(`apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`, `name ${name}`);
  // charts of unusual shapes
  const shapes = {
    s1: 'apiVersion: v1\nname: s1\nversion: 1.0.0\n', s2: 'name: s2\nversion: 1.0.0\n', s3: 'apiVersion: v3\nname: s3\nversion: 1.0.0\n', s4: 'apiVersion: v2\nname: s4\nversion: 1.0.0\ntype: library\ndeprecated: true\nkubeVersion: ">=1.20"\nicon: https://icon.example.com/a.png\nannotations:\n  a: "1"\ncondition: a.b\ntags: x\n',
    s5: 'apiVersion: v2\nname: s5\nversion: 1.0.0\nhome: no address\nsources: [no]\nicon: javascript:alert(1)\n', s6: 'apiVersion: v2\nname: s6\nversion: 1.0.0\nkeywords:\nmaintainers:\ndependencies:\nappVersion:\n',
    s7: 'apiVersion: v2\nname: s7\nversion: 1.0.0\nappVersion: 1.5\n', s8: 'apiVersion: v2\nname: s8\nversion: 1.0.0\nunknown: 1\nmaintainers:\n- name: A\n  url: https://a.example.com\n',
    s9: 'apiVersion: v2\nname: s9\nversion: 1.0.0\ndependencies:\n- name: d\n  version: 1.x\n  condition: d.on\n  tags: [t]\n  enabled: true\n  import-values: [x]\n  alias: e\n',
    s12: '{"apiVersion":"v2","name":"s12","version":"1.0.0"}', s15: 'apiVersion: v2\nname: s15\nversion: 1.0.0\nicon: 5\n',
  };
  for (const [name, yaml] of Object.entries(shapes)) {
    await push(yaml, name, { body: 'ignore' });
    await owner.get(`${api}/${name}/1.0.0`, { body: ({ name: found }) => found });
  }
  await t.anonymous.get(`${base}/index.yaml`, { body: lines });
  await push(chart('apiVersion: v2\nname: top\nversion: 1.0.0\n', 'Chart.yaml'), 'top');
  await push(chart('apiVersion: v2\nname: deep\nversion: 1.0.0\n', 'a/b/Chart.yaml'), 'deep');
  await push(chart('apiVersion: v2\nname: dotted\nversion: 1.0.0\n', './x/Chart.yaml'), 'dotted');
  await push(tgz({ 'x/charts/y/Chart.yaml': 'apiVersion: v2\nname: inner\nversion: 1.0.0\n', 'x/Chart.yaml': 'apiVersion: v2\nname: outer\nversion: 1.0.0\n' }), 'outer');
  await push(tgz({ 'x/chart.yaml': 'apiVersion: v2\nname: lower\nversion: 1.0.0\n' }), 'lower');
  await refused(t, 'an empty body', owner.send('POST', `${base}/api/charts`, { raw: '' }));
  await owner.post(`${base}/api/prov`, undefined, { raw: 'x' });
  await t.anonymous.get(`${base}/api/charts`);
  await t.anonymous.get(`${base}/`);
  const file = `${base}/order-1.9.0.tgz`;
  await t.anonymous.head(file);
  await t.anonymous.head(`${base}/index.yaml`);
  await t.anonymous.get(file, { headers: { range: 'bytes=0-4' }, body: 'sha256' });
  await t.anonymous.get(`${base}/ORDER-1.9.0.TGZ`, { body: 'sha256' });
  for (const path of ['order-1.9.0', 'order-1.9.0.tgz.prov', 'order', 'order-4.0.0%2Bbuild.1.tgz', 'order-4.0.0+build.1.tgz', 'order-v3.0.0.tgz', 'order-3.0.0.tgz']) await t.anonymous.get(`${base}/${path}`, { body: 'sha256' });
  await push('apiVersion: v2\nname: order\nversion: 1.9.0\ndescription: again\n', 'again');
  await owner.delete(`${api}/order/1.9.0`);
  await push('apiVersion: v2\nname: order\nversion: 1.9.0\ndescription: again\n', 'again');
  await t.anonymous.get(file, { body: 'sha256' });
  await owner.delete(`${api}/1/1.0.0`);
  await owner.get(`${api}/1`);
}
