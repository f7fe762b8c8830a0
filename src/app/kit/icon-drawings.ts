/** The line drawings of icons as a part of the app that is loaded later. */
export { default } from '../../../assets/site/icons/line.json' with { type: 'json' }
