/** The words around what a spec says, in the languages of the interface. English is the model. */
import type { Locale } from '../../../core/customization/shape.ts'

const en = {
  authorization: 'Authorization',
  noAuthorization: 'None needed',
  or: 'or',
  path: 'Path parameters',
  query: 'Query parameters',
  header: 'Headers',
  cookie: 'Cookies',
  body: 'Body',
  responses: 'Responses',
  example: 'Example',
  required: 'required',
  readOnly: 'read-only',
  writeOnly: 'write-only',
  deprecated: 'deprecated',
  values: 'Values',
  fields: 'Show fields',
  oneOf: 'One of',
  anyOf: 'Any of',
  items: 'Each item',
  others: 'other fields',
  circular: 'shown above',
  noBody: 'No body.',
  request: 'Request',
  response: 'Response',
  webhook: 'Webhook',
  tryIt: 'Try it',
  server: 'Server',
  send: 'Send',
  sending: 'Sending…',
  secretsStay: 'Sent from your browser straight to the server. What you enter stays in this tab.',
  failed:
    'The request could not be sent. The server may be unreachable, or does not allow calls from this page (CORS).',
  contentType: 'Content type',
  callbacks: 'Callbacks',
}
export type SpecWords = typeof en

// biome-ignore format: side by side with the English words, line for line.
const others: Partial<Record<Locale, SpecWords>> = {
  de: { authorization: 'Anmeldung', noAuthorization: 'Nicht nötig', or: 'oder', path: 'Pfadparameter', query: 'Abfrageparameter', header: 'Kopfzeilen', cookie: 'Cookies', body: 'Inhalt', responses: 'Antworten', example: 'Beispiel', required: 'erforderlich', readOnly: 'nur lesbar', writeOnly: 'nur schreibbar', deprecated: 'veraltet', values: 'Werte', fields: 'Felder anzeigen', oneOf: 'Eines von', anyOf: 'Beliebige von', items: 'Jeder Eintrag', others: 'weitere Felder', circular: 'siehe oben', noBody: 'Kein Inhalt.', request: 'Anfrage', response: 'Antwort', webhook: 'Webhook', tryIt: 'Ausprobieren', server: 'Server', send: 'Senden', sending: 'Wird gesendet…', secretsStay: 'Wird von Ihrem Browser direkt an den Server gesendet. Eingaben bleiben in diesem Tab.', failed: 'Die Anfrage konnte nicht gesendet werden. Der Server ist nicht erreichbar oder erlaubt keine Aufrufe von dieser Seite (CORS).', contentType: 'Inhaltstyp', callbacks: 'Callbacks' },
  fr: { authorization: 'Autorisation', noAuthorization: 'Aucune', or: 'ou', path: 'Paramètres de chemin', query: 'Paramètres de requête', header: 'En-têtes', cookie: 'Cookies', body: 'Corps', responses: 'Réponses', example: 'Exemple', required: 'obligatoire', readOnly: 'lecture seule', writeOnly: 'écriture seule', deprecated: 'obsolète', values: 'Valeurs', fields: 'Afficher les champs', oneOf: 'Un parmi', anyOf: 'Un ou plusieurs parmi', items: 'Chaque élément', others: 'autres champs', circular: 'voir plus haut', noBody: 'Sans corps.', request: 'Requête', response: 'Réponse', webhook: 'Webhook', tryIt: 'Essayer', server: 'Serveur', send: 'Envoyer', sending: 'Envoi…', secretsStay: 'Envoyé par votre navigateur directement au serveur. Ce que vous saisissez reste dans cet onglet.', failed: 'La requête n’a pas pu être envoyée. Le serveur est injoignable ou n’autorise pas les appels depuis cette page (CORS).', contentType: 'Type de contenu', callbacks: 'Callbacks' },
  es: { authorization: 'Autorización', noAuthorization: 'Ninguna', or: 'o', path: 'Parámetros de ruta', query: 'Parámetros de consulta', header: 'Cabeceras', cookie: 'Cookies', body: 'Cuerpo', responses: 'Respuestas', example: 'Ejemplo', required: 'obligatorio', readOnly: 'solo lectura', writeOnly: 'solo escritura', deprecated: 'obsoleto', values: 'Valores', fields: 'Mostrar campos', oneOf: 'Uno de', anyOf: 'Cualquiera de', items: 'Cada elemento', others: 'otros campos', circular: 'véase arriba', noBody: 'Sin cuerpo.', request: 'Solicitud', response: 'Respuesta', webhook: 'Webhook', tryIt: 'Probar', server: 'Servidor', send: 'Enviar', sending: 'Enviando…', secretsStay: 'Se envía desde su navegador directamente al servidor. Lo que escriba se queda en esta pestaña.', failed: 'No se pudo enviar la solicitud. El servidor no responde o no permite llamadas desde esta página (CORS).', contentType: 'Tipo de contenido', callbacks: 'Callbacks' },
  'pt-br': { authorization: 'Autorização', noAuthorization: 'Nenhuma', or: 'ou', path: 'Parâmetros de caminho', query: 'Parâmetros de consulta', header: 'Cabeçalhos', cookie: 'Cookies', body: 'Corpo', responses: 'Respostas', example: 'Exemplo', required: 'obrigatório', readOnly: 'somente leitura', writeOnly: 'somente escrita', deprecated: 'obsoleto', values: 'Valores', fields: 'Mostrar campos', oneOf: 'Um de', anyOf: 'Qualquer um de', items: 'Cada item', others: 'outros campos', circular: 'veja acima', noBody: 'Sem corpo.', request: 'Requisição', response: 'Resposta', webhook: 'Webhook', tryIt: 'Experimentar', server: 'Servidor', send: 'Enviar', sending: 'Enviando…', secretsStay: 'Enviado pelo seu navegador diretamente ao servidor. O que você digitar fica nesta aba.', failed: 'A requisição não pôde ser enviada. O servidor está inacessível ou não permite chamadas desta página (CORS).', contentType: 'Tipo de conteúdo', callbacks: 'Callbacks' },
  nl: { authorization: 'Autorisatie', noAuthorization: 'Niet nodig', or: 'of', path: 'Padparameters', query: 'Queryparameters', header: 'Headers', cookie: 'Cookies', body: 'Inhoud', responses: 'Antwoorden', example: 'Voorbeeld', required: 'verplicht', readOnly: 'alleen lezen', writeOnly: 'alleen schrijven', deprecated: 'verouderd', values: 'Waarden', fields: 'Velden tonen', oneOf: 'Een van', anyOf: 'Een of meer van', items: 'Elk item', others: 'andere velden', circular: 'zie boven', noBody: 'Geen inhoud.', request: 'Verzoek', response: 'Antwoord', webhook: 'Webhook', tryIt: 'Proberen', server: 'Server', send: 'Versturen', sending: 'Bezig…', secretsStay: 'Rechtstreeks vanuit je browser naar de server gestuurd. Wat je invult blijft in dit tabblad.', failed: 'Het verzoek kon niet worden verstuurd. De server is onbereikbaar of staat geen aanroepen vanaf deze pagina toe (CORS).', contentType: 'Inhoudstype', callbacks: 'Callbacks' },
  no: { authorization: 'Autorisasjon', noAuthorization: 'Ikke nødvendig', or: 'eller', path: 'Stiparametere', query: 'Spørreparametere', header: 'Hoder', cookie: 'Informasjonskapsler', body: 'Innhold', responses: 'Svar', example: 'Eksempel', required: 'påkrevd', readOnly: 'skrivebeskyttet', writeOnly: 'kun skriving', deprecated: 'utdatert', values: 'Verdier', fields: 'Vis felter', oneOf: 'En av', anyOf: 'Noen av', items: 'Hvert element', others: 'andre felter', circular: 'vist ovenfor', noBody: 'Uten innhold.', request: 'Forespørsel', response: 'Svar', webhook: 'Webhook', tryIt: 'Prøv', server: 'Tjener', send: 'Send', sending: 'Sender…', secretsStay: 'Sendes fra nettleseren din direkte til tjeneren. Det du skriver, blir i denne fanen.', failed: 'Forespørselen kunne ikke sendes. Tjeneren svarer ikke, eller tillater ikke kall fra denne siden (CORS).', contentType: 'Innholdstype', callbacks: 'Tilbakekall' },
  ru: { authorization: 'Авторизация', noAuthorization: 'Не требуется', or: 'или', path: 'Параметры пути', query: 'Параметры запроса', header: 'Заголовки', cookie: 'Cookie', body: 'Тело', responses: 'Ответы', example: 'Пример', required: 'обязательно', readOnly: 'только чтение', writeOnly: 'только запись', deprecated: 'устарело', values: 'Значения', fields: 'Показать поля', oneOf: 'Один из', anyOf: 'Любые из', items: 'Каждый элемент', others: 'другие поля', circular: 'показано выше', noBody: 'Без тела.', request: 'Запрос', response: 'Ответ', webhook: 'Вебхук', tryIt: 'Попробовать', server: 'Сервер', send: 'Отправить', sending: 'Отправка…', secretsStay: 'Отправляется из вашего браузера прямо на сервер. Введённое остаётся в этой вкладке.', failed: 'Запрос не удалось отправить. Сервер недоступен или не разрешает вызовы с этой страницы (CORS).', contentType: 'Тип содержимого', callbacks: 'Обратные вызовы' },
  ja: { authorization: '認証', noAuthorization: '不要', or: 'または', path: 'パスパラメータ', query: 'クエリパラメータ', header: 'ヘッダー', cookie: 'Cookie', body: '本文', responses: 'レスポンス', example: '例', required: '必須', readOnly: '読み取り専用', writeOnly: '書き込み専用', deprecated: '非推奨', values: '値', fields: 'フィールドを表示', oneOf: 'いずれか一つ', anyOf: 'いずれか', items: '各要素', others: 'その他のフィールド', circular: '上記参照', noBody: '本文なし。', request: 'リクエスト', response: 'レスポンス', webhook: 'Webhook', tryIt: '試す', server: 'サーバー', send: '送信', sending: '送信中…', secretsStay: 'ブラウザからサーバーへ直接送信されます。入力内容はこのタブにのみ残ります。', failed: 'リクエストを送信できませんでした。サーバーに接続できないか、このページからの呼び出しが許可されていません（CORS）。', contentType: 'コンテンツタイプ', callbacks: 'コールバック' },
  zh: { authorization: '授权', noAuthorization: '无需授权', or: '或', path: '路径参数', query: '查询参数', header: '请求头', cookie: 'Cookie', body: '请求体', responses: '响应', example: '示例', required: '必填', readOnly: '只读', writeOnly: '只写', deprecated: '已弃用', values: '可选值', fields: '显示字段', oneOf: '其中之一', anyOf: '任意', items: '每一项', others: '其他字段', circular: '见上文', noBody: '无内容。', request: '请求', response: '响应', webhook: 'Webhook', tryIt: '试一试', server: '服务器', send: '发送', sending: '发送中…', secretsStay: '由您的浏览器直接发送到服务器。输入的内容只保留在此标签页中。', failed: '无法发送请求。服务器可能无法访问，或不允许从此页面调用（CORS）。', contentType: '内容类型', callbacks: '回调' },
  ar: { authorization: 'التفويض', noAuthorization: 'غير مطلوب', or: 'أو', path: 'معاملات المسار', query: 'معاملات الاستعلام', header: 'الترويسات', cookie: 'ملفات الارتباط', body: 'المتن', responses: 'الاستجابات', example: 'مثال', required: 'مطلوب', readOnly: 'للقراءة فقط', writeOnly: 'للكتابة فقط', deprecated: 'مهمل', values: 'القيم', fields: 'إظهار الحقول', oneOf: 'واحد من', anyOf: 'أيّ من', items: 'كل عنصر', others: 'حقول أخرى', circular: 'انظر أعلاه', noBody: 'بلا متن.', request: 'الطلب', response: 'الاستجابة', webhook: 'Webhook', tryIt: 'جرّب', server: 'الخادم', send: 'إرسال', sending: 'جارٍ الإرسال…', secretsStay: 'يُرسل من متصفحك إلى الخادم مباشرة. ما تكتبه يبقى في هذا التبويب.', failed: 'تعذر إرسال الطلب. قد يكون الخادم غير متاح، أو لا يسمح بالطلبات من هذه الصفحة (CORS).', contentType: 'نوع المحتوى', callbacks: 'ردود النداء' },
}

/** By the language of the interface, as pages name it. */
export function specWords(language: string): SpecWords {
  const name = language.toLowerCase()
  const found = Object.entries(others).find(([locale]) => locale === name || (locale === 'no' && name === 'nb'))
  return found?.[1] ?? en
}
