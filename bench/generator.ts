export { generator } from '../host/kernels/questions/generator.js';
