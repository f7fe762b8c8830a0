import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { readFileSync, writeFileSync, readdirSync } from 'node:fs'
const f='node_modules/@expo-google-fonts/'
const fonts=['inter/400Regular/Inter_400Regular.ttf','inter/400Regular_Italic/Inter_400Regular_Italic.ttf','inter/600SemiBold/Inter_600SemiBold.ttf','inter/700Bold/Inter_700Bold.ttf','jetbrains-mono/400Regular/JetBrainsMono_400Regular.ttf','jetbrains-mono/700Bold/JetBrainsMono_700Bold.ttf','noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf','noto-sans-hebrew/400Regular/NotoSansHebrew_400Regular.ttf','noto-emoji/400Regular/NotoEmoji_400Regular.ttf'].map(p=>readFileSync(f+p))
const t0=Date.now()
const c=NodeCompiler.create({workspace:'/tmp/typst-empty',fontArgs:[{fontBlobs:fonts}]})
console.log('create',Date.now()-t0)
const P=(text)=>({kind:'paragraph',content:[{kind:'text',text}]})
const lorem='Documentation that people enjoy is written by people who use the thing themselves, every day, and mend what they stumble over. '.repeat(4)
const chapters=[]
const n=Number(process.argv[2]??20)
for(let i=0;i<n;i++) chapters.push({label:'p'+i,level:i%5===0?1:2,title:'Chapter '+i,description:'What this is about.',blocks:[P(lorem),{kind:'heading',level:3,label:'h'+i,content:[{kind:'text',text:'A heading'}]},{kind:'paragraph',content:[{kind:'text',text:'See '},{kind:'link',to:{label:'p'+((i+3)%n)},content:[{kind:'text',text:'another page'}]},{kind:'text',text:' and '},{kind:'link',to:{url:'https://example.org'},content:[{kind:'text',text:'the web',bold:true}]},{kind:'text',text:' with code',code:true},{kind:'math',formula:'E=mc^2'}]},{kind:'code',text:'const x = 1\nfunction f(a) { return a + x }\n// done',language:'js',title:'x.js',isNumbered:true,highlighted:[2]},{kind:'hint',style:'warning',blocks:[P('Mind the gap.')]},{kind:'list',isOrdered:false,items:[[P('one')],[P('two'),{kind:'list',isOrdered:true,start:3,items:[[P('inner')]]}]]},{kind:'tasks',items:[{isDone:true,blocks:[P('done')]},{isDone:false,blocks:[P('open')]}]},{kind:'table',head:[{blocks:[P('Name')]},{blocks:[P('Meaning')],align:'right'}],rows:[[{blocks:[P('a')]},{blocks:[P('b')],align:'right'}],[{blocks:[P('wide')],columns:2}]],widths:[0,0]},{kind:'steps',steps:[[P('First')],[P('Then')]]},{kind:'labelled',title:[{kind:'text',text:'Tab'}],blocks:[P('inside')]},{kind:'cards',cards:[{blocks:[P('card')],to:{label:'p1'}},{blocks:[P('card2')]}]},{kind:'columns',widths:[1,2],columns:[[P('left')],[P('right '+lorem)]]},{kind:'quote',blocks:[P('quoted')]},{kind:'operation',method:'GET',path:'/v1/x'},{kind:'reference',title:'example.org',detail:'https://example.org/x',to:{url:'https://example.org/x'}},{kind:'math',formula:'bad'},{kind:'paragraph',content:[{kind:'text',text:'عربي עברית 😀 ελληνικά русский 漢字 #read("/etc/passwd") *x*'}]},{kind:'paragraph',content:[{kind:'note',content:[{kind:'text',text:'noted'}],words:[{kind:'text',text:'the note'}]}]}]})
const book={title:'Widget manual',subtitle:'Everything',date:'15 November 2026',language:'en',direction:'ltr',color:'#0f766e',isWhole:true,formulas:{'E=mc^2':'E = m c^2'},words:{contents:'Contents',page:'p.',hints:{info:'Note',warning:'Warning',danger:'Danger',success:'Tip'}},chapters}
const t1=Date.now()
const r=c.compile({mainFileContent:readFileSync('assets/book/book.typ','utf8'),inputs:{book:JSON.stringify(book)}})
if(r.hasError()){const e=r.takeError();console.log(JSON.stringify(e.shortDiagnostics).slice(0,3000));process.exit(1)}
const w=r.takeWarnings(); if(w) console.log('WARN',JSON.stringify(w.shortDiagnostics).slice(0,600))
console.log('compile',Date.now()-t1,'pages',r.result.numOfPages)
const t2=Date.now(); const pdf=c.pdf(r.result); console.log('pdf',Date.now()-t2,pdf.length, 'rss',process.memoryUsage().rss/1e6)
writeFileSync('/tmp/book.pdf',pdf)
