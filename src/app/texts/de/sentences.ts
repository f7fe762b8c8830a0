/** What the API says in English when it refuses something, for whoever reads German. */
import type { ErrorCode } from '../../../core/errors.ts'

export const sentences: Partial<Record<ErrorCode, string>> = {
  invalid_input: 'Prüfe, was du eingegeben hast.',
  invalid_document: 'Der Inhalt hat nicht die Form einer Seite.',
  invalid_condition: 'Die Bedingung ist kein Ausdruck, den Lectern auswerten kann.',
  unauthenticated: 'Melde dich wieder an. Was du geschrieben hast, bleibt auf diesem Gerät.',
  wrong_credentials: 'Die E-Mail-Adresse oder das Passwort stimmt nicht.',
  forbidden: 'Du darfst das sehen, aber deine Rolle erlaubt diesen Schritt nicht.',
  sso_required: 'Diese Organisation verlangt, dass du dich mit Single Sign-on anmeldest.',
  not_found: 'Es gibt das nicht, oder du darfst es nicht sehen.',
  conflict: 'Das passt nicht mehr zum jetzigen Stand. Sieh nach, was sich geändert hat.',
  last_admin: 'Eine Organisation behält immer mindestens eine Person, die sie verwaltet. Ernenne zuerst eine andere.',
  already_exists: 'Etwas mit diesem Namen gibt es schon.',
  cycle: 'Nichts lässt sich in sich selbst verschieben.',
  space_locked: 'Der Bereich ist gesperrt: Sein Inhalt ändert sich nur, indem ein Änderungsantrag übernommen wird.',
  space_translated:
    'Der Bereich ist eine Übersetzung: Sein Inhalt folgt dem Bereich, aus dem er übersetzt wird. Ändere jenen.',
  change_request_closed: 'Er ist übernommen oder archiviert und nimmt keine Änderungen mehr an.',
  edit_conflict: 'Jemand hat inzwischen dieselben Wörter geändert.',
  unresolved_conflicts: 'Einige Blöcke haben noch beide Fassungen. Entscheide dich bei jedem, dann übernimm.',
  restore_expired: 'Es wurde vor mehr als sieben Tagen gelöscht und ist endgültig fort.',
  precondition_failed: 'Es hat sich geändert, seit du es gelesen hast. Lade es neu und versuch es noch einmal.',
  shown_on_site: 'Eine Website zeigt diesen Bereich. Nimm ihn zuerst von der Website.',
  too_large: 'Es ist größer, als hier angenommen wird.',
  pdf_failed: 'Daraus ließ sich kein Buch setzen. Drucke einen Teil davon: eine Seite.',
  rate_limited: 'Warte einen Moment und versuch es dann noch einmal.',
  internal_error: 'Der Fehler liegt beim Server. Versuch es noch einmal.',
  overloaded: 'Der Server hat gerade viel zu tun. Versuch es gleich noch einmal.',
  storage_unavailable:
    'Die Datenbank ist gerade nicht zu erreichen. Nichts wurde geändert; versuch es gleich noch einmal.',
  storage_full: 'Es ist kein Platz mehr, um das zu speichern. Nichts wurde geändert.',
}
