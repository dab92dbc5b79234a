/** The suggesters, as one part of the host (lateSuggesters.ts). */
export { compileSuggest } from './request.js';
