import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addressKey } from '../../src/text/ip-addresses.ts';

// On SQLite alone: no database is asked.

describe('addressKey', () => {
  it('takes IPv6 networks and mapped addresses together', () => {
    assert.equal(addressKey('192.0.2.1'), '192.0.2.1');
    for (const mapped of ['::ffff:192.0.2.1', '::FFFF:c000:201']) assert.equal(addressKey(mapped), '192.0.2.1');
    for (const address of ['2001:db8:1:2::1', '2001:DB8:1:2:ffff::', '2001:db8:1:2:3:4:5:6%eth0']) {
      assert.equal(addressKey(address), '2001:db8:1:2::/64');
    }
    assert.notEqual(addressKey('2001:db8:1:3::1'), addressKey('2001:db8:1:2::1'));
    assert.equal(addressKey('::1'), '0:0:0:0::/64');
    assert.equal(addressKey('nonsense'), 'nonsense');
  });
});
