#!/usr/bin/perl
# Connects sshd to Copse by a Unix socket, which a shell script cannot open.
#
#   copse-ssh.pl SOCKET keys FINGERPRINT       as AuthorizedKeysCommand
#   copse-ssh.pl SOCKET principals CERTIFICATE as AuthorizedPrincipalsCommand
#   copse-ssh.pl SOCKET session IDENTITY       as the command of every key
#
# Sent: the length of the rest, then fields, each with its length before it. Received: frames of a letter, a length and as many bytes:
# o and e for standard output and error, r to relay the client's input, g to become git, x to end with an exit code.
use strict;
use warnings;
use Socket;

my ($path, $mode, $argument) = @ARGV;
# The socket stays open in git: when it closes, git has ended.
$^F = 255;
my ($server, $sender);
socket($server, AF_UNIX, SOCK_STREAM, 0) && connect($server, pack_sockaddr_un($path)) or fail();

my @fields = ($mode, $argument);
if ($mode eq 'session') {
  push @fields, map { $_ // '' } @ENV{qw(SSH_ORIGINAL_COMMAND GIT_PROTOCOL SSH_CONNECTION)}, $$;
  # So that git can be stopped with all that it starts.
  setpgrp(0, 0);
}
my $request = pack('(N/a*)*', @fields);
write_all($server, pack('N/a*', $request)) or fail();

while (1) {
  my ($kind, $length) = unpack('aN', read_exactly(5));
  my $bytes = read_exactly($length);
  if ($kind eq 'o') { write_all(\*STDOUT, $bytes) or finish(1) }
  elsif ($kind eq 'e') { write_all(\*STDERR, $bytes) or finish(1) }
  elsif ($kind eq 'r') { send_input() }
  elsif ($kind eq 'g') { become($bytes) }
  elsif ($kind eq 'x') { finish($bytes) }
}

sub send_input {
  $sender = fork() // fail();
  return if $sender;
  while (sysread(STDIN, my $bytes, 65536)) { write_all($server, $bytes) or last }
  shutdown($server, 1);
  exit(0);
}

# The folder, how many variables, these, and the program with its arguments.
sub become {
  my ($folder, $count, @rest) = unpack('(N/a*)*', $_[0]);
  %ENV = splice(@rest, 0, 2 * $count);
  chdir($folder) or fail();
  exec { $rest[0] } @rest or fail();
}

sub read_exactly {
  my ($length) = @_;
  my $bytes = '';
  while (length($bytes) < $length) {
    sysread($server, $bytes, $length - length($bytes), length($bytes)) or fail();
  }
  return $bytes;
}

sub write_all {
  my ($to, $bytes) = @_;
  my $at = 0;
  while ($at < length($bytes)) {
    my $written = syswrite($to, $bytes, length($bytes) - $at, $at) or return 0;
    $at += $written;
  }
  return 1;
}

sub finish {
  kill('TERM', $sender) if $sender;
  exit($_[0]);
}

sub fail {
  print STDERR "error: the Copse server cannot be reached\n";
  finish(1);
}
