/**
 * The script of published pages. Every part works on a page that already works without it. Listeners are on the
 * document, so that they hold for pages that are swapped in; `freshen` does what a new page needs once.
 */
import { startCopy } from './copy.ts'
import { freshenDiagrams, startDiagrams } from './diagrams.ts'
import { startFeedback } from './feedback.ts'
import { startMenus } from './menus.ts'
import { freshenNotes } from './notes.ts'
import { freshenOutline } from './outline.ts'
import { startSearch } from './search.ts'
import { onSwap, startSwap } from './swap.ts'
import { freshenTables } from './tables.ts'
import { freshenTabs, startTabs } from './tabs.ts'
import { startTheme } from './theme.ts'
import { freshenTree, startTree } from './tree.ts'
import { startTry } from './try.ts'
import { startZoom } from './zoom.ts'

function freshen(): void {
  freshenTabs()
  freshenTables()
  freshenDiagrams()
  freshenNotes()
  freshenOutline()
  freshenTree()
}

startTheme()
startMenus()
startTabs()
startTree()
startCopy()
startZoom()
startFeedback()
startTry()
startDiagrams()
startSearch()
onSwap(freshen)
freshen()
startSwap()
