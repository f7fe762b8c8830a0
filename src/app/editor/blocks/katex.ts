/** KaTeX as a part of the app that is loaded later. */
export { default } from 'katex'
