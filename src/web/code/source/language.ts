/** Grammars of files that are known by their whole name. */
const BY_NAME: Readonly<Record<string, string>> = {
  '.bashrc': 'bash',
  '.gitconfig': 'ini',
  '.editorconfig': 'ini',
  '.npmrc': 'ini',
  'cmakelists.txt': 'cmake',
  containerfile: 'dockerfile',
  dockerfile: 'dockerfile',
  gemfile: 'ruby',
  'go.mod': 'go',
  gnumakefile: 'makefile',
  jenkinsfile: 'groovy',
  makefile: 'makefile',
  'nginx.conf': 'nginx',
  rakefile: 'ruby',
  vagrantfile: 'ruby',
};

/** Grammars of endings that the highlighter itself does not know as names. */
const BY_ENDING: Readonly<Record<string, string>> = {
  cfg: 'ini',
  cjs: 'javascript',
  clj: 'clojure',
  conf: 'ini',
  csproj: 'xml',
  cts: 'typescript',
  cxx: 'cpp',
  erl: 'erlang',
  f90: 'fortran',
  gradle: 'groovy',
  hh: 'cpp',
  hrl: 'erlang',
  kts: 'kotlin',
  lhs: 'haskell',
  m: 'objectivec',
  ml: 'ocaml',
  mli: 'ocaml',
  mk: 'makefile',
  mts: 'typescript',
  pas: 'delphi',
  plist: 'xml',
  pm: 'perl',
  proto: 'protobuf',
  ps1: 'powershell',
  pyi: 'python',
  r: 'r',
  rkt: 'scheme',
  scm: 'scheme',
  sv: 'verilog',
  v: 'verilog',
  vhd: 'vhdl',
  vue: 'xml',
  svelte: 'xml',
  xsd: 'xml',
  xsl: 'xml',
};

/** The grammar that a file is highlighted by, from its name alone; empty when none is known. */
export function grammarOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const known = BY_NAME[name];
  if (known !== undefined) return known;
  const dot = name.lastIndexOf('.');
  const ending = dot === -1 ? '' : name.slice(dot + 1);
  return BY_ENDING[ending] ?? (ending === 'txt' ? '' : ending);
}
