/** SSH keys that the accounts of the source have; nobody has their private halves. */
export const KEYS = {
  user: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHgDtykdQKQrD13pvIcbVqoYZpa9x6lsZax2AHaoF4or',
  deploy: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIN7SZ+au8M8PkCzh8hvAcH/hWzqiTTti0GORjGSSkDU0',
};
