// Corners of the states of Terraform and the boxes of Vagrant: serials, locks, names, versions in order, deletes.
import { tgz } from './_lib.mjs';

const state = (serial, more = {}) => ({ version: 4, terraform_version: '1.11.2', serial, lineage: 'a1b2c3d4-0000-4000-8000-00000000aaaa', outputs: {}, resources: [], ...more });
const claim = (ID) => ({ ID, Operation: 'OperationTypeApply', Info: '', Who: 'ann@desk', Version: '1.11.2', Created: '2025-03-04T05:06:07Z', Path: '' });

export default async function (t) {
  const owner = await t.user('owner');
  const base = `//api/packages/${owner.name}/terraform/state`;
  const api = `/packages/${owner.name}`;
  for (const name of ['Net', 'a.b', 'a_b-c', '-', '..', 'a+b', '@x', 'ä', 'n'.repeat(200)]) await owner.post(`${base}/${encodeURIComponent(name)}`, state(1));
  await owner.get(`${base}/net`, { body: ({ serial }) => serial });
  await owner.head(`${base}/Net`);
  for (const serial of [10, 9, 2, 0, null, 2 ** 40]) await owner.post(`${base}/Net`, state(serial));
  await owner.get(`${base}/Net`, { body: ({ serial }) => serial });
  await owner.get(`${api}/terraform/Net`, { body: (json) => json.map(({ version }) => version).sort() });
  await owner.get(`${base}/Net/versions/010`);
  await owner.get(`${base}/Net/versions/`);
  await owner.get(`${base}/Net/versions`);
  await owner.get(`${base}`);
  await owner.put(`${base}/Net`, state(11), { body: 'ignore' });
  await owner.get(`${base}/Net/lock`, { body: 'ignore' });
  // locks by the methods of Terraform
  await owner.request('LOCK', `${base}/Net/lock`, { json: claim('one'), body: 'ignore' });
  await owner.post(`${base}/Net/lock`, claim('one'));
  await owner.post(`${base}/Net/lock`, claim('two'));
  await owner.post(`${base}/Net?ID=`, state(20));
  await owner.post(`${base}/Net?ID=one`, state(20));
  await owner.delete(`${base}/Net/versions/20`);
  await owner.delete(`${base}/Net/versions/2`);
  await owner.delete(`${api}/terraform/Net/9`);
  await owner.delete(`${base}/Net/lock`, claim('one'));
  await owner.delete(`${base}/Net/versions/20`);
  await owner.get(`${base}/Net`, { body: ({ serial }) => serial });
  await owner.post(`${base}/fresh/lock`, claim('early'));
  await owner.get(`${base}/fresh`);
  await owner.post(`${base}/fresh?ID=early`, state(1));
  await owner.delete(`${base}/fresh/lock`, claim('early'));
  await owner.delete(`${base}/fresh/versions/1`);
  await owner.get(`${base}/fresh`);
  await owner.post(`${base}/fresh`, state(1));
  await owner.get(`${base}/fresh`, { body: ({ serial }) => serial });
  await owner.delete(`${base}/none/lock`, claim('x'));
  await owner.delete(`${base}/none`);
  await owner.delete(`${base}/none/versions/1`);

  const boxes = `//api/packages/${owner.name}/vagrant`;
  const box = tgz({ 'metadata.json': '{"provider":"libvirt","architecture":"amd64"}', 'box.img': 'disk' });
  const put = (path, raw = box) => owner.put(`${boxes}/${path}`, undefined, { raw });
  for (const path of ['Deb/1.0.0/libvirt.box', 'deb/v2.0.0/x.box', 'deb/1.0.0-rc.1/x.box', 'deb/1.0.1.2/x.box', 'deb/1.2.3.4.5/x.box', 'deb/01.2/x.box', 'a_b.c-d/1.0.0/x.box', 'a+b/1.0.0/x.box', 'deb/1.1.0/a_b.c.box', 'deb/1.1.0/.box', 'deb/1.1.0/x.BOX', 'deb/1.1.0/a%20b.box']) await put(path);
  await put('deb/1.1.0/empty.box', tgz({}));
  await put('deb/1.1.0/bare.box', tgz({ 'box.img': 'disk' }));
  await t.anonymous.get(`${boxes}/DEB`, { body: ({ name, versions }) => ({ name, versions: versions.map(({ version, providers }) => `${version} ${providers.map((provider) => `${provider.name} ${provider.url.replace(/^.*\/vagrant\//, '')} ${provider.checksum_type}`).sort()}`) }) });
  await t.anonymous.get(`${boxes}/DEB/1.0.0/LIBVIRT.box`, { body: 'sha256' });
  await t.anonymous.head(`${boxes}/deb/1.0.0/libvirt.box`);
  await t.anonymous.get(`${boxes}/deb/1.0.0/libvirt.box`, { headers: { range: 'bytes=0-1' }, body: 'sha256' });
  for (const path of ['deb/1.0.0', 'deb/1.0.0/', 'deb/latest', '', 'deb/1.0.0/none.box', 'deb/9.0.0/x.box']) await t.anonymous.get(`${boxes}/${path}`);
  await owner.delete(`${boxes}/deb/1.0.0/libvirt.box`);
  await owner.get(`${api}/vagrant/deb/1.0.0-rc.1/files`, { body: (json) => json.map(({ name }) => name) });
  await owner.delete(`${api}/vagrant/deb`);
  await t.anonymous.get(`${boxes}/deb`);
  await put('deb/1.0.0/libvirt.box');
  await t.anonymous.get(`${boxes}/deb`, { body: ({ versions }) => versions.map(({ version }) => version) });
}
