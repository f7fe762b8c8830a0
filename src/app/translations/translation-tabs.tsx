/** The two parts of translations: themselves, and the glossary that all of them keep to. */
import { paths } from '../frame/paths.ts'
import { TabLink, Tabs } from '../kit/tabs.tsx'
import { translationTexts as words } from '../texts/translations.ts'

export const TranslationTabs = ({ organizationId, here }: { organizationId: string; here: 'list' | 'glossary' }) => (
  <Tabs label={words.title}>
    <TabLink href={paths.translations(organizationId)} isHere={here === 'list'}>
      {words.tabs.list}
    </TabLink>
    <TabLink href={paths.glossary(organizationId)} isHere={here === 'glossary'}>
      {words.tabs.glossary}
    </TabLink>
  </Tabs>
)
