/** What STYLE.md and ARCHITECTURE.md promise and a rule can check. */
import './tidy/caches.ts'
import './tidy/files.ts'
import './tidy/pages.ts'
import './tidy/rooms.ts'
import './tidy/words.ts'
