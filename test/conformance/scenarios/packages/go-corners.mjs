// Corners of the Go module proxy: versions, module paths and archives of unusual shapes, escaped paths, partial downloads, republication.
import { refused, zip } from './_lib.mjs';

export default async function (t) {
  const owner = await t.user('owner');
  const base = `//api/packages/${owner.name}/go`;
  const api = `/packages/${owner.name}/go`;
  const put = (files, label) => owner.put(`${base}/upload`, undefined, { raw: zip(files), label: `upload ${label}` });
  const module = (name, version, text = `module ${name}\n`) => put({ [`${name}@${version}/go.mod`]: text, [`${name}@${version}/x.go`]: 'package x\n' }, `${name} ${version}`);
  for (const version of ['v1.9.0', 'v1.10.0', 'v2.0.0-rc.1', 'v1.0', 'v1', '1.0.0', 'v0.0.0-20240101010101-abcdefabcdef', 'v2.0.0+incompatible', 'v1.2.3+build', 'latest', 'V3.0.0']) await module('example.com/order', version);
  await t.anonymous.get(`${base}/example.com/order/@v/list`, { body: (json, { text }) => text.split('\n').sort() });
  for (const name of ['example.com/Upper', 'a', 'a/b', 'example.com/x/v2', 'gopkg.in/x.v1', 'example.com/-a', 'EXAMPLE.com/ORDER']) await module(name, 'v1.0.0');
  await owner.get(`/packages/${owner.name}?type=go`, { body: (json) => json.map(({ name, version }) => `${name} ${version}`).sort() });
  for (const path of ['example.com/Upper/@v/list', 'example.com/upper/@v/list', 'example.com/Upper/@v/v1.0.0.mod', 'example.com/x/v2/@v/v1.0.0.mod', 'example.com/order/@v/V1.9.0.mod', 'example.com/order/@v/v1.9.mod', 'example.com/order/@v/latest.info', 'example.com/order/@v/v1.9.0', 'example.com/order/@v/v1.9.0.txt', 'example.com/order/@v/', 'example.com/order', 'example.com/order/@latest/', 'example.com/order/@v/v2.0.0+incompatible.mod', 'example.com/order/@v/v2.0.0%2Bincompatible.mod', 'sumdb/sum.golang.org/supported', 'sumdb/sum.golang.org/latest', '']) await t.anonymous.get(`${base}/${path}`);
  await put({ 'example.com/bare@v1.0.0/x.go': 'package x\n' }, 'bare');
  await put({ 'example.com/sub@v1.0.0/inner/go.mod': 'module inner\n' }, 'sub');
  await put({ 'example.com/mixed@v1.0.0/go.mod': 'module example.com/other\n', 'example.com/mixed@v2.0.0/x.go': '' }, 'mixed');
  await put({ 'go.mod': 'module example.com/top\n' }, 'top');
  await put({}, 'empty');
  await t.anonymous.get(`${base}/example.com/bare/@v/v1.0.0.mod`);
  await t.anonymous.get(`${base}/example.com/sub/@v/v1.0.0.mod`);
  await t.anonymous.get(`${base}/example.com/mixed/@v/v1.0.0.mod`);
  await refused(t, 'an empty body', owner.send('PUT', `${base}/upload`, { raw: '' }));
  await owner.post(`${base}/upload`);
  await t.anonymous.get(`${base}/upload`);
  const file = `${base}/example.com/order/@v/v1.9.0.zip`;
  await t.anonymous.head(file);
  await t.anonymous.get(file, { headers: { range: 'bytes=0-3' } });
  await t.anonymous.head(`${base}/example.com/order/@v/list`);
  await owner.delete(`${api}/example.com%2Forder/v1.9.0`);
  await t.anonymous.get(file);
  await module('example.com/order', 'v1.9.0');
  await module('example.com/ORDER', 'v1.9.0');
  await owner.delete(`${api}/example.com%2Fbare/v1.0.0`);
  await t.anonymous.get(`${base}/example.com/bare/@v/list`);
  await t.anonymous.get(`${base}/example.com/bare/@latest`);
  await owner.get(`${api}/example.com%2Fbare`);
}
