/** Texte zu dem, was Jobs der Automatisierung dürfen. */
export const jobTokens = {
  enable: 'Workflows dieses Repositorys laufen',
  notOffered: 'Die Automatisierung ist auf dieser Instanz abgeschaltet.',
  title: 'Token der Jobs',
  ownerHint: 'Für alle Repositories ohne eigene Einstellungen. Änderungen gelten sofort, auch für laufende Jobs.',
  override: 'Eigene Einstellungen statt der des Eigentümers',
  overrideHint: 'Sonst folgt das Repository seinem Eigentümer, dessen Einstellungen hier zu sehen sind.',
  mode: 'Wenn ein Workflow keine „permissions“ hat',
  modeHint: 'Was ein Workflow unter „permissions“ verlangt, tritt an diese Stelle.',
  modes: { permissive: 'Lesen und schreiben', restricted: 'Nur lesen' },
  modeHints: {
    permissive: 'Das Token eines Jobs schreibt in alle Bereiche seines Repositorys.',
    restricted: 'Das Token eines Jobs liest Code, Releases und Pakete seines Repositorys.',
  },
  maximum: 'Höchstgrenze',
  maximumHint:
    'Mehr bekommt kein Token, was auch immer sein Workflow verlangt. Jobs für Pull Requests aus Forks lesen in jedem Fall nur Code, Releases und Pakete.',
  limit: 'Token je Bereich begrenzen',
  limitHint: 'Sonst zählen die Stufen darunter nicht.',
  shared: 'Zugriff auf andere Repositories',
  sharedHint:
    'Jobs aller Repositories dieses Eigentümers lesen diese Repositories, auch private. Jobs für Pull Requests aus Forks tun es nicht.',
  noShared: 'Jobs lesen ihr eigenes Repository und was allen offensteht.',
  repository: 'Repository',
  share: 'Jobs lesen lassen',
  owners: 'Mitbenutzende Eigentümer',
  ownersHint:
    'Private Repositories dieser Benutzer und Organisationen verwenden die Actions und Workflows dieses Repositorys: Ihre Jobs lesen es.',
  noOwners: 'Niemand sonst verwendet die Actions dieses Repositorys.',
  owner: 'Benutzer oder Organisation',
  addOwner: 'Hinzufügen',
};
