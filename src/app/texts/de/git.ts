/** The words about the repository of a space, in German. */
import type { gitEn } from '../en/git.ts'
import type { Widened } from '../texts.ts'

export const git: Widened<typeof gitEn> = {
  title: 'Git-Repository',
  none: 'Dieser Bereich hat noch kein Repository',
  noneText:
    'Ein Branch eines Git-Repositorys kommt in den Bereich, und was hier geschrieben wird, geht als Commit zurück, beides, wenn du es sagst.',
  direction: 'In welche Richtung?',
  directions: { import: 'Vom Repository in den Bereich', export: 'Vom Bereich in das Repository' },
  directionHints: {
    import: 'Seiten, Bilder und das Inhaltsverzeichnis des Branches kommen herein',
    export: 'Der Bereich wird zu Markdown-Dateien im Branch',
  },
  address: 'Adresse des Repositorys',
  addressHint:
    'Etwa https://github.com/acme/docs.git, oder ein Pfad auf dem Server, den erlaubt hat, wer ihn betreibt.',
  pathAgain: 'Das Repository liegt auf dem Server, und sein Pfad wird nicht gezeigt: Gib ihn jedes Mal wieder ein.',
  wrongAddress: 'Gib eine Adresse an, die mit https:// beginnt, oder einen vollständigen Pfad.',
  branch: 'Name des Branches',
  noBranch: 'Nenne den Branch.',
  folder: 'Ordner der Doku',
  folderHint: 'Leer, wenn sie ganz oben im Repository liegt.',
  token: 'Zugriffstoken',
  tokenHint:
    'Für private Repositorys und für alles, was zurückgeht. Es wird verschlüsselt aufbewahrt und nicht wieder gezeigt; leer bleibt das bisherige.',
  message: 'Nachricht des Commits',
  defaultMessage: 'Änderungen aus Lectern',
  connect: 'Beginnen',
  change: 'Anderes Repository, anderer Branch oder anderes Token',
  branchIs: (branch) => `Branch ${branch}`,
  folderIs: (folder) => `Ordner ${folder}`,
  common: 'Zuletzt gemeinsam',
  bringIn: 'Änderungen hereinholen',
  sendOut: 'Änderungen senden',
  send: 'Committen und senden',
  forceImport: 'Das Repository gewinnt, wo beide dasselbe geändert haben',
  forceExport: 'Der Bereich gewinnt über Commits, die nicht hereingeholt wurden',
  running: {
    import: 'Änderungen werden hereingeholt. Du kannst diese Seite verlassen: Es geht weiter.',
    export: 'Änderungen werden gesendet. Du kannst diese Seite verlassen: Es geht weiter.',
  },
  done: { import: 'Hereingeholt', export: 'Gesendet' },
  failed: { import: 'Das Hereinholen ist gescheitert', export: 'Das Senden ist gescheitert' },
  failedText: {
    import: 'Der Bereich ist, wie er war.',
    export: 'Das Repository ist, wie es war.',
  },
  forceNext: 'Entscheide, wer gewinnt, wo beide etwas geändert haben, hake es unten an, und versuch es noch einmal.',
  locked: 'Dieser Bereich ändert sich nur durch Änderungsanträge, darum kommt nichts direkt herein. Senden geht.',
}
