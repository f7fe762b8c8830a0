// The editor alone in a page, with a server in its memory: for what only a browser can show. Real saving is tested elsewhere.
import { mountEditor } from '../../../src/app/editor/mount.ts'
import { editorEn } from '../../../src/app/texts/en/editor.ts'

const store = { revision: 'r1', documents: { r1: window.opened ?? [] }, saves: [], uploads: [] }
const apply = (blocks, { put, gone = [], order }) => {
  const map = new Map(blocks.map((block) => [block.key, block]))
  for (const key of gone) map.delete(key)
  for (const block of put) map.set(block.key, block)
  return order === undefined ? [...map.values()] : order.flatMap((key) => map.get(key) ?? [])
}
const client = {
  getSpaceById: async () => ({ revision: store.revision }),
  getPageInRevisionById: async ({ revisionId }) => ({
    document: { nodes: structuredClone(store.documents[revisionId]) },
  }),
  updateSpaceContent: async ({ body }) => {
    const [change] = body.changes
    store.saves.push(change)
    const revision = `r${store.saves.length + 1}`
    store.documents[revision] = apply(store.documents[store.revision], structuredClone(change.document))
    store.revision = revision
    return { revision, changes: [{ object: 'updated_page', page: {} }] }
  },
  listPages: async () => ({ pages: [{ id: 'p1', title: 'Install', pages: [{ id: 'p2', title: 'Upgrade' }] }] }),
  listMembersInOrganizationById: async () => ({
    items: ['Ada', 'Lin'].map((displayName, at) => ({ user: { id: `u${at + 1}`, displayName } })),
  }),
  listReusableContents: async () => ({ items: [{ id: 'rc1', title: 'Support box' }] }),
  getFileById: async ({ fileId }) => ({
    name: `${fileId}.png`,
    downloadURL: 'data:image/gif;base64,R0lGODlhAQABAAAAACw=',
    contentType: 'image/gif',
  }),
}
const statuses = []
const notices = []
window.store = store
window.statuses = statuses
window.notices = notices
window.violations = []
document.addEventListener('securitypolicyviolation', (event) =>
  window.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`),
)
const root = document.getElementById('root')
window.editor = mountEditor(root, {
  client,
  space: 's',
  organization: 'o',
  page: 'p1',
  opened: { revision: 'r1', blocks: structuredClone(store.documents.r1) },
  texts: editorEn,
  locale: 'en',
  server: location.origin,
  upload: async (file, onProgress) => {
    store.uploads.push(file.name)
    // Half of it, until the test lets it go on.
    onProgress(0.5)
    await window.letUploadsGo
    return [{ id: `f${store.uploads.length}`, name: file.name }]
  },
  readOnly: false,
  onStatus: (status) => statuses.push(status.kind),
  onNotice: (words) => notices.push(words),
  onOutline: (headings) => {
    window.outline = headings.map(({ title, level }) => `${level} ${title}`)
  },
})
window.saved = () => store.documents[store.revision]
document.title = 'ready'
